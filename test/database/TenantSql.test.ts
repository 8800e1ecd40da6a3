import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Database } from "../../src/database/Database.ts"
import { TenantSql } from "../../src/database/TenantSql.ts"
import { newId } from "../../src/identity/Id.ts"
import { silentProxy } from "../support/SilentProxy.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** A tenant with one job. */
const owner = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const tenant_id = yield* newId("ten")
  const job_id = yield* newId("job")
  yield* sql`INSERT INTO footnote.tenants ${sql.insert({ id: tenant_id, name: "one" })}`
  yield* sql`INSERT INTO footnote.jobs (id, tenant_id, spec) VALUES (${job_id}, ${tenant_id}, '{}')`
  return { tenant_id, job_id }
})

const applicationName = "one session"

/** The tenants' database with a single session, so that whoever comes next gets the one that was used before. */
const open = Effect.fn("open")(function*(url: Redacted.Redacted) {
  const sessions = Layer.fresh(TenantSql.layerUrl(url, { maxConnections: 1, applicationName }))
  const tenants = yield* Effect.provide(TenantSql, yield* Layer.build(sessions))
  return { ...tenants, ids: tenants.sql<{ id: string }>`SELECT id FROM footnote.jobs` }
})

/** The login itself, which may see and end what its sessions do. */
const login = Effect.gen(function*() {
  const { url } = yield* Database
  const sql = yield* Effect.provide(PgClient.PgClient, yield* Layer.build(Layer.fresh(PgClient.layer({ url }))))
  const state = Effect.map(
    sql<{ state: string }>`
      SELECT CASE WHEN query LIKE '%pg_sleep%' AND state = 'active' THEN 'sleeping' ELSE state END AS state
      FROM pg_stat_activity WHERE application_name = ${applicationName} AND datname = current_database()`,
    (rows) => rows.map((row) => row.state)
  )
  return {
    sql,
    state,
    until: (wanted: (states: ReadonlyArray<string>) => boolean) => Effect.repeat(state, { until: wanted })
  }
})

const asleep = (states: ReadonlyArray<string>) => states.includes("sleeping")

layer(TestDatabase.layer, { excludeTestServices: true })("one statement as a tenant", (it) => {
  it.effect("costs one round trip: COMMIT is sent before anything has been answered", () =>
    Effect.gen(function*() {
      const url = Redacted.value((yield* Database).url)
      const socketDir = new URL(url).searchParams.get("host")!
      const { socketDir: far, state } = yield* silentProxy(socketDir)
      const { ids, inTenant } = yield* open(
        Redacted.make(url.replace(encodeURIComponent(socketDir), encodeURIComponent(far)))
      )
      const { job_id, tenant_id } = yield* owner
      // The first one plans; both have to be sent at once.
      for (const _ of [1, 2]) {
        yield* Effect.exit(ids)
        state.silentUntil = "COMMIT"
        assert.deepStrictEqual(yield* inTenant(tenant_id)(ids), [{ id: job_id }])
        assert.isUndefined(state.silentUntil)
      }
    }))

  it.effect("leaves nothing of the tenant to the next borrower: answered, failed, refused, cancelled or cut off", () =>
    Effect.gen(function*() {
      const { ids, inTenant, sql } = yield* open((yield* Database).url)
      const watched = yield* login
      const mine = yield* owner
      const theirs = yield* owner
      const scope = inTenant(mine.tenant_id)
      const sleep = sql`SELECT pg_sleep(600)`
      const during = <E>(then: (fiber: Fiber.Fiber<unknown>) => Effect.Effect<unknown, E>) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(scope(sleep))
          yield* watched.until(asleep)
          yield* then(fiber)
          const exit = yield* Fiber.await(fiber)
          assert.isTrue(Exit.isFailure(exit))
        })
      const ways: Readonly<Record<string, Effect.Effect<unknown, SqlError>>> = {
        answered: scope(ids),
        failed: scope(sql`SELECT 1 / 0`),
        refused: scope(sql`INSERT INTO footnote.schemas (id, tenant_id, name, json_schema)
          VALUES ('sch_1', ${theirs.tenant_id}, 's', '{}')`),
        cancelled: during(Fiber.interrupt),
        "cut off": during(() =>
          watched
            .sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${applicationName}`
        )
      }
      for (const [how, way] of Object.entries(ways)) {
        const exit = yield* Effect.exit(way)
        if (how === "failed" || how === "refused") assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause), how)
        else assert.isTrue(Exit.isSuccess(exit), how)
        assert.deepStrictEqual(yield* ids, [], how)
        const [row] = yield* sql<
          { tenant: string | null }
        >`SELECT current_setting('footnote.tenant_id', true) AS tenant`
        assert.isTrue(row!.tenant === null || row!.tenant === "", how)
        assert.notInclude(yield* watched.state, "idle in transaction", how)
        assert.deepStrictEqual(yield* inTenant(theirs.tenant_id)(ids), [{ id: theirs.job_id }], how)
      }
      // What was cancelled is not left running either: its server process has noticed that nobody is there.
      yield* watched.until((states) => !asleep(states))
    }))

  it.effect("writes all or nothing", () =>
    Effect.gen(function*() {
      const { inTenant, sql } = yield* open((yield* Database).url)
      const { tenant_id } = yield* owner
      const names = inTenant(tenant_id)(sql<{ name: string }>`SELECT name FROM footnote.schemas ORDER BY name`)
      const add = (id: string, count: number) =>
        inTenant(tenant_id)(sql`INSERT INTO footnote.schemas (id, tenant_id, name, json_schema)
          SELECT ${id} || n % 2, ${tenant_id}, ${id} || n, '{}' FROM generate_series(1, ${count}::int) n`)
      yield* add("sch_a", 2)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(add("sch_b", 3))))
      assert.deepStrictEqual((yield* names).map(({ name }) => name), ["sch_a1", "sch_a2"])
    }))

  it.effect("finds the tenant's rows also where the server has lost the plan, or may not use it any more", () =>
    Effect.gen(function*() {
      const { url } = yield* Database
      const { inTenant, sql } = yield* open(url)
      const { job_id, tenant_id } = yield* owner
      const all = inTenant(tenant_id)(sql<{ id: string }>`SELECT * FROM footnote.jobs`)
      const found = Effect.map(all, (rows) => rows.map(({ id }) => id))
      assert.deepStrictEqual(yield* found, [job_id])
      yield* sql.unsafe("DEALLOCATE ALL").unprepared
      assert.deepStrictEqual(yield* found, [job_id])
      yield* Effect.promise(() =>
        TestDatabase.execute(TestDatabase.asOwner(url), "ALTER TABLE footnote.jobs ADD COLUMN added_meanwhile text")
      )
      assert.deepStrictEqual(yield* found, [job_id])
      assert.deepStrictEqual(yield* found, [job_id])
    }))
})
