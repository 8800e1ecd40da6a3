import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../src/database/Database.ts"
import { startBareServer } from "./BareServer.ts"

/**
 * One private PostgreSQL per test process, started with the first database that a test asks for and gone with the
 * process. Each call gives a database of its own, copied from one that was migrated once. As on a managed server, nobody
 * here is a superuser: the tables belong to `test_owner`, and the service logs in as `test_app`, which owns nothing.
 */
let server: Promise<Redacted.Redacted> | undefined
let created = 0

const within = (url: Redacted.Redacted, database: string, login: "test_owner" | "test_app") =>
  Redacted.make(
    Redacted.value(url).replace("///postgres?", `///${database}?`).replace(/user=\w+/u, `user=${login}`)
  )

/** Runs one statement as the login of the address. */
export const execute = <Row>(url: Redacted.Redacted, statement: string): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(Effect.provide(
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<Row & object>(statement)),
    PgClient.layer({ url, maxConnections: 1 })
  ))

const template = "footnote_template"

const start = async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "footnote-test-")), "postgres")
  const { superuser: url } = await startBareServer(dataDir)
  await execute(url, "CREATE ROLE test_owner LOGIN CREATEROLE")
  await execute(url, "CREATE ROLE test_app LOGIN")
  await execute(url, `CREATE DATABASE ${template} OWNER test_owner`)
  await Effect.runPromise(Effect.provide(
    Effect.void,
    Database.layerUrl(within(url, template, "test_owner"), { maxConnections: 2 }).pipe(
      Layer.provide(NodeServices.layer)
    )
  ))
  await execute(url, "GRANT footnote_engine, footnote_tenant TO test_app")
  return url
}

const fresh = async (copied: string) => {
  const url = await (server ??= start())
  const name = `test_${process.pid}_${++created}`
  await execute(url, `CREATE DATABASE ${name} OWNER test_owner ${copied}`)
  return { url, name }
}

/** A fresh database with nothing in it, for the login that owns it. */
export const createEmpty = async (): Promise<Redacted.Redacted> => {
  const { name, url } = await fresh("")
  return within(url, name, "test_owner")
}

/** A fresh migrated database; give its URL to other processes as `DATABASE_URL`. */
export const create = async (): Promise<Redacted.Redacted> => {
  const { name, url } = await fresh(`TEMPLATE ${template}`)
  return within(url, name, "test_app")
}

/** For what only the owner of the tables may do: the same database, as its owner. */
export const asOwner = (url: Redacted.Redacted): Redacted.Redacted =>
  Redacted.make(Redacted.value(url).replace("user=test_app", "user=test_owner"))

/** A fresh migrated database for the scope of the layer: all that `Database` gives. */
export const layer = Layer.unwrap(Effect.map(Effect.promise(create), (url) => Database.layerUrl(url))).pipe(
  Layer.provide(NodeServices.layer)
)
