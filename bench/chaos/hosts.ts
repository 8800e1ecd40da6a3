import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { advisoryLocks } from "../../src/database/AdvisoryLocks.ts"
import { writeRun } from "../Reliability.ts"
import { openReceiver } from "./CheckedReceiver.ts"
import { cutClips } from "./Clips.ts"
import { makeDice } from "./Dice.ts"
import { type HostNetwork, hostNetwork, whyNoHosts } from "./hosts/HostNetwork.ts"
import { apis, hostNames, openHosts, workers } from "./hosts/HostService.ts"
import { longPartitions, type Partition, partitionAt } from "./hosts/Partitions.ts"

interface Options {
  readonly jobs: number
  readonly partitions: number
  /** Of one partition, at least and at most. */
  readonly least_seconds: number
  readonly seconds: number
  /** Of the last ones, in which every kind comes once more; none with 0. */
  readonly long_seconds: number
  readonly seed: number
  /** Whether jobs are of uploaded footage, with decoders and models, instead of imagined stages. */
  readonly real: boolean
  /** Whether docs/reliability.md is to tell of it. */
  readonly write: boolean
}

/** The API's own time for what creates (60 s), and what a loaded machine needs to say so. */
const mostSeconds = 65
/** Twice the lease, after the last healing. */
const stuckSeconds = 20
/** Until all jobs have ended and all events have come after the last healing, at most: an hour, on a machine that has other things to do. */
const settleSeconds = 3600

/** Set for the part of this command that is run on the receiver's host. */
const inside = "FOOTNOTE_CHAOS_HOSTS"

/**
 * Parts hosts and lets them come together again while jobs run, and then checks the books. Exits with 1 where a job was lost, came twice,
 * ended twice or did not succeed, an event had two bodies or never came, a request was held beyond its deadline, or a task was held
 * longer than twice the lease after the last healing.
 */
export const partHosts = async (options: Options): Promise<void> => {
  const why = whyNoHosts()
  if (why !== undefined) return console.log(`Skipped: ${why}.`)
  const given = process.env[inside]
  if (given !== undefined) return await part(hostNetwork(given, hostNames), options)
  const prefix = `footnote-${process.pid}`
  const network = hostNetwork(prefix, hostNames)
  try {
    network.create()
    const child = spawn("ip", network.on("receiver", process.execPath, ...process.argv.slice(1)), {
      env: { ...process.env, [inside]: prefix },
      stdio: "inherit"
    })
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill("SIGTERM"))
    process.exitCode = await new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)))
  } finally {
    network.close()
  }
}

const begin = (network: HostNetwork, { cuts, slow }: Partition) => {
  for (const [from, to] of cuts) network.cut(from, to)
  for (const host of slow) network.slow(host)
}
const end = (network: HostNetwork, { cuts, slow }: Partition) => {
  for (const [from, to] of cuts) network.heal(from, to)
  for (const host of slow) network.hurry(host)
}

const part = async (network: HostNetwork, options: Options) => {
  const { jobs, least_seconds, long_seconds, partitions, real, seconds, seed, write } = options
  const dice = makeDice(seed)
  const folder = await mkdtemp(join(tmpdir(), "footnote-hosts-"))
  const receiver = await openReceiver(makeDice(seed + 1), network.addressOf("receiver"))
  const hosts = await openHosts(network, folder, real)
  process.once("SIGTERM", () => void hosts.close().finally(() => process.exit(1)))
  const books = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(hosts.books), maxConnections: 2 }))
  const query = <A extends object>(text: string): Promise<ReadonlyArray<A>> =>
    books.runPromise(Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<A>(text)))
  const count = async (text: string) =>
    (await query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM ${text}`))[0]!.n
  await query("UPDATE footnote.tenants SET max_active = 10000, max_running = 1000")
  await query("CREATE TABLE public.chaos_ends (job_id text)")
  await query(`CREATE FUNCTION public.chaos_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO public.chaos_ends VALUES (NEW.id); RETURN NEW; END $$`)
  await query(`CREATE TRIGGER chaos_end AFTER UPDATE ON footnote.jobs FOR EACH ROW
      WHEN (NEW.status IN ('succeeded', 'failed', 'cancelled') AND OLD.status IS DISTINCT FROM NEW.status)
      EXECUTE FUNCTION public.chaos_end()`)

  const uris: Array<string> = []
  for (const body of real ? await cutClips(folder) : []) {
    const answer = await fetch(`${hosts.origins[0]}/v1/uploads`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${hosts.key}`, "content-type": "video/mp4" }
    })
    uris.push((await answer.json() as { readonly uri: string }).uri)
  }
  const sourceOf = (number: number) => real ? uris[number % uris.length] : "https://example.com/?chunks=1&images=1"

  let slowest = 0
  let heldTooLong = 0
  let requests = 0
  /** Asks one API and then the other until there is an answer. */
  const submit = async (number: number) => {
    const path = `/job/${number}`
    for (let turn = number;; turn++) {
      const began = performance.now()
      requests++
      const answer = await fetch(`${hosts.origins[turn % hosts.origins.length]}/v1/jobs`, {
        method: "POST",
        body: JSON.stringify({ source_uri: sourceOf(number), webhook_url: receiver.url(path) }),
        headers: {
          authorization: `Bearer ${hosts.key}`,
          "content-type": "application/json",
          "idempotency-key": `chaos ${number}`
        },
        signal: AbortSignal.timeout(120_000)
      }).then(async (response) => ({ status: response.status, json: (await response.json()) as any }), () => undefined)
      const taken = (performance.now() - began) / 1000
      slowest = Math.max(slowest, taken)
      if (taken > mostSeconds) heldTooLong++
      if (answer?.json.id !== undefined) {
        receiver.trust(path, answer.json.webhook_signing_secret)
        return answer.json.id as string
      }
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        throw new Error(`A submission was refused: ${JSON.stringify(answer.json)}`)
      }
      await delay(200)
    }
  }

  const began = performance.now()
  const submissions: Array<Promise<string>> = []
  const kinds: Record<string, number> = {}
  const hosted = { apis, workers }
  const turns = [
    ...Array.from({ length: partitions }, (_, turn) => ({
      parted: [partitionAt(turn, hosted, dice)],
      lasts: dice.between(least_seconds, seconds)
    })),
    ...(long_seconds === 0 ? [] : longPartitions(hosted)).map((parted) => ({ parted, lasts: long_seconds }))
  ]
  for (const [turn, { lasts, parted }] of turns.entries()) {
    const due = Math.ceil(((turn + 1) * jobs) / turns.length)
    for (const { kind } of parted) kinds[kind] = (kinds[kind] ?? 0) + 1
    const some = Math.ceil((due - submissions.length) / 2)
    for (let at = 0; at < some; at++) submissions.push(submit(submissions.length))
    for (const one of parted) begin(network, one)
    const between = (lasts * 1000) / (due - submissions.length + 1)
    for (; submissions.length < due; await delay(between)) submissions.push(submit(submissions.length))
    await delay(between)
    for (const one of parted) end(network, one)
    console.log(
      `${Math.round((performance.now() - began) / 1000)} s: ${parted.map(({ kind }) => kind).join("; ")} for ${
        Math.round(lasts)
      } s; ${await count("public.chaos_ends")} of ${submissions.length} jobs have ended`
    )
    await delay(dice.between(500, 2000))
  }
  const healed = performance.now()
  const parted = Math.round((healed - began) / 1000)
  const ids = await Promise.all(submissions)
  // Held by a worker without the lock by which it is known to live, and since when each is seen so.
  const held = `SELECT t.id || ' ' || t.attempt AS id FROM footnote.tasks t
    WHERE t.worker IS NOT NULL AND NOT t.done AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted
      AND l.classid = ${advisoryLocks.worker} AND l.objid = t.worker::oid)`
  const seen = new Map<string, number>()
  const stuck = new Set<string>()
  const look = async () => {
    const ids = new Set((await query<{ readonly id: string }>(held)).map(({ id }) => id))
    const now = performance.now()
    for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id)
    for (const id of ids) {
      if (!seen.has(id)) seen.set(id, now)
      else if (now - seen.get(id)! > stuckSeconds * 1000) stuck.add(id)
    }
  }
  const open = `(SELECT 1 FROM footnote.jobs WHERE status IN ('queued', 'running')
    UNION ALL SELECT 1 FROM footnote.deliveries WHERE finished_at IS NULL) open`
  for (let left = 1; left > 0 && performance.now() - healed < settleSeconds * 1000;) {
    await delay(500)
    left = await count(open)
    await look()
  }
  const settled = Math.round((performance.now() - healed) / 1000)
  const rows = await query<{ readonly id: string; readonly status: string }>("SELECT id, status FROM footnote.jobs")
  const known = new Map(rows.map(({ id, status }) => [id, status]))
  const wrong = {
    lost: ids.filter((id) => !known.has(id)).length,
    doubled: rows.length - new Set(ids).size,
    "ended twice": await count("(SELECT job_id FROM public.chaos_ends GROUP BY 1 HAVING count(*) > 1) twice"),
    "not succeeded": ids.filter((id) => known.get(id) !== "succeeded").length,
    "delivery ids with two bodies": [...receiver.bodies.values()].filter((seen) => seen.size > 1).length,
    "jobs without their event": ids.length
      - new Set([...receiver.taken.keys()].map((path) => path.split(" ")[0])).size,
    "not verified by both libraries": receiver.counts.unverifiable + receiver.untrusted(),
    "stuck longer than twice the lease": stuck.size,
    "requests held beyond their deadline": heldTooLong
  }
  console.table(kinds)
  console.log(
    `${
      Object.values(kinds).reduce((sum, n) => sum + n, 0)
    } partitions in ${parted} s over ${ids.length} jobs (seed ${seed}), all ended ${settled} s after the last healing; `
      + `${requests} submissions, the slowest ${slowest.toFixed(1)} s; ${receiver.counts.requests} webhook requests; `
      + `${hosts.restarts()} processes started again`
  )
  console.table(wrong)
  if (write) {
    writeRun({
      title: real ? "Hosts that part while real jobs run" : "Hosts that part and come together",
      command: `npm run chaos -- hosts --jobs ${jobs} --partitions ${partitions} --least-seconds ${least_seconds} `
        + `--seconds ${seconds} --long-seconds ${long_seconds} --seed ${seed}${real ? " --real" : ""}`,
      what:
        `PostgreSQL, S3, two APIs, four workers of ${
          real ? "all stages" : "imagined stages"
        }, one of real deliveries and a receiver are hosts of their own. What one sends `
        + "another is lost for a while, without a word to either: " + Object.keys(kinds).join("; ") + ".",
      figures: {
        jobs: ids.length,
        partitions: Object.values(kinds).reduce((sum, n) => sum + n, 0),
        "seconds of one": `${least_seconds} to ${seconds}`,
        "seconds of one of every kind": long_seconds,
        "webhook requests": receiver.counts.requests,
        "slowest submission (s)": slowest.toFixed(1),
        "all ended after the last healing (s)": settled,
        "processes that ended and were started again": hosts.restarts(),
        ...wrong
      }
    })
  }
  await books.dispose()
  await hosts.close()
  receiver.close()
  if (Object.values(wrong).some((n) => n !== 0)) {
    console.error(`Something is wrong. Logs: ${folder}`)
    process.exitCode = 1
  } else await rm(folder, { recursive: true, force: true })
}
