import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { roles } from "../../src/database/Roles.ts"
import { TenantSql } from "../../src/database/TenantSql.ts"
import { newId } from "../../src/identity/Id.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

interface Table {
  readonly name: string
  readonly has_tenant: boolean
  readonly protected: boolean
  readonly rights: ReadonlyArray<string>
}

const tables = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  return yield* sql<Table>`
    SELECT c.relname AS name, c.relrowsecurity AS protected,
      EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id') AS has_tenant,
      array(SELECT r FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) r
        WHERE has_table_privilege(${roles.tenant}, c.oid, r)) AS rights
    FROM pg_class c WHERE relnamespace = 'footnote'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`
})

/** Rows of one tenant in every table that hangs together with a job, as the engine writes them. */
const belongings = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const tenant_id = yield* newId("ten")
  const job_id = yield* newId("job")
  const sha256 = "0".repeat(64)
  yield* sql`INSERT INTO footnote.tenants ${sql.insert({ id: tenant_id, name: "one" })}`
  yield* sql`INSERT INTO footnote.jobs (id, tenant_id, spec) VALUES (${job_id}, ${tenant_id}, '{}')`
  yield* sql`INSERT INTO footnote.stages (job_id, name, status, needs) VALUES (${job_id}, 'fetch', 'waiting', 0)`
  yield* sql`INSERT INTO footnote.tasks (id, job_id, stage, idx, pool, tag, input)
    VALUES (gen_random_uuid(), ${job_id}, 'fetch', 0, 'media', 0, '{}')`
  yield* sql`INSERT INTO footnote.artifacts ${sql.insert({ job_id, kind: "result", key: "k", size_bytes: 1, sha256 })}`
  yield* sql`INSERT INTO footnote.manifests VALUES (${job_id}, '{}')`
  yield* sql`INSERT INTO footnote.job_events (job_id, seq, type, data) VALUES (${job_id}, 1, 'status', '{}')`
  yield* sql`INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256)
    VALUES (${yield* newId("key")}, ${tenant_id}, 'k', 'fnk_', sha256(${tenant_id}::bytea))`
  yield* sql`INSERT INTO footnote.schemas (id, tenant_id, name, json_schema)
    VALUES (${yield* newId("sch")}, ${tenant_id}, 's', '{}')`
  yield* sql`INSERT INTO footnote.uploads (id, tenant_id, blob_key, size_bytes, sha256, expires_at)
    VALUES (${yield* newId("upl")}, ${tenant_id}, ${`uploads/${tenant_id}`}, 1, ${sha256}, now())`
  yield* sql`INSERT INTO footnote.idempotency_keys VALUES (${tenant_id}, 'same key', sha256(''), ${job_id}, now())`
  return { tenant_id, job_id }
})

/** Both read the same table without a condition; `tenant` says whose rows came. */
const everything: Readonly<Record<string, string>> = {
  tenants: "SELECT id AS tenant FROM footnote.tenants",
  api_keys: "SELECT tenant_id AS tenant FROM footnote.api_keys",
  schemas: "SELECT tenant_id AS tenant FROM footnote.schemas",
  uploads: "SELECT tenant_id AS tenant FROM footnote.uploads",
  idempotency_keys: "SELECT tenant_id AS tenant FROM footnote.idempotency_keys",
  jobs: "SELECT tenant_id AS tenant FROM footnote.jobs",
  stages: "SELECT job_id AS tenant FROM footnote.stages",
  tasks: "SELECT job_id AS tenant FROM footnote.tasks",
  artifacts: "SELECT job_id AS tenant FROM footnote.artifacts",
  manifests: "SELECT job_id AS tenant FROM footnote.manifests",
  job_events: "SELECT job_id AS tenant FROM footnote.job_events"
}

const who = (client: SqlClient.SqlClient) =>
  client<{ login: string; role: string; powerful: boolean }>`
    SELECT session_user::text AS login, current_user::text AS role, EXISTS (
      SELECT FROM pg_roles r WHERE r.rolname IN (session_user, current_user) AND (r.rolsuper OR r.rolbypassrls
        OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid))) AS powerful`

const refused = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) ? JSON.stringify(Cause.squash(exit.cause), ["reason", "cause", "code"]) : "allowed"

layer(TestDatabase.layer, { excludeTestServices: true })("row-level security", (it) => {
  it.effect("cannot be passed by whom the service logs in as, nor by the roles that it works as", () =>
    Effect.gen(function*() {
      const engine = yield* PgClient.PgClient
      const { sql } = yield* TenantSql
      assert.deepStrictEqual(yield* who(engine), [{ login: "test_app", role: "footnote_engine", powerful: false }])
      assert.deepStrictEqual(yield* who(sql), [{ login: "test_app", role: "footnote_tenant", powerful: false }])
    }))

  it.effect("is on for every table that has a tenant or that a tenant may look into, and no right goes beyond rows", () =>
    Effect.gen(function*() {
      const all = yield* tables
      assert.isAbove(all.length, 15)
      for (const { has_tenant, name, protected: on, rights } of all) {
        if (has_tenant || rights.length > 0) assert.isTrue(on, name)
        assert.deepStrictEqual(
          rights.filter((right) => ["TRUNCATE", "TRIGGER", "REFERENCES"].includes(right)),
          [],
          name
        )
      }
      // Of keys not every column.
      for (const name of Object.keys(everything).filter((name) => name !== "api_keys")) {
        assert.include(all.find((table) => table.name === name)!.rights, "SELECT", name)
      }
    }))

  it.effect("shows a tenant its own rows and no other's in every table, whatever a query forgets", () =>
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql
      const mine = yield* belongings
      yield* belongings
      for (const [table, query] of Object.entries(everything)) {
        const rows = yield* inTenant(mine.tenant_id)(sql.unsafe<{ tenant: string }>(query))
        const owner = query.includes("job_id AS") ? mine.job_id : mine.tenant_id
        assert.deepStrictEqual(rows, [{ tenant: owner }], table)
      }
    }))

  it.effect("shows nothing and takes nothing where no tenant is named, in every table there is", () =>
    Effect.gen(function*() {
      const { sql } = yield* TenantSql
      const { tenant_id } = yield* belongings
      for (const { name, rights } of yield* tables) {
        if (rights.includes("SELECT")) {
          assert.deepStrictEqual(yield* sql.unsafe(`SELECT * FROM footnote.${name}`), [], name)
        } else assert.include(refused(yield* Effect.exit(sql.unsafe(`SELECT * FROM footnote.${name}`))), "42501", name)
      }
      const insert = sql`INSERT INTO footnote.schemas (id, tenant_id, name, json_schema)
        VALUES ('sch_1', ${tenant_id}, 's', '{}')`
      assert.include(refused(yield* Effect.exit(insert)), "42501")
    }))

  it.effect("writes nothing of another tenant: no insert for it, no move to it, no change or deletion by a careless query", () =>
    Effect.gen(function*() {
      const engine = yield* PgClient.PgClient
      const { inTenant, sql } = yield* TenantSql
      const mine = yield* belongings
      const theirs = yield* belongings
      const attempt = (statement: Effect.Effect<unknown, SqlError>) => Effect.exit(inTenant(mine.tenant_id)(statement))
      assert.include(
        refused(
          yield* attempt(
            sql`INSERT INTO footnote.schemas (id, tenant_id, name, json_schema) VALUES ('sch_2', ${theirs.tenant_id}, 's', '{}')`
          )
        ),
        "42501"
      )
      assert.include(refused(yield* attempt(sql`UPDATE footnote.uploads SET tenant_id = ${theirs.tenant_id}`)), "42501")
      assert.include(refused(yield* attempt(sql`SELECT secret_sha256 FROM footnote.api_keys`)), "42501")
      assert.include(refused(yield* attempt(sql`UPDATE footnote.jobs SET status = 'cancelled'`)), "42501")
      yield* inTenant(mine.tenant_id)(sql`UPDATE footnote.schemas SET deleted_at = now()`)
      yield* inTenant(mine.tenant_id)(sql`DELETE FROM footnote.uploads`)
      const left = (tenant_id: string) =>
        engine`SELECT (SELECT count(*)::int FROM footnote.schemas WHERE tenant_id = ${tenant_id} AND deleted_at IS NULL)
          + (SELECT count(*)::int FROM footnote.uploads WHERE tenant_id = ${tenant_id}) AS n`
      assert.deepStrictEqual(yield* left(mine.tenant_id), [{ n: 0 }])
      assert.deepStrictEqual(yield* left(theirs.tenant_id), [{ n: 2 }])
    }))

  it.effect("forgets the tenant with the transaction, however it ended", () =>
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql
      const { tenant_id } = yield* belongings
      const count = sql<{ n: number }>`SELECT count(*)::int AS n FROM footnote.jobs`
      const inside = inTenant(tenant_id)(count)
      const ways: ReadonlyArray<Effect.Effect<unknown, string>> = [inside, inTenant(tenant_id)(Effect.fail("no"))]
      for (const way of [...ways, inTenant(tenant_id)(Effect.interrupt)]) {
        yield* Effect.exit(way)
        // Every connection of the pool, so the one that was used is among them.
        const counts = yield* Effect.all(Array.from({ length: 10 }, () => count), { concurrency: "unbounded" })
        assert.deepStrictEqual(counts.flat().map(({ n }) => n), Array.from({ length: 10 }, () => 0))
      }
      assert.deepStrictEqual(yield* inside, [{ n: 1 }])
    }))

  it.effect("holds for statements that run side by side, of one tenant in one scope and of many in many", () =>
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql
      const owners = yield* Effect.all(Array.from({ length: 12 }, () => belongings))
      const seen = yield* Effect.forEach(owners, ({ tenant_id }) =>
        inTenant(tenant_id)(Effect.all(
          Array.from({ length: 5 }, () => sql<{ id: string }>`SELECT id FROM footnote.jobs`),
          { concurrency: "unbounded" }
        )), { concurrency: "unbounded" })
      seen.forEach((reads, at) => {
        for (const rows of reads) assert.deepStrictEqual(rows, [{ id: owners[at]!.job_id }])
      })
    }))

  it.effect("is one scope within the scope of the same tenant, and a defect within another's", () =>
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql
      const mine = yield* belongings
      const theirs = yield* belongings
      const ids = sql<{ id: string }>`SELECT id FROM footnote.jobs`
      assert.deepStrictEqual(yield* inTenant(mine.tenant_id)(inTenant(mine.tenant_id)(ids)), [{ id: mine.job_id }])
      const exit = yield* Effect.exit(inTenant(mine.tenant_id)(inTenant(theirs.tenant_id)(ids)))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }))
})
