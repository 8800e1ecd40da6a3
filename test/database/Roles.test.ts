import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Redacted } from "effect"
import { Database } from "../../src/database/Database.ts"
import { startBareServer } from "../support/BareServer.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** A server of its own, because roles belong to all of it; `as` gives the address of a login in one of its databases. */
const server = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "footnote-test-" })
  const { as, superuser } = yield* Effect.acquireRelease(
    Effect.promise(() => startBareServer(`${folder}/postgres`)),
    ({ stop }) => Effect.promise(stop)
  )
  return {
    superuser,
    run: (statement: string) => Effect.promise(() => TestDatabase.execute(superuser, statement)),
    as
  }
})

/** As a process starts, by its environment. */
const start = (url: Redacted.Redacted, owner?: Redacted.Redacted) =>
  Effect.scoped(Effect.asVoid(Layer.build(Layer.fresh(Database.layer({ maxConnections: 2 }))))).pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      DATABASE_URL: Redacted.value(url),
      ...(owner === undefined ? {} : { DATABASE_OWNER_URL: Redacted.value(owner) })
    })))
  )

const failure = (url: Redacted.Redacted, owner?: Redacted.Redacted) =>
  Effect.map(Effect.flip(start(url, owner)), (error) => ({ tag: error._tag as string, message: error.message }))

/** The statements that a message asks a superuser to run. */
const statements = (message: string) => message.split("\n").slice(1).map((line) => line.trim())

describe("the roles of the service", () => {
  it.live("are told as SQL where the login may not make them, and these statements are all that is missing", () =>
    Effect.gen(function*() {
      const { as, run, superuser } = yield* server
      yield* run("CREATE ROLE plain LOGIN")
      yield* run("CREATE ROLE \"odd \"\"name\" LOGIN")
      yield* run("CREATE DATABASE one OWNER plain")
      const absent = yield* failure(as("plain", "one"))
      assert.strictEqual(absent.tag, "DatabaseRoleMissing")
      assert.deepStrictEqual(statements(absent.message), [
        "CREATE ROLE footnote_engine NOLOGIN;",
        "CREATE ROLE footnote_tenant NOLOGIN;",
        "GRANT footnote_engine TO \"plain\";",
        "GRANT footnote_tenant TO \"plain\";"
      ])
      for (const statement of statements(absent.message)) yield* run(statement)
      yield* start(as("plain", "one"))

      // A login that owns nothing: enough for a database that is up to date, not for one that is behind.
      const stranger = as(encodeURIComponent("odd \"name"), "one")
      const withheld = yield* failure(stranger)
      assert.strictEqual(withheld.tag, "DatabaseRoleMissing")
      for (const statement of statements(withheld.message)) yield* run(statement)
      yield* start(stranger)
      const inOne = Redacted.make(Redacted.value(superuser).replace("///postgres?", "///one?"))
      yield* Effect.promise(() =>
        TestDatabase.execute(inOne, "UPDATE footnote.queue_installation SET fingerprint = 'older'")
      )
      const outdated = yield* failure(stranger)
      assert.strictEqual(outdated.tag, "DatabaseOutdated")
      assert.match(outdated.message, /belong to plain.*DATABASE_OWNER_URL/u)
      yield* start(stranger, as("plain", "one"))
      yield* start(stranger)

      yield* run("ALTER ROLE footnote_tenant BYPASSRLS")
      const unbound = yield* failure(stranger)
      assert.deepStrictEqual(statements(unbound.message), ["ALTER ROLE footnote_tenant NOSUPERUSER NOBYPASSRLS;"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("are made by a login that may, by many databases of one server at once, and by a superuser", () =>
    Effect.gen(function*() {
      const { as, run, superuser } = yield* server
      yield* run("CREATE ROLE maker LOGIN CREATEROLE")
      const names = ["a", "b", "c", "d", "e", "f"]
      for (const name of names) yield* run(`CREATE DATABASE ${name} OWNER maker`)
      yield* Effect.forEach(names, (name) => start(as("maker", name)), { concurrency: "unbounded" })
      yield* start(superuser)
      const who = yield* Effect.provide(
        Effect.flatMap(
          PgClient.PgClient,
          (sql) =>
            sql<{ role: string; is_superuser: string }>`SELECT current_user::text AS role,
            current_setting('is_superuser') AS is_superuser`
        ),
        Database.layerUrl(superuser)
      )
      assert.deepStrictEqual(who, [{ role: "footnote_engine", is_superuser: "off" }])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
