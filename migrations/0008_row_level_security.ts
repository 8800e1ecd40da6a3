import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { roles } from "../src/database/Roles.ts"
import { engineRights, ownedByEngine, ownedByTenant, ownedThrough } from "../src/database/RowSecurity.ts"

// The roles exist: src/database/Migrations.ts sees to that before any migration runs.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements = [
    `GRANT USAGE ON SCHEMA footnote TO ${roles.engine}, ${roles.tenant}`,
    ...engineRights,
    // Tables of later migrations are the engine's without another word; the tenant's role gets what they grant it.
    `ALTER DEFAULT PRIVILEGES IN SCHEMA footnote GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roles.engine}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA footnote GRANT USAGE ON SEQUENCES TO ${roles.engine}`,
    `GRANT SELECT ON footnote_migrations TO ${roles.engine}`
  ]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })

  // Nobody but authentication reads the hash of a key.
  const shown = "id, tenant_id, name, prefix, scopes, created_at, last_used_at, revoked_at"
  yield* ownedByTenant("api_keys", [`SELECT (${shown})`, "INSERT", "UPDATE (revoked_at)"])
  yield* ownedByTenant("schemas", ["SELECT", "INSERT", "UPDATE (deleted_at)"])
  yield* ownedByTenant("uploads", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* ownedByTenant("jobs", ["SELECT"])
  yield* ownedByTenant("deliveries", ["SELECT"])
  yield* ownedByTenant("idempotency_keys", ["SELECT"])
  yield* ownedThrough("stages", "job_id", "jobs", ["SELECT"])
  yield* ownedThrough("tasks", "job_id", "jobs", ["SELECT"])
  yield* ownedThrough("artifacts", "job_id", "jobs", ["SELECT"])
  yield* ownedThrough("manifests", "job_id", "jobs", ["SELECT"])
  yield* ownedThrough("job_events", "job_id", "jobs", ["SELECT"])
  yield* ownedThrough("delivery_attempts", "delivery_id", "deliveries", ["SELECT"])
  yield* ownedByEngine("fair_shares")

  // A tenant sees its own row by its own id.
  const tenants = [
    "ALTER TABLE footnote.tenants ENABLE ROW LEVEL SECURITY",
    `CREATE POLICY engine ON footnote.tenants TO ${roles.engine} USING (true) WITH CHECK (true)`,
    `CREATE POLICY tenant ON footnote.tenants TO ${roles.tenant} USING (id = current_setting('footnote.tenant_id', true))`,
    `GRANT SELECT ON footnote.tenants TO ${roles.tenant}`
  ]
  yield* Effect.forEach(tenants, (statement) => sql.unsafe(statement), { discard: true })
})
