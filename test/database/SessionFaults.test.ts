import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { Database } from "../../src/database/Database.ts"
import { saysDatabaseAway } from "../../src/database/DatabaseAway.ts"
import { SessionLimits } from "../../src/database/DatabaseSession.ts"
import { TenantSql } from "../../src/database/TenantSql.ts"
import { databaseBehindProxy, type Fault } from "../support/FaultyProxy.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const limit = { statement_seconds: 0.4, silence_seconds: 0.6 }

/** By sessions with short limits. */
const behindProxy = Effect.gen(function*() {
  const { proxy, url } = yield* databaseBehindProxy
  const context = yield* Layer.build(
    Database.layerUrl(url, { maxConnections: 2 }).pipe(
      Layer.provide(Layer.succeed(SessionLimits, { engine: limit, tenant: limit })),
      Layer.provide(NodeServices.layer)
    )
  )
  return { proxy, context }
})

const faults: ReadonlyArray<Fault> = [
  { kind: "silent" },
  { kind: "half-closed" },
  { kind: "reset" },
  { kind: "delayed", millis: 60_000 }
]

describe("a database behind a broken network", () => {
  for (const fault of faults) {
    it.live(`${fault.kind}: every statement fails as one of a database that is away, and works when it is over`, () =>
      Effect.gen(function*() {
        const { context, proxy } = yield* behindProxy
        yield* Effect.gen(function*() {
          const engine = yield* PgClient.PgClient
          const { inTenant, sql } = yield* TenantSql
          const asEngine = engine`SELECT 1`
          const asTenant = inTenant("ten_x")(sql`SELECT 1`).pipe(
            Effect.catchDefect((defect) => isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))
          )
          const inside = engine.withTransaction(Effect.andThen(engine`SELECT 1`, engine`SELECT 2`))
          const works = [asEngine, asTenant, inside] as const
          for (const work of works) yield* work
          yield* proxy.set(fault)
          // More than the pools have sessions: those that come later wait for one.
          const failures = yield* Effect.forEach([...works, ...works], Effect.flip, { concurrency: "unbounded" })
          for (const failure of failures) assert.isTrue(saysDatabaseAway(failure), String(failure))
          yield* proxy.set({ kind: "none" })
          for (const work of works) yield* Effect.retry(work, { times: 3 })
        }).pipe(Effect.provide(context))
      }).pipe(Effect.scoped))
  }

  it.live("fails a start as one of a database that is away, and never as one of a database that has to be migrated", () =>
    Effect.gen(function*() {
      const { direct, proxy, url } = yield* databaseBehindProxy
      yield* proxy.set({ kind: "reset" })
      // Who would migrate reaches the server again, and owns nothing.
      const start = Layer.build(Layer.fresh(Database.layerUrl(url, { maxConnections: 2, owner: direct })))
      assert.isTrue(saysDatabaseAway(yield* Effect.flip(start)))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("ends a statement that is on its way when the connection is reset", () =>
    Effect.gen(function*() {
      const { context, proxy } = yield* behindProxy
      yield* Effect.gen(function*() {
        const engine = yield* PgClient.PgClient
        const heard = yield* Effect.forkChild(proxy.heard, { startImmediately: true })
        const statement = yield* Effect.forkChild(Effect.flip(engine`SELECT pg_sleep(60)`), { startImmediately: true })
        yield* Fiber.join(heard)
        yield* proxy.set({ kind: "reset" })
        assert.isTrue(saysDatabaseAway(yield* Fiber.join(statement)))
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped))
})

describe("a session", () => {
  it.live("is told to the server with limits on statements, silence and peers that are gone", () =>
    Effect.gen(function*() {
      const context = yield* Layer.build(TestDatabase.layer)
      yield* Effect.gen(function*() {
        const engine = yield* PgClient.PgClient
        const { sql } = yield* TenantSql
        for (const [client, statement] of [[engine, "30s"], [sql, "10s"]] as const) {
          const [row] = yield* client<Record<string, string>>`SELECT current_setting('statement_timeout') AS statement,
            current_setting('idle_in_transaction_session_timeout') AS idle,
            current_setting('client_connection_check_interval') AS looks`
          assert.deepStrictEqual({ ...row! }, { statement, idle: "10s", looks: "1s" })
        }
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped))
})
