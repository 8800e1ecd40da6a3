import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { openReceiver } from "../chaos/CheckedReceiver.ts"
import { cutClips } from "../chaos/Clips.ts"
import { makeDice } from "../chaos/Dice.ts"
import { writeRun } from "../Reliability.ts"
import { openBooks } from "./Books.ts"
import { makeAnswers, makeCaller } from "./Caller.ts"
import { makeProcessSamples, type Sample } from "./ProcessSamples.ts"
import { openSlowSource } from "./SlowSource.ts"
import { openSoakedService } from "./SoakedService.ts"
import { streamCounts } from "./Streams.ts"
import { makeTenantLoad } from "./TenantLoad.ts"
import { atMost, databaseKibPerJob, deadBound, judge, type Verdict } from "./Verdicts.ts"

export interface SoakOptions {
  readonly minutes: number
  /** Of them, at the beginning: nothing is judged by it. */
  readonly warm_up_minutes: number
  readonly jobs_per_minute: number
  readonly requests_per_second: number
  readonly streams: number
  readonly restart_seconds: number
  readonly seed: number
  readonly json: boolean
  readonly write: boolean
}

const tenants = ["first", "second", "third"]
const sampleSeconds = 5
/** Everything that was begun has to end within this once the load has. */
const drainSeconds = 600
/** OrphanedBlobs go 10 s after a job's end, in rounds of 5 s; connections that nobody uses are closed after 60 s. */
const restSeconds = 75

/**
 * Runs the whole service under the mixed load of three tenants, restarting a part of it all the time, and prints how memory,
 * handles and threads of each process that lived through it went, and what was left behind. Exits with 1 where a bound
 * is broken.
 */
export const soakService = async (options: SoakOptions): Promise<void> => {
  const say = (text: string) => void (options.json || console.log(text))
  const service = await openSoakedService()
  const receiver = await openReceiver(makeDice(options.seed + 1))
  const clips = await cutClips(service.folder)
  const slow = await openSlowSource(clips[0]!)
  const books = openBooks(service.database_url, service.blobs)
  const processes = makeProcessSamples(service.pids)
  const answers = makeAnswers()
  const keys = [service.key, ...await Promise.all(tenants.slice(1).map((name) => service.tenant(name)))]
  const loads = keys.map((key, n) =>
    makeTenantLoad(
      tenants[n]!,
      makeCaller(service.bases, key, answers),
      clips,
      receiver,
      slow,
      options.seed + 10_000 * (n + 1)
    )
  )

  processes.take()
  const looks = setInterval(processes.take, sampleSeconds * 1000)

  const restarts: Record<string, number> = {}
  const restart = async (seed: number, stop: AbortSignal) => {
    const { random } = makeDice(seed)
    for (let turn = 0; !stop.aborted; turn++) {
      await delay(options.restart_seconds * 1000, undefined, { signal: stop }).catch(() => undefined)
      if (stop.aborted) return
      const victim = service.shaken[turn % service.shaken.length]!
      const signal = random() < 0.5 ? "SIGKILL" : "SIGTERM"
      restarts[`${victim.name} ${signal}`] = (restarts[`${victim.name} ${signal}`] ?? 0) + 1
      await victim.kill(signal)
      await victim.ready()
    }
  }

  const sums = () => {
    const sum: Record<string, number> = {}
    for (const { counts } of loads) for (const [name, n] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + n
    return sum
  }
  let phase = "warm-up"
  const telling = setInterval(() => {
    const { cancelled, deleted, failed, submitted, succeeded } = sums()
    say(
      `${
        Math.round(processes.seconds())
      } s, ${phase}: ${submitted} jobs, ${succeeded} succeeded, ${cancelled} cancelled, ${failed} failed, `
        + `${deleted} deleted; ${streamCounts.open} streams, ${streamCounts.events} events; ${receiver.counts.requests} webhooks`
    )
  }, 60_000)

  /** Load for so long, and then nothing, until all that was begun is over. */
  const loaded = async (minutes: number, seed: number) => {
    const stop = new AbortController()
    const share = {
      jobs_per_minute: options.jobs_per_minute / tenants.length,
      requests_per_second: options.requests_per_second / tenants.length,
      streams: Math.round(options.streams / tenants.length)
    }
    const work = [...loads.map((load) => load.run(share, stop.signal)), restart(seed, stop.signal)]
    await delay(minutes * 60_000)
    const until = processes.seconds()
    stop.abort()
    phase += ", ending"
    const over = Promise.all(work)
    const patience = processes.seconds() + drainSeconds
    for (let open = 1; open > 0 && processes.seconds() < patience; await delay(500)) {
      open = await books.openJobs() + await books.openDeliveries() + await books.uncollected()
    }
    await Promise.race([over, delay(10_000)])
    await delay(restSeconds * 1000)
    return until
  }

  await loaded(options.warm_up_minutes, options.seed + 2)
  const idle_from = processes.seconds()
  const before = { kib: await books.database_kib(), jobs: sums()["submitted"]!, tables: await books.tables() }
  phase = "load"
  const load_until = await loaded(options.minutes - options.warm_up_minutes, options.seed + 3)
  const idle_until = processes.seconds()
  clearInterval(telling)
  clearInterval(looks)
  processes.take()

  const verdicts: Array<Verdict> = []
  const lives = processes.lives()
  // The first half minute of a load opens connections and streams.
  const under = ({ seconds }: Sample) => seconds > idle_from + 30 && seconds <= load_until
  for (const life of lives) {
    const first = life.samples.findLast(({ seconds }) => seconds <= idle_from)
    const last = life.samples.at(-1)!
    if (first === undefined || last.seconds < idle_until) continue
    if (life.name.includes("restarted")) continue
    verdicts.push(...judge(life, life.samples.filter(under), [first, last]))
  }
  const judged = new Set(verdicts.map(({ what }) => what.replace(/: [a-z]+$/u, "")))
  for (const name of service.lasting) {
    if (!judged.has(name)) {
      verdicts.push({ what: name, figure: "did not live through it", bound: "lives", holds: false })
    }
  }
  const tables = await books.tables()
  for (const table of tables) {
    const earlier = before.tables.find(({ name }) => name === table.name)
    const rate = (table.changed - (earlier?.changed ?? 0)) / (idle_until - idle_from)
    const verdict = atMost(
      `dead rows of ${table.name}`,
      table.dead,
      Math.ceil(deadBound(table, rate)),
      ` of ${table.live}`
    )
    if (!verdict.holds || table.dead > 200) verdicts.push(verdict)
  }
  const jobs = sums()["submitted"]! - before.jobs
  const kib = await books.database_kib()
  const orphans = await books.orphans()
  const { bodies, counts } = receiver
  const unexpected = [...answers.unexpected]
  verdicts.push(
    atMost("database, KiB per job", Math.round((kib - before.kib) / Math.max(1, jobs)), databaseKibPerJob),
    atMost("jobs not over", await books.openJobs(), 0),
    atMost("jobs failed", sums()["failed"]!, 0),
    atMost("deliveries not over", await books.openDeliveries(), 0),
    atMost("deliveries failed", await books.failedDeliveries(), 0),
    atMost("events with two bodies", [...bodies.values()].filter((seen) => seen.size > 1).length, 0),
    atMost("webhooks not verified by both libraries", counts.unverifiable, 0),
    atMost("answers that nobody expects", unexpected.reduce((sum, [, n]) => sum + n, 0), 0),
    atMost("orphan processes", processes.orphans().length, 0),
    atMost("blobs that no row refers to", orphans.of_jobs.length, 0, ` of ${orphans.all}`)
  )
  const killed = Object.entries(restarts).filter(([name]) => name.endsWith("SIGKILL")).reduce((n, [, k]) => n + k, 0)
  verdicts.push(
    // Each SIGKILL may cut the writes of an upload or of a stage; they go after 12 and 48 hours.
    atMost("unfinished writes of killed processes", orphans.unfinished.length + orphans.uploads.length, killed * 8)
  )
  const sessions = await books.sessions()
  await books.close()
  await service.stop()
  receiver.close()
  slow.close()
  await delay(2000)
  verdicts.push(atMost("processes left after the stop", processes.left().length, 0))
  const folders = (await readdir(service.temporary)).filter((name) => name.startsWith("footnote-media-"))
  verdicts.push(atMost("working folders of decoders left", folders.length, 0))

  const bad = verdicts.filter(({ holds }) => !holds)
  const report = {
    seed: options.seed,
    minutes: Math.round(processes.seconds() / 6) / 10,
    measured_minutes: Math.round((load_until - idle_from) / 6) / 10,
    ...sums(),
    streams: { opened: streamCounts.opened, ended: streamCounts.ended, events: streamCounts.events },
    webhooks: counts,
    restarts,
    sessions,
    answers: Object.fromEntries([...answers.counts].toSorted()),
    unexpected: Object.fromEntries(unexpected),
    failures: loads.flatMap(({ failures }) => failures),
    orphans: { processes: processes.orphans(), blobs: orphans.of_jobs.slice(0, 20) },
    largest_tables: tables.slice(0, 8),
    verdicts
  }
  if (options.json) console.log(JSON.stringify(report, undefined, 2))
  else {
    const { largest_tables, verdicts: _, ...figures } = report
    console.dir(figures, { depth: null, maxArrayLength: 40 })
    console.table(largest_tables)
    for (const { bound, figure, holds, what } of verdicts) {
      console.log(`${holds ? "holds " : "BROKEN"} ${what.padEnd(44)} ${figure} (bound: ${bound})`)
    }
  }
  if (options.write) {
    const { deleted, submitted, succeeded } = sums()
    writeRun({
      title: "An hour of mixed load",
      command: `npm run soak -- service --minutes ${options.minutes} --seed ${options.seed}`,
      what:
        `${tenants.length} tenants submit, upload, cancel, delete and read beside ${options.streams} event streams while parts of the `
        + "service are stopped or killed and start again. Each bound is one of memory, handles and threads of a process, of dead rows, or of what may be "
        + "left over; the last rows are those that are broken.",
      figures: {
        "minutes with the warm-up": report.minutes,
        jobs: submitted!,
        "succeeded, deleted": `${succeeded}, ${deleted}`,
        "streams opened, events": `${streamCounts.opened}, ${streamCounts.events}`,
        "parts that were stopped or killed": Object.values(restarts).reduce((sum, times) => sum + times, 0),
        "bounds, broken": `${verdicts.length}, ${bad.length}`,
        ...Object.fromEntries(bad.map(({ bound, figure, what }) => [what, `${figure} (bound: ${bound})`]))
      }
    })
  }
  if (bad.length > 0) {
    console.error(`${bad.length} bounds are broken. Log: ${join(service.folder, "service.log")}`)
    process.exitCode = 1
  } else await service.remove()
}
