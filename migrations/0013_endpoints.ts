import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByEngine } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  yield* ownedByEngine("endpoints")
  yield* ownedByEngine("paces")
})

// endpoint: where deliveries go, a destination or the webhook_url of jobs of one tenant. turn: a task of an older turn does
// nothing. parked: waits without a task, until its endpoint, its destination or its tenant has room. begun fences what an
// attempt writes. unsure_from: since then an attempt may have been carried out unheard; unsure_until: the last such began
// then. schedule_base: attempts made before the schedule began anew. marked: its mark at the vendor can go.
const statements = [
  `ALTER TABLE footnote.deliveries
    ADD COLUMN endpoint text,
    ADD COLUMN turn int NOT NULL DEFAULT 0,
    ADD COLUMN parked boolean NOT NULL DEFAULT false,
    ADD COLUMN begun int NOT NULL DEFAULT 0,
    ADD COLUMN unsure_from timestamptz,
    ADD COLUMN unsure_until timestamptz,
    ADD COLUMN schedule_base int NOT NULL DEFAULT 0,
    ADD COLUMN marked boolean NOT NULL DEFAULT false,
    ADD CHECK (NOT parked OR status = 'pending'),
    ADD CHECK ((unsure_from IS NULL) = (unsure_until IS NULL))`,
  `UPDATE footnote.deliveries d SET endpoint = 'url_' || encode(sha256(convert_to(j.tenant_id || ' ' || j.webhook_url, 'UTF8')), 'hex')
    FROM footnote.jobs j WHERE j.id = d.job_id`,
  // Processes of the version before insert without it until they are replaced.
  `ALTER TABLE footnote.deliveries ALTER COLUMN endpoint SET NOT NULL, ALTER COLUMN endpoint SET DEFAULT 'url_unknown'`,
  `CREATE INDEX deliveries_parked ON footnote.deliveries (endpoint, id) WHERE parked`,
  `CREATE INDEX deliveries_parked_by_tenant ON footnote.deliveries (tenant_id, id) WHERE parked`,
  `CREATE INDEX deliveries_in_flight ON footnote.deliveries (endpoint) WHERE status = 'delivering'`,
  `CREATE INDEX deliveries_in_flight_by_tenant ON footnote.deliveries (tenant_id) WHERE status = 'delivering'`,
  `CREATE INDEX deliveries_marked ON footnote.deliveries (destination_id) WHERE marked`,
  `CREATE INDEX deliveries_open_by_destination ON footnote.deliveries (destination_id) WHERE finished_at IS NULL`,
  // failures: in a row. opened: how often the breaker has opened without a success in between.
  `CREATE TABLE footnote.endpoints (
    id text PRIMARY KEY,
    failures int NOT NULL DEFAULT 0 CHECK (failures >= 0),
    opened int NOT NULL DEFAULT 0 CHECK (opened >= 0),
    open_until timestamptz,
    blocked_until timestamptz,
    paced_until timestamptz,
    used_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX endpoints_by_use ON footnote.endpoints (used_at)`,
  // Generic cell rate algorithm: the theoretical arrival time of the next request with a credential, by its digest.
  `CREATE TABLE footnote.paces (credential text PRIMARY KEY, arrival timestamptz NOT NULL)`,
  `CREATE INDEX paces_by_arrival ON footnote.paces (arrival)`,
  // The tasks of a job's deliveries are made by transactions that do not wait for one another.
  `CREATE SEQUENCE footnote.delivery_task_no AS int START 1000000`
]
