import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keyIdOf } from "../src/crypto/SealedColumns.ts"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(destinations, (statement) => sql.unsafe(statement), { discard: true })
  yield* ownedByTenant("destinations", ["SELECT", "INSERT"])
  yield* Effect.forEach([...jobs, ...deliveries], (statement) => sql.unsafe(statement), { discard: true })
})

// A deleted destination keeps its record and none of its secrets. failing_since: the first failure after the last success.
const destinations = [
  `CREATE TABLE footnote.destinations (
    id text PRIMARY KEY CHECK (id LIKE 'dst\\_%'),
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    type text NOT NULL CHECK (type IN ('snowflake', 'notion', 'sheets', 'slack', 'webhook')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'broken')),
    config bytea,
    ${keyIdOf("config")},
    signing_secret bytea,
    ${keyIdOf("signing_secret")},
    previous_signing_secret bytea,
    ${keyIdOf("previous_signing_secret")},
    previous_secret_until timestamptz,
    failing_since timestamptz,
    last_health_check_at timestamptz,
    last_health_status text,
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    UNIQUE (tenant_id, id),
    CHECK ((config IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((signing_secret IS NOT NULL) = (type = 'webhook' AND deleted_at IS NULL)),
    CHECK (previous_signing_secret IS NULL OR signing_secret IS NOT NULL),
    CHECK ((previous_signing_secret IS NULL) = (previous_secret_until IS NULL)),
    CHECK ((last_health_check_at IS NULL) = (last_health_status IS NULL))
  )`,
  `CREATE INDEX destinations_by_tenant ON footnote.destinations (tenant_id, id DESC) WHERE deleted_at IS NULL`,
  `CREATE INDEX destinations_config_key ON footnote.destinations (config_key_id) WHERE config IS NOT NULL`,
  `CREATE INDEX destinations_signing_secret_key ON footnote.destinations (signing_secret_key_id)
    WHERE signing_secret IS NOT NULL`,
  `CREATE INDEX destinations_previous_secret_key ON footnote.destinations (previous_signing_secret_key_id)
    WHERE previous_signing_secret IS NOT NULL`
]

const jobs = [
  `ALTER TABLE footnote.jobs ADD COLUMN ${keyIdOf("webhook_secret")}`,
  `CREATE INDEX jobs_webhook_secret_key ON footnote.jobs (webhook_secret_key_id) WHERE webhook_secret IS NOT NULL`
]

const deliveries = [
  `ALTER TABLE footnote.deliveries ADD FOREIGN KEY (tenant_id, destination_id)
    REFERENCES footnote.destinations (tenant_id, id)`,
  `CREATE INDEX deliveries_by_destination ON footnote.deliveries (destination_id, created_at DESC, id DESC)
    WHERE destination_id IS NOT NULL`,
  `CREATE INDEX deliveries_failed ON footnote.deliveries (destination_id, finished_at) WHERE status = 'failed'`
]
