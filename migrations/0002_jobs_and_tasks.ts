import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements = [jobs, stages, tasks, outcomes, deliveries, engine].flat()
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

// A slot is counted from rows, never kept in a counter: a terminal status IS the freed slot.
// json, not jsonb, where member order is the caller's and must come back as it was, and where a text may hold U+0000.
// admitted_at: the job holds a slot and its first task is queued; the task's start makes the job `running`.
const jobs = [
  `CREATE TABLE footnote.jobs (
    id text PRIMARY KEY CHECK (id LIKE 'job\\_%'),
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    priority smallint NOT NULL DEFAULT 0,
    spec json NOT NULL,
    destination_ids jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(destination_ids) = 'array'),
    webhook_url text,
    webhook_secret bytea CHECK ((webhook_secret IS NULL) = (webhook_url IS NULL)),
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    request_id text,
    source json,
    warnings json NOT NULL DEFAULT '[]' CHECK (json_typeof(warnings) = 'array'),
    result_confidence double precision CHECK (result_confidence BETWEEN 0 AND 1),
    error json CHECK ((error IS NOT NULL) = (status = 'failed')),
    audio_seconds double precision NOT NULL DEFAULT 0 CHECK (audio_seconds >= 0),
    frames_sampled int NOT NULL DEFAULT 0 CHECK (frames_sampled >= 0),
    frames_kept int NOT NULL DEFAULT 0 CHECK (frames_kept BETWEEN 0 AND frames_sampled),
    model_seconds double precision NOT NULL DEFAULT 0 CHECK (model_seconds >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    admitted_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    deleted_at timestamptz,
    UNIQUE (tenant_id, id),
    CHECK (status NOT IN ('running', 'succeeded') OR (started_at IS NOT NULL AND admitted_at IS NOT NULL)),
    CHECK ((finished_at IS NULL) = (status IN ('queued', 'running'))),
    CHECK (deleted_at IS NULL OR finished_at IS NOT NULL)
  )`,
  `CREATE INDEX jobs_by_tenant ON footnote.jobs (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL`,
  `CREATE INDEX jobs_active ON footnote.jobs (tenant_id) WHERE status IN ('queued', 'running')`,
  `CREATE INDEX jobs_waiting ON footnote.jobs (tenant_id, priority DESC, created_at, id)
    WHERE status = 'queued' AND admitted_at IS NULL`,
  `CREATE TABLE footnote.idempotency_keys (
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    key text NOT NULL CHECK (key ~ '^[ -~]{1,255}$'),
    body_sha256 bytea NOT NULL CHECK (octet_length(body_sha256) = 32),
    job_id text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, key)
  )`,
  `CREATE INDEX idempotency_keys_by_age ON footnote.idempotency_keys (created_at)`
]

// needs: upstream stages that are not done yet. released: tasks that have been queued; at most 64 of them are open. An
// opened stage still waits until a worker takes its first task.
const stages = [
  `CREATE TABLE footnote.stages (
    job_id text NOT NULL REFERENCES footnote.jobs ON DELETE CASCADE,
    name text NOT NULL,
    status text NOT NULL CHECK (status IN ('waiting', 'running', 'done', 'skipped', 'failed', 'cancelled')),
    needs smallint NOT NULL CHECK (needs >= 0),
    total int NOT NULL DEFAULT 0,
    released int NOT NULL DEFAULT 0,
    done int NOT NULL DEFAULT 0 CHECK (done >= 0),
    started_at timestamptz,
    finished_at timestamptz,
    PRIMARY KEY (job_id, name),
    CHECK (done <= released AND released <= total),
    CHECK (status <> 'waiting' OR started_at IS NULL),
    CHECK (status <> 'done' OR (done = total AND total > 0)),
    CHECK (status <> 'skipped' OR total = 0),
    CHECK (needs = 0 OR total = 0),
    CHECK ((finished_at IS NULL) = (status IN ('waiting', 'running')))
  )`
]

// One row per task ever released. Its id is derived from job, stage and number, and is also the queue's id: a second
// release of the same task adds nothing. delayed: waits for a moment, not for a worker, so it does not stand in line.
const tasks = [
  `CREATE TABLE footnote.tasks (
    id uuid PRIMARY KEY,
    job_id text NOT NULL REFERENCES footnote.jobs ON DELETE CASCADE,
    stage text NOT NULL,
    idx int NOT NULL CHECK (idx >= 0),
    pool text NOT NULL,
    tag double precision NOT NULL,
    input json NOT NULL,
    output json,
    done boolean NOT NULL DEFAULT false,
    delayed boolean NOT NULL DEFAULT false,
    worker int,
    attempt int NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    processed_seconds double precision NOT NULL DEFAULT 0 CHECK (processed_seconds >= 0),
    total_seconds double precision NOT NULL DEFAULT 0 CHECK (total_seconds >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (job_id, stage, idx),
    CHECK (NOT (done AND worker IS NOT NULL))
  )`,
  `CREATE INDEX tasks_held ON footnote.tasks (worker) WHERE worker IS NOT NULL`,
  `CREATE INDEX tasks_in_line ON footnote.tasks (pool, tag) WHERE NOT done AND worker IS NULL AND NOT delayed`,
  `CREATE INDEX tasks_open ON footnote.tasks (job_id) WHERE NOT done`
]

const outcomes = [
  `CREATE TABLE footnote.artifacts (
    job_id text NOT NULL REFERENCES footnote.jobs ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('source', 'images', 'transcript', 'frames', 'vision', 'graph', 'graph_compact', 'evidence', 'result')),
    key text NOT NULL,
    size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    PRIMARY KEY (job_id, kind)
  )`,
  // Written under the job's row lock, so seq counts up within a job and becomes visible in order. data: status, progress.
  `CREATE TABLE footnote.job_events (
    job_id text NOT NULL REFERENCES footnote.jobs ON DELETE CASCADE,
    seq int NOT NULL CHECK (seq >= 1),
    type text NOT NULL CHECK (type IN ('status', 'stage', 'progress')),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    data jsonb NOT NULL,
    PRIMARY KEY (job_id, seq)
  )`
]

const deliveries = [
  `CREATE TABLE footnote.deliveries (
    id text PRIMARY KEY CHECK (id LIKE 'dlv\\_%'),
    tenant_id text NOT NULL,
    job_id text NOT NULL,
    destination_id text,
    event_id text NOT NULL CHECK (event_id LIKE 'evt\\_%'),
    event_type text NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CHECK (status IN ('pending', 'delivering', 'succeeded', 'failed', 'cancelled')),
    next_attempt_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    FOREIGN KEY (tenant_id, job_id) REFERENCES footnote.jobs (tenant_id, id) ON DELETE CASCADE,
    CHECK ((finished_at IS NULL) = (status IN ('pending', 'delivering')))
  )`,
  `CREATE UNIQUE INDEX deliveries_one_webhook_per_job ON footnote.deliveries (job_id) WHERE destination_id IS NULL`,
  `CREATE INDEX deliveries_by_tenant ON footnote.deliveries (tenant_id, created_at DESC, id DESC)`,
  `CREATE INDEX deliveries_by_job ON footnote.deliveries (job_id, created_at DESC, id DESC)`,
  `CREATE TABLE footnote.delivery_attempts (
    delivery_id text NOT NULL REFERENCES footnote.deliveries ON DELETE CASCADE,
    number int NOT NULL CHECK (number >= 1),
    at timestamptz NOT NULL DEFAULT now(),
    status_code int,
    error text,
    duration_ms int NOT NULL CHECK (duration_ms >= 0),
    PRIMARY KEY (delivery_id, number)
  )`
]

const engine = [
  // Start-time fair queueing: the finish tag of each tenant in each pool.
  `CREATE TABLE footnote.fair_shares (
    pool text NOT NULL,
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    finish double precision NOT NULL,
    PRIMARY KEY (pool, tenant_id)
  )`,
  `CREATE SEQUENCE footnote.worker_no AS int`,
  `CREATE TABLE footnote.workers (
    no int PRIMARY KEY,
    pools jsonb NOT NULL,
    host text NOT NULL,
    pid int NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
  )`,
  // What the queue engine was last installed as; see src/database/QueueSchema.ts.
  `CREATE TABLE footnote.queue_installation (fingerprint text NOT NULL)`
]
