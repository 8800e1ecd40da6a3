import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted, Schedule } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../../src/cli/LocalService.ts"
import { advisoryLocks } from "../../src/database/AdvisoryLocks.ts"
import * as PostgresLogins from "../../src/database/PostgresLogins.ts"
import * as Postmaster from "../../src/database/Postmaster.ts"
import type { Kind } from "../ProcessTree.ts"
import { writeRun } from "../Reliability.ts"
import { root } from "./ChaosService.ts"
import { openReceiver } from "./CheckedReceiver.ts"
import { cutClips } from "./Clips.ts"
import { makeDice } from "./Dice.ts"
import { kill, makeKilledService } from "./KilledService.ts"

/** A task of a dead worker may be held for as long as a lease without a heartbeat lives; twice that is too long. */
const LEASE_SECONDS = 10

/** What is drawn, and how often of a hundred; `tree` and `all but PostgreSQL` are every process of it at once. */
const draws: ReadonlyArray<readonly [Kind | "tree" | "all but PostgreSQL", number]> = [
  ["npm", 3],
  ["service", 4],
  ["tree", 4],
  ["all but PostgreSQL", 3],
  ["API", 12],
  ["worker", 26],
  ["model process", 16],
  ["decoder", 12],
  ["PostgreSQL", 6],
  ["session", 10],
  ["guard", 4]
]

const artifacts = ["transcript", "frames?include_raw=true", "vision", "graph?view=canonical", "evidence"]

/**
 * Kills anything of a whole service again and again, its parent and all of it at once too, while real jobs run and their
 * webhooks are delivered, and then checks the books. Exits with 1 where a job was lost, did not succeed, came twice or
 * ended twice, a dead worker's task was held beyond twice the lease, a result differs from that of an undisturbed run, an
 * event had two bodies or never came, a start failed, or something was left two seconds after its parent's death.
 */
export const killEverything = async (options: {
  readonly kills: number
  readonly jobs: number
  readonly seed: number
  readonly write: boolean
}) => {
  const { between, random } = makeDice(options.seed)
  const folder = await mkdtemp(join(tmpdir(), "footnote-chaos-"))
  const receiver = await openReceiver(makeDice(options.seed + 1))
  const port = await Effect.runPromise(freePort)
  const key = mintSecret()
  const data = join(folder, "data")
  const log = join(folder, "service.log")
  const service = makeKilledService({
    root,
    log,
    port,
    env: {
      FOOTNOTE_DATA: data,
      FOOTNOTE_API_KEY: key,
      LOG_FORMAT: "json",
      SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
      FOOTNOTE_DELIVERY_SCHEDULE: ["0", "0.2", "0.5", "1", ...Array.from({ length: 60 }, () => "2")].join(",")
    }
  })
  /** Asks until there is an answer: a request that died may or may not have done its work. */
  const call = async (path: string, init: RequestInit & { readonly headers?: Record<string, string> } = {}) => {
    for (;;) {
      try {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          ...init,
          headers: { authorization: `Bearer ${key}`, ...init.headers },
          signal: AbortSignal.timeout(20_000)
        })
        const body = await response.text()
        if (response.status < 500 && response.status !== 429) return JSON.parse(body)
      } catch {
        // It is being started again.
      }
      await delay(100)
    }
  }
  const server = await Postmaster.locate(join(data, "postgres"), false)
  if (!await service.start()) throw new Error(`The first start failed. Log: ${log}`)
  const url = Redacted.make(PostgresLogins.urlOf(server, "owner")!)
  const books = ManagedRuntime.make(PgClient.layer({ url, maxConnections: 2 }))
  const query = <A extends object>(text: string): Promise<ReadonlyArray<A>> =>
    books.runPromise(
      Effect.flatMap(PgClient.PgClient, (sql) =>
        sql.unsafe<A>(text).pipe(Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 3000 })))
    )
  const count = async (text: string) =>
    (await query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM ${text}`))[0]!.n

  await query("UPDATE footnote.tenants SET max_active = 10000, max_running = 1000, writes_per_minute = 0")
  await query("CREATE TABLE public.chaos_ends (job_id text)")
  await query(`CREATE FUNCTION public.chaos_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO public.chaos_ends VALUES (NEW.id); RETURN NEW; END $$`)
  await query(`CREATE TRIGGER chaos_end AFTER UPDATE ON footnote.jobs FOR EACH ROW
      WHEN (NEW.status IN ('succeeded', 'failed', 'cancelled') AND OLD.status IS DISTINCT FROM NEW.status)
      EXECUTE FUNCTION public.chaos_end()`)

  const uris: Array<string> = []
  for (const body of await cutClips(folder)) {
    uris.push((await call("/v1/uploads", { method: "POST", body, headers: { "content-type": "video/mp4" } })).uri)
  }
  const submit = async (number: number, name = `chaos ${number}`) => {
    const path = `/job/${name.replaceAll(" ", "-")}`
    const json = await call("/v1/jobs", {
      method: "POST",
      body: JSON.stringify({ source_uri: uris[number % uris.length], webhook_url: receiver.url(path) }),
      headers: { "content-type": "application/json", "idempotency-key": name }
    })
    if (json.id === undefined) throw new Error(`A submission was refused: ${JSON.stringify(json)}`)
    receiver.trust(path, json.webhook_signing_secret)
    return json.id as string
  }
  const ended = async (id: string) => {
    for (;;) {
      const job = await call(`/v1/jobs/${id}?wait=5`)
      if (["succeeded", "failed", "cancelled"].includes(job.status)) return job
    }
  }
  /** Everything that came of a job, without its own id. */
  const outcome = async (id: string) => {
    const { result } = await call(`/v1/jobs/${id}`)
    const parts = [JSON.stringify(result)]
    for (const name of artifacts) parts.push(JSON.stringify(await call(`/v1/jobs/${id}/${name}`)))
    return parts.join("\n").replaceAll(id, "")
  }
  const undisturbed: Array<string> = []
  for (const index of uris.keys()) {
    const id = await submit(index, `undisturbed ${index}`)
    const job = await ended(id)
    if (job.status !== "succeeded") {
      throw new Error(`Undisturbed, a job was ${job.status}: ${JSON.stringify(job.error)}`)
    }
    undisturbed.push(await outcome(id))
  }

  // Tasks whose worker has no lock: how long each has been seen so.
  let stuck = 0
  const watching = new AbortController()
  const heldByDead = new Map<string, number>()
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const rows = await query<{ readonly id: string }>(`SELECT t.id || ' ' || t.attempt AS id FROM footnote.tasks t
        WHERE t.worker IS NOT NULL AND NOT t.done AND pg_postmaster_start_time() < now() - interval '20 seconds'
          AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted
            AND l.classid = ${advisoryLocks.worker} AND l.objid = t.worker::oid)`)
      const now = performance.now()
      const ids = new Set(rows.map(({ id }) => id))
      for (const id of heldByDead.keys()) if (!ids.has(id)) heldByDead.delete(id)
      for (const id of ids) {
        const since = heldByDead.get(id) ?? now
        heldByDead.set(id, since)
        if (now - since > 2 * LEASE_SECONDS * 1000) {
          stuck++
          heldByDead.set(id, Number.POSITIVE_INFINITY)
        }
      }
      await delay(1000)
    }
  })()

  const began = performance.now()
  const killed: Record<string, number> = {}
  const submissions: Array<Promise<string>> = []
  const draw = () => {
    let at = random() * draws.reduce((sum, [, share]) => sum + share, 0)
    return draws.find(([, share]) => (at -= share) < 0)![0]
  }
  for (let number = 0; number < options.kills; number++) {
    // A little work is always waiting, and it gets its share of the time before the next kill.
    while (submissions.length < Math.min(options.jobs, Math.ceil(((number + 5) * options.jobs) / options.kills))) {
      submissions.push(submit(submissions.length))
    }
    const goal = Math.floor((number * options.jobs) / options.kills) - 4
    for (const since = performance.now(); performance.now() - since < 8000;) {
      if ((await count("public.chaos_ends")) - uris.length >= goal) break
      await delay(200)
    }
    await delay(between(50, 1000))
    for (;;) {
      const kind = draw()
      const parts = service.tree()
      const victims = kind === "tree"
        ? parts
        : kind === "all but PostgreSQL"
        ? parts.filter((part) => part.kind !== "PostgreSQL" && part.kind !== "session")
        : parts.filter((part) => part.kind === kind)
      if (victims.length === 0) continue
      killed[kind] = (killed[kind] ?? 0) + 1
      if (["npm", "service", "tree", "all but PostgreSQL"].includes(kind)) {
        kill(victims)
        service.watch(parts, kind)
        // A start that fails is counted and made again by hand, as somebody at a terminal would.
        for (let tries = 0; tries < 5 && !await service.start();) tries++
      } else kill([victims[Math.floor(random() * victims.length)]!])
      break
    }
  }
  const killing = Math.round((performance.now() - began) / 1000)
  const submitted = await Promise.all(submissions)

  const open = `(SELECT 1 FROM footnote.jobs WHERE status IN ('queued', 'running')
    UNION ALL SELECT 1 FROM footnote.deliveries WHERE finished_at IS NULL) open`
  for (const since = performance.now(); performance.now() - since < 1_800_000;) {
    await delay(500)
    if (await count(open) === 0) break
  }
  watching.abort()
  await watch
  await service.watched()
  const settled = Math.round((performance.now() - began) / 1000) - killing

  const jobs = new Map(
    (await query<{ readonly id: string; readonly status: string }>("SELECT id, status FROM footnote.jobs"))
      .map(({ id, status }) => [id, status])
  )
  let differ = 0
  for (const [number, id] of submitted.entries()) {
    if (jobs.get(id) === "succeeded" && await outcome(id) !== undisturbed[number % uris.length]) differ++
  }
  const { bodies, counts, taken } = receiver
  const events = [...taken.keys()].filter((path) => path.startsWith("/job/chaos"))
  const wrong = {
    lost: submitted.filter((id) => !jobs.has(id)).length,
    doubled: jobs.size - submitted.length - uris.length,
    "ended twice": await count("(SELECT job_id FROM public.chaos_ends GROUP BY 1 HAVING count(*) > 1) twice"),
    "not succeeded": submitted.filter((id) => jobs.get(id) !== "succeeded").length,
    "held by the dead beyond twice the lease": stuck,
    "results that differ from the undisturbed run": differ,
    "events with two bodies": [...bodies.values()].filter((seen) => seen.size > 1).length,
    "jobs without their event": submitted.length - new Set(events.map((path) => path.split(" ")[0])).size,
    "not verified by both libraries": counts.unverifiable + receiver.untrusted(),
    "starts that failed": service.starts.filter(({ ok }) => !ok).length,
    "left 2 s after the parent's death": service.leftovers.length
  }
  const seconds = service.starts.map((start) => start.seconds).toSorted((a, b) => a - b)
  console.table(killed)
  console.log(
    `${options.kills} kills in ${killing} s over ${submitted.length} jobs, all ended ${settled} s after the last; `
      + `${service.starts.length} starts, ready after ${seconds[seconds.length >> 1]} s in the middle and ${
        seconds.at(-1)
      } s at most; `
      + `${counts.requests} webhook requests`
  )
  if (service.leftovers.length > 0) console.table(Object.groupBy(service.leftovers, (kind) => kind))
  console.table(wrong)
  if (options.write) {
    writeRun({
      title: "Anything of `npm start` is killed",
      command: `npm run chaos -- everything --kills ${options.kills} --jobs ${options.jobs} --seed ${options.seed}`,
      what: `Real jobs run and their webhooks are delivered while one process after the other gets SIGKILL: ${
        Object.entries(killed).map(([kind, n]) => `${kind} ${n}`).join(", ")
      }. A tree is every process at once.`,
      figures: {
        kills: options.kills,
        "seconds of killing": killing,
        jobs: submitted.length,
        "webhook requests": counts.requests,
        "all ended after the last kill (s)": settled,
        starts: service.starts.length,
        "ready after, in the middle (s)": seconds[seconds.length >> 1]!,
        "ready after, at most (s)": seconds.at(-1)!,
        ...wrong
      }
    })
  }
  const left = await service.stop()
  if (left > 0) console.log(`${left} processes had to be killed 30 s after SIGTERM`)
  await books.dispose()
  receiver.close()
  if (left > 0 || Object.values(wrong).some((n) => n !== 0)) {
    console.error(`Something is wrong. Log: ${log}`)
    process.exitCode = 1
  } else await rm(folder, { recursive: true, force: true })
}
