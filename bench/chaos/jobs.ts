import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { NoopWorkerOptions } from "../../test/support/noop-worker.ts"
import type { KeptProcess } from "../ServiceProcesses.ts"
import { openService, root } from "./ChaosService.ts"
import { makeDice } from "./Dice.ts"

type Pools = NonNullable<NoopWorkerOptions["pools"]>

/**
 * Kills the service again and again and then checks the books. Workers and the API get SIGKILL, PostgreSQL an immediate
 * shutdown, at moments drawn from the seed. Exits with 1 if a job was lost, is stuck, became terminal twice, moved against
 * the state machine, lost a task or has not exactly one delivery. With `real` the stages are the real ones over a sample;
 * without it they do nothing for a while.
 */
export const killJobs = async (options: {
  readonly kills: number
  readonly jobs: number
  readonly seed: number
  readonly real: boolean
}) => {
  const { jobs: jobCount, kills } = options
  const { between, random } = makeDice(options.seed)
  const service = await openService()
  const { api, call, count, database, query } = service
  const noop: NoopWorkerOptions = { at_least: 100, at_most: 600, fail_rate: 0.02, slots: { speech: 4, vision: 4 } }
  const workerOf = (name: string, pools: Pools) =>
    options.real ? service.worker(name, pools) : service.noopWorker(name, { ...noop, pools })
  const workers: ReadonlyArray<KeptProcess> = [
    workerOf("media 1", ["fetch", "media"]),
    workerOf("media 2", ["fetch", "media"]),
    workerOf("models 1", ["speech", "vision", "extraction"]),
    workerOf("models 2", ["speech", "vision", "extraction"]),
    workerOf("deliveries", ["delivery"])
  ]

  // Every move of every job, written down by PostgreSQL itself.
  await query("CREATE TABLE chaos_moves (job_id text, was text, now text)")
  await query(`CREATE FUNCTION chaos_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF TG_OP = 'INSERT' OR OLD.status <> NEW.status THEN
        INSERT INTO chaos_moves VALUES (NEW.id, CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END, NEW.status);
      END IF; RETURN NEW; END $$`)
  await query(
    "CREATE TRIGGER chaos_move AFTER INSERT OR UPDATE ON footnote.jobs FOR EACH ROW EXECUTE FUNCTION chaos_move()"
  )

  const sample = options.real ? await readFile(join(root, "samples/product-demo.mp4")) : undefined
  const sourceUri = sample === undefined
    ? "https://example.com/chunks=40&images=60"
    : (await call("/v1/uploads", { method: "POST", body: sample, headers: { "content-type": "video/mp4" } })).json.uri

  const submitted: Array<string> = []
  const submit = async (number: number) => {
    const { json } = await call("/v1/jobs", {
      method: "POST",
      body: JSON.stringify({ source_uri: sourceUri, webhook_url: "https://example.com/hook" }),
      headers: { "content-type": "application/json", "idempotency-key": `chaos ${number}` }
    })
    if (json.id === undefined) throw new Error(`A submission was refused: ${JSON.stringify(json)}`)
    submitted.push(json.id)
  }

  const began = performance.now()
  const counts: Record<string, number> = { worker: 0, API: 0, PostgreSQL: 0 }
  const submissions: Array<Promise<void>> = []
  for (let kill = 0; kill < kills; kill++) {
    for (const due = Math.ceil(((kill + 1) * jobCount) / kills); submissions.length < due;) {
      submissions.push(submit(submissions.length))
    }
    await delay(between(300, options.real ? 5000 : 1800))
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

  const patience = options.real ? 1800_000 : 180_000
  const killed = performance.now()
  for (let open = 1; open > 0 && performance.now() - killed < patience;) {
    await delay(250)
    const [row] = await query<{ readonly n: number }>(
      "SELECT count(*)::int AS n FROM footnote.jobs WHERE status IN ('queued', 'running')"
    )
    open = row!.n
  }
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

  await service.close(Object.values(wrong).some((n) => n !== 0))
}
