import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../src/database/Database.ts"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"

/**
 * One private PostgreSQL per test process, started with the first database that a test asks for and gone with the
 * process. Each call gives a database of its own, copied from one that was migrated once.
 */
let server: Promise<Redacted.Redacted> | undefined
let created = 0

const within = (url: Redacted.Redacted, database: string) =>
  Redacted.make(Redacted.value(url).replace("///postgres?", `///${database}?`))

const administer = <A, E>(url: Redacted.Redacted, work: Effect.Effect<A, E, PgClient.PgClient>) =>
  Effect.runPromise(Effect.provide(work, PgClient.layer({ url, maxConnections: 1 })))

const template = "footnote_template"

const start = async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "footnote-test-")), "postgres")
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ dataDir, ephemeral: true }))
  const { url } = await runtime.runPromise(EmbeddedPostgres)
  await administer(url, Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(`CREATE DATABASE ${template}`)))
  await Effect.runPromise(Effect.provide(
    Effect.void,
    Database.layerUrl(within(url, template), { maxConnections: 2 }).pipe(Layer.provide(NodeServices.layer))
  ))
  return url
}

/** A fresh database with nothing in it. */
export const createEmpty = async (): Promise<Redacted.Redacted> => {
  const url = await (server ??= start())
  const name = `test_${process.pid}_${++created}`
  await administer(url, Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(`CREATE DATABASE ${name}`)))
  return within(url, name)
}

/** A fresh migrated database; give its URL to other processes as `DATABASE_URL`. */
export const create = async (): Promise<Redacted.Redacted> => {
  const url = await (server ??= start())
  const name = `test_${process.pid}_${++created}`
  await administer(
    url,
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  )
  return within(url, name)
}

/** A fresh migrated database for the scope of the layer: `PgClient`, `SqlClient` and `Database`. */
export const layer = Layer.unwrap(Effect.map(Effect.promise(create), (url) => Database.layerUrl(url))).pipe(
  Layer.provide(NodeServices.layer)
)
