import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted, Schedule } from "effect"
import { openSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import type { NoopWorkerOptions } from "../test/support/noop-worker.ts"
import { keep, type KeptProcess, openDatabase } from "./ServiceProcesses.ts"

/**
 * Kills the service again and again and then checks the books: `npm run chaos -- jobs --kills 30`. Workers and the API get
 * SIGKILL, PostgreSQL an immediate shutdown, at moments drawn from `--seed`. Jobs are submitted over HTTP by a client
 * that repeats a request under its Idempotency-Key until it is answered. Exits with 1 if a job was lost, is stuck, became
 * terminal twice, moved against the state machine, lost a task or has not exactly one delivery. With `--real` the
 * stages are the real ones over a sample; without it they do nothing for a while.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string", default: "30" },
    jobs: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    real: { type: "boolean", default: false }
  }
})
if (positionals[0] !== "jobs") {
  console.error("Usage: npm run chaos -- jobs [--kills 30] [--jobs 20] [--seed 1] [--real]")
  process.exit(2)
}
const kills = Number(values.kills)
const jobCount = Number(values.jobs)

/** Mulberry32: the same seed kills in the same order. */
let state = Number(values.seed) >>> 0
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const between = (low: number, high: number) => low + random() * (high - low)

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = await mkdtemp(join(tmpdir(), "footnote-chaos-"))
const log = openSync(join(folder, "service.log"), "a")
const database = await openDatabase(join(folder, "postgres"))
const key = mintSecret()
const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as { readonly port: number }
    server.close(() => resolve(port))
  })
})
const env = {
  DATABASE_URL: database.url,
  FOOTNOTE_DATA: join(folder, "data"),
  FOOTNOTE_API_KEY: key,
  PORT: String(port),
  LOG_FORMAT: "json"
}

const noop: NoopWorkerOptions = { at_least: 100, at_most: 600, fail_rate: 0.02, slots: { speech: 4, vision: 4 } }
const workerOf = (name: string, pools: Pools) =>
  values.real
    ? keep(name, join(root, "workers/main.ts"), pools, env, log)
    : keep(name, join(root, "test/support/noop-worker.ts"), [JSON.stringify({ ...noop, pools })], env, log)
type Pools = NonNullable<NoopWorkerOptions["pools"]>
const api = keep("API", join(root, "src/main.ts"), [], env, log)
await api.ready()
const workers: ReadonlyArray<KeptProcess> = [
  workerOf("media 1", ["media", "delivery"]),
  workerOf("media 2", ["media", "delivery"]),
  workerOf("models 1", ["speech", "vision", "extraction"]),
  workerOf("models 2", ["speech", "vision", "extraction"])
]

// Every move of every job, written down by PostgreSQL itself.
const books = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(database.url), maxConnections: 2 }))
const query = <A extends object>(text: string): Promise<ReadonlyArray<A>> =>
  books.runPromise(Effect.flatMap(PgClient.PgClient, (sql) =>
    sql.unsafe<A>(text).pipe(Effect.retry({
      schedule: Schedule.spaced("100 millis"),
      while: ({ reason }) => reason._tag === "ConnectionError" || reason._tag === "UnknownError"
    }))))
await query("CREATE TABLE chaos_moves (job_id text, was text, now text)")
await query(`CREATE FUNCTION chaos_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' OR OLD.status <> NEW.status THEN
      INSERT INTO chaos_moves VALUES (NEW.id, CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END, NEW.status);
    END IF; RETURN NEW; END $$`)
await query(
  "CREATE TRIGGER chaos_move AFTER INSERT OR UPDATE ON footnote.jobs FOR EACH ROW EXECUTE FUNCTION chaos_move()"
)

/** Asks until there is an answer: a request that died may or may not have done its work, which the key makes harmless. */
const call = async (path: string, init: RequestInit & { readonly headers?: Record<string, string> }) => {
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, ...init.headers },
        signal: AbortSignal.timeout(5000)
      })
      if (response.status < 500 && response.status !== 429) return response
      await response.arrayBuffer()
    } catch {
      // The API is being started again.
    }
    await delay(100)
  }
}

const sample = values.real ? await readFile(join(root, "samples/product-demo.mp4")) : undefined
const sourceUri = sample === undefined
  ? "https://example.com/?chunks=40&images=60"
  : ((await (await call("/v1/uploads", {
    method: "POST",
    body: sample,
    headers: { "content-type": "video/mp4" }
  })).json()) as { readonly uri: string }).uri

const submitted: Array<string> = []
const submit = async (number: number) => {
  const response = await call("/v1/jobs", {
    method: "POST",
    body: JSON.stringify({ source_uri: sourceUri, webhook_url: "https://example.com/hook" }),
    headers: { "content-type": "application/json", "idempotency-key": `chaos ${number}` }
  })
  const body = await response.json() as { readonly id?: string }
  if (body.id === undefined) throw new Error(`A submission was refused: ${JSON.stringify(body)}`)
  submitted.push(body.id)
}

const began = performance.now()
const counts: Record<string, number> = { worker: 0, API: 0, PostgreSQL: 0 }
const submissions: Array<Promise<void>> = []
for (let kill = 0; kill < kills; kill++) {
  for (const due = Math.ceil(((kill + 1) * jobCount) / kills); submissions.length < due;) {
    submissions.push(submit(submissions.length))
  }
  await delay(between(300, values.real ? 5000 : 1800))
  const draw = random()
  if (draw < 0.15) {
    counts.PostgreSQL!++
    await database.crash()
  } else if (draw < 0.35) {
    counts.API!++
    await api.kill()
  } else {
    counts.worker!++
    await workers[Math.floor(random() * workers.length)]!.kill()
  }
  if (kill % 7 === 6 && submitted.length > 2) {
    await call(`/v1/jobs/${submitted[Math.floor(random() * submitted.length)]}/cancel`, { method: "POST" })
  }
}
await Promise.all(submissions)

const patience = values.real ? 1800_000 : 180_000
const killed = performance.now()
for (let open = 1; open > 0 && performance.now() - killed < patience;) {
  await delay(250)
  const [row] = await query<{ readonly n: number }>(
    "SELECT count(*)::int AS n FROM footnote.jobs WHERE status IN ('queued', 'running')"
  )
  open = row!.n
}
const count = async (text: string) =>
  (await query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM ${text}`))[0]!.n
const rows = await query<{ readonly id: string; readonly status: string }>("SELECT id, status FROM footnote.jobs")
const known = new Set(rows.map((job) => job.id))
const terminal = "('succeeded', 'failed', 'cancelled')"
const wrong = {
  lost: submitted.filter((id) => !known.has(id)).length + (jobCount - new Set(submitted).size),
  doubled: rows.length - jobCount,
  stuck: rows.filter((job) => job.status === "queued" || job.status === "running").length,
  terminal_twice: await count(
    `(SELECT job_id FROM chaos_moves WHERE now IN ${terminal} GROUP BY 1 HAVING count(*) > 1) twice`
  ),
  illegal_moves: await count(
    `chaos_moves WHERE NOT (coalesce(was, '-'), now) IN (('-', 'queued'), ('queued', 'running'),
    ('queued', 'cancelled'), ('queued', 'failed'), ('running', 'succeeded'), ('running', 'failed'), ('running', 'cancelled'))`
  ),
  failed: rows.filter((job) => job.status === "failed").length,
  tasks_lost: await count(`footnote.stages s JOIN footnote.jobs j ON j.id = s.job_id WHERE j.status = 'succeeded' AND
    (s.status NOT IN ('done', 'skipped') OR s.done <> (SELECT count(*) FROM footnote.tasks t
      WHERE t.job_id = s.job_id AND t.stage = s.name AND t.done))`),
  deliveries_wrong: await count(`footnote.jobs j WHERE 1 <>
    (SELECT count(*) FROM footnote.deliveries d WHERE d.job_id = j.id)`)
}
const [work] = await query<{ readonly tasks: number; readonly again: number }>(
  `SELECT count(*) FILTER (WHERE done)::int AS tasks, coalesce(sum(attempt), 0)::int AS again FROM footnote.tasks`
)
const statuses = Object.groupBy(rows, (job) => job.status)
console.table({
  ...counts,
  jobs: jobCount,
  ...Object.fromEntries(Object.entries(statuses).map(([k, v]) => [k, v!.length]))
})
console.log(
  `${Math.round((performance.now() - began) / 1000)} s, ${work!.tasks} tasks done, ${work!.again} begun again`
)
console.table(wrong)

await Promise.all([api, ...workers].map((process) => process.stop()))
await books.dispose()
await database.stop()
const bad = Object.values(wrong).some((n) => n !== 0)
if (bad) {
  console.error(`Something is wrong. Log: ${join(folder, "service.log")}`)
  process.exitCode = 1
} else await rm(folder, { recursive: true, force: true })
