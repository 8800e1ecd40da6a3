import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Stream } from "effect"
import { TenantSql } from "../../src/database/TenantSql.ts"
import { CurrentTenant } from "../../src/identity/CurrentTenant.ts"
import { Uploads } from "../../src/sources/Uploads.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** What becomes of each transaction of an upload: first it asks for room, then it writes the row. Without an entry: what should. */
let fates: Array<"as it should" | "answer lost at COMMIT" | "never begun"> = []

const committing = 7_700_001

/** Until so many transactions of this test's database wait for a lock, or the work is over. */
const untilWaiting = Effect.fnUntraced(function*(count: number, work?: Fiber.Fiber<unknown, unknown>) {
  const sql = yield* PgClient.PgClient
  yield* sql`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.pipe(
    Effect.repeat({ until: (waiting) => waiting.length >= count || work?.pollUnsafe() !== undefined }),
    Effect.orDie
  )
})

const Fateful = Layer.effect(
  TenantSql,
  Effect.gen(function*() {
    const real = yield* TenantSql
    const context = yield* Effect.context<PgClient.PgClient>()
    return TenantSql.of({
      sql: real.sql,
      inTenant: (tenant_id) => (work) =>
        Effect.suspend(() => {
          const fate = fates.shift()
          const done = real.inTenant(tenant_id)(work)
          if (fate === undefined || fate === "as it should") return done
          const lost = Effect.die(new Error("The connection is gone"))
          return fate === "never begun" ? lost : Effect.forkDetach(done).pipe(
            Effect.andThen(Effect.provideContext(untilWaiting(1), context)),
            Effect.andThen(lost)
          )
        })
    })
  })
)

const Deployment = Uploads.layer.pipe(Layer.provide(Fateful), Layer.provideMerge(Server.layer))

const bytes = new Uint8Array(5000).fill(7)

/** An upload that is being received, and what is left of it afterwards. */
const receiving = Effect.fnUntraced(function*() {
  const { send, tenant } = yield* TestServer
  const uploads = yield* Uploads
  const blobs = yield* Blobs
  const { key, tenant_id } = yield* tenant("a")
  const work = yield* Effect.forkChild(
    Effect.provideService(uploads.receive(Stream.make(bytes), bytes.length), CurrentTenant, { tenant_id, key_id: null })
  )
  const left = Effect.gen(function*() {
    const rows: Array<{ readonly id: string }> = (yield* send("GET", "/v1/uploads", { key })).json.data
    const stored = yield* blobs.list(`uploads/${tenant_id}`)
    return {
      rows: rows.map(({ id }) => `uploads/${tenant_id}/${id}`),
      blobs: stored.map((blob) => blob.key)
    }
  })
  return { work, left }
})

/** Lets no COMMIT of an upload end before `release`, as a busy disk or a standby does. */
const holdCommits = Effect.gen(function*() {
  const { sql } = yield* TestServer
  yield* sql(`CREATE OR REPLACE FUNCTION public.commits() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_advisory_xact_lock(${committing}); RETURN NULL; END'`)
  yield* sql(`DROP TRIGGER IF EXISTS commits ON footnote.uploads`)
  yield* sql(`CREATE CONSTRAINT TRIGGER commits AFTER INSERT ON footnote.uploads DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION public.commits()`)
  const session = yield* (yield* PgClient.PgClient).reserve
  yield* session.executeRaw(`SELECT pg_advisory_lock(${committing})`, [])
  return session.executeRaw(`SELECT pg_advisory_unlock(${committing})`, [])
})

layer(Deployment, { excludeTestServices: true })("an upload's row and its bytes", (it) => {
  it.effect("are both there where the sender leaves during COMMIT", () =>
    Effect.gen(function*() {
      const release = yield* holdCommits
      const { left, work } = yield* receiving()
      yield* untilWaiting(1, work)
      work.interruptUnsafe()
      yield* release
      yield* Fiber.await(work)
      const { blobs, rows } = yield* left
      assert.lengthOf(rows, 1)
      assert.deepStrictEqual(blobs, rows)
    }).pipe(Effect.scoped))

  it.effect("are both there where COMMIT outlasts the connection that was to answer it", () =>
    Effect.gen(function*() {
      const release = yield* holdCommits
      fates = ["as it should", "answer lost at COMMIT"]
      const { left, work } = yield* receiving()
      // The COMMIT, and whoever wants to know what became of it.
      yield* untilWaiting(2, work)
      yield* release
      assert.isTrue(Exit.hasDies(yield* Fiber.await(work)))
      const { blobs, rows } = yield* left
      assert.lengthOf(rows, 1)
      assert.deepStrictEqual(blobs, rows)
    }).pipe(Effect.scoped))

  it.effect("are both gone where the transaction wrote nothing", () =>
    Effect.gen(function*() {
      fates = ["as it should", "never begun"]
      const { left, work } = yield* receiving()
      assert.isTrue(Exit.hasDies(yield* Fiber.await(work)))
      assert.deepStrictEqual(yield* left, { rows: [], blobs: [] })
    }))

  it.effect("leave the bytes to the sweep where the database cannot say which it is", () =>
    Effect.gen(function*() {
      fates = ["as it should", "never begun", "never begun"]
      const { left, work } = yield* receiving()
      assert.isTrue(Exit.hasDies(yield* Fiber.await(work)))
      const { blobs, rows } = yield* left
      assert.deepStrictEqual([rows.length, blobs.length], [0, 1])
    }))
})
