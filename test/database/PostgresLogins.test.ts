import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../src/database/Database.ts"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { startBareServer } from "../support/BareServer.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "footnote-logins-")), "postgres")),
  (path) => Effect.sync(() => rmSync(join(path, ".."), { recursive: true, force: true }))
)

/** The service's own database in a folder, migrated as its processes do. */
const service = <A, E>(
  dataDir: string,
  use: (postgres: EmbeddedPostgres["Service"]) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof open>>>
) =>
  Effect.gen(function*() {
    const postgres = yield* EmbeddedPostgres
    return yield* Effect.provide(use(postgres), open(postgres))
  }).pipe(Effect.provide(Layer.merge(EmbeddedPostgres.layer({ dataDir }), NodeServices.layer)))

const open = ({ owner_url, url }: EmbeddedPostgres["Service"]) =>
  Database.layerUrl(url, { owner: owner_url, maxConnections: 2 })

/** Statements in one session, as the login of the address without a role of the service; true for each that went through. */
const session = (url: Redacted.Redacted, statements: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const passed: Array<boolean> = []
    for (const statement of statements) passed.push(Result.isSuccess(yield* Effect.result(sql.unsafe(statement))))
    return passed
  }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1, connectTimeout: "5 seconds" })))

const opens = (url: Redacted.Redacted) =>
  Effect.map(Effect.result(session(url, ["SELECT 1"])), (answer) => Result.isSuccess(answer) && answer.success[0])

const changed = (url: Redacted.Redacted, from: RegExp, to: string) =>
  Redacted.make(Redacted.value(url).replace(from, to))

const theSuperusers = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE relowner = 10 AND nspname !~ '^pg_' AND nspname <> 'information_schema'`

/** What a session that runs somebody else's SQL would try. */
const attempts = [
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "COPY (SELECT 1) TO '/tmp/footnote-written'",
  "SELECT pg_read_file('pg_hba.conf')",
  "SELECT lo_import('/etc/hostname')",
  "ALTER SYSTEM SET log_statement = 'all'",
  "CREATE ROLE another SUPERUSER",
  "ALTER ROLE footnote_app SUPERUSER",
  "SET ROLE footnote",
  "SET ROLE footnote_owner",
  "CREATE TABLE public.mine (a int)",
  "CREATE TEMPORARY TABLE mine (a int)",
  "CREATE SCHEMA mine",
  "SELECT count(*) FROM footnote.jobs",
  "SELECT count(*) FROM pgboss.job"
]

describe("the logins of the private PostgreSQL", () => {
  it.live("leave the service's own nothing outside of its roles: no program, no file, no table, no other role", () =>
    Effect.gen(function*() {
      yield* service(yield* folder, ({ url }) =>
        Effect.gen(function*() {
          const refused = attempts.map(() => false)
          assert.deepStrictEqual(yield* session(url, attempts), refused)
          const [left] = yield* session(url, ["SET ROLE footnote_engine", "SELECT count(*) FROM footnote.jobs"])
          assert.isTrue(left)
          const back = yield* session(url, ["SET ROLE footnote_engine", "SET ROLE NONE", ...attempts])
          assert.deepStrictEqual(back, [true, true, ...refused])
          assert.deepStrictEqual(
            yield* session(url, ["SET ROLE footnote_engine", ...attempts.slice(0, 10)]),
            [true, ...refused.slice(0, 10)]
          )
        }))
    }).pipe(Effect.scoped))

  it.live("need their password; no superuser gets in, and nobody into another database", () =>
    Effect.gen(function*() {
      const dataDir = yield* folder
      yield* service(dataDir, ({ owner_url, url }) =>
        Effect.gen(function*() {
          assert.isTrue(yield* opens(url))
          assert.isTrue(yield* opens(owner_url))
          assert.isFalse(yield* opens(changed(url, /&password=.*/u, "")))
          assert.isFalse(yield* opens(changed(url, /&password=.*/u, "&password=guessed")))
          assert.isFalse(yield* opens(changed(url, /user=\w+/u, "user=footnote_owner")))
          assert.isFalse(yield* opens(changed(url, /user=\w+/u, "user=footnote")))
          assert.isFalse(yield* opens(changed(owner_url, /\/\/\/postgres/u, "///template1")))
        }))
      for (const file of ["footnote.pgpass", "pg_hba.conf"]) {
        assert.strictEqual(statSync(join(dataDir, file)).mode & 0o777, 0o600)
      }
      assert.strictEqual(statSync(dataDir).mode & 0o777, 0o700)
    }).pipe(Effect.scoped))

  it.live("are made in a folder of an earlier version, whose tables and rows stay, also where that was cut off", () =>
    Effect.gen(function*() {
      const dataDir = yield* folder
      const earlier = yield* Effect.promise(() => startBareServer(dataDir))
      yield* Effect.provide(
        Effect.flatMap(
          PgClient.PgClient,
          (sql) => sql`INSERT INTO footnote.tenants (id, name) VALUES ('ten_1', 'one')`
        ),
        Layer.provide(Database.layerUrl(earlier.superuser, { maxConnections: 2 }), NodeServices.layer)
      )
      yield* Effect.promise(earlier.stop)
      const hba = join(dataDir, "pg_hba.conf")
      const openToAll = readFileSync(hba, "utf8")

      const look = ({ owner_url, started, url }: EmbeddedPostgres["Service"]) =>
        Effect.gen(function*() {
          const sql = yield* PgClient.PgClient
          assert.strictEqual(started, "started")
          assert.deepStrictEqual(yield* sql`SELECT id FROM footnote.tenants`, [{ id: "ten_1" }])
          assert.isFalse(yield* opens(earlier.superuser))
          const left = yield* Effect.provide(
            Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(theSuperusers)),
            PgClient.layer({ url: owner_url, maxConnections: 1 })
          )
          assert.deepStrictEqual(left, [])
          // The owner can go on migrating.
          assert.deepStrictEqual(
            yield* session(owner_url, [
              "ALTER TABLE footnote.jobs ADD COLUMN later text",
              "ALTER TABLE footnote.jobs DROP COLUMN later"
            ]),
            [true, true]
          )
          return Redacted.value(url)
        })
      const first = yield* service(dataDir, look)
      writeFileSync(hba, openToAll)
      assert.strictEqual(yield* service(dataDir, look), first)
    }).pipe(Effect.scoped))
})
