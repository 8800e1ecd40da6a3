import { Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { openBalancer } from "./drain/Balancer.ts"
import { writeRun } from "./Reliability.ts"
import { openDatabase, stop } from "./ServiceProcesses.ts"
import { startTraffic } from "./upgrade/JobTraffic.ts"
import { lastRelease, takeOutRelease, whyNoRelease } from "./upgrade/LastRelease.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

export interface UpgradeReport {
  readonly requests: number
  readonly failures: ReadonlyArray<string>
  /** Exit codes that were not 0. */
  readonly badExits: ReadonlyArray<string>
  readonly jobs: number
  /** Jobs that were answered with 201 and not seen to succeed. */
  readonly lost: number
  /** Jobs that ended while the schema was this version's and the only worker the last release's. */
  readonly byOldWorker: number
}

/**
 * A deployment of the last release, two APIs behind a balancer and a worker, is replaced process by process by this version while
 * clients ask without pause: the first new API migrates under the old ones, the old worker works on through it, and a new one
 * takes over. `each` is how many jobs end between two steps.
 */
export const upgradeUnderLoad = async (clients: number, each: number): Promise<UpgradeReport> => {
  const data = mkdtempSync(join(tmpdir(), "footnote-upgrade-"))
  const release = join(data, "release")
  takeOutRelease(release)
  const database = await openDatabase(join(data, "postgres"))
  const key = mintSecret()
  const log = openSync(join(data, "log"), "a")
  const start = async (entry: string, args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) => {
    const child = fork(entry, args, {
      execArgv: [],
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        FOOTNOTE_DATA: data,
        FOOTNOTE_API_KEY: key,
        LOG_FORMAT: "json",
        LOG_LEVEL: "Warn",
        RATE_LIMIT_READS: "0",
        RATE_LIMIT_WRITES: "0",
        RATE_LIMIT_PROCESSOR_MS: "0",
        ...more
      },
      stdio: ["ignore", log, log, "ipc"]
    })
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve())
      child.once("exit", (code) => reject(new Error(`${entry} ended with ${code}`)))
    })
    return child
  }
  const ports = [await Effect.runPromise(freePort), await Effect.runPromise(freePort)]
  const api = (code: string, at: number) => start(join(code, "src/main.ts"), [], { PORT: String(ports[at]) })
  const worker = (code: string) =>
    start(join(code, "test/support/noop-worker.ts"), [JSON.stringify({ at_least: 5, at_most: 20 })])

  const apis = [await api(release, 0), await api(release, 1)]
  const oldWorker = await worker(release)
  const balancer = await openBalancer(ports)
  await balancer.ready()
  const traffic = startTraffic(`http://127.0.0.1:${balancer.port}`, key, clients)
  const badExits: Array<string> = []
  const end = async (child: ChildProcess) => {
    const code = await stop(child)
    if (code !== "0") badExits.push(code)
  }
  await traffic.more(each)
  let byOldWorker = 0
  for (const at of [0, 1]) {
    await end(apis[at]!)
    apis[at] = await api(root, at)
    await balancer.ready()
    const before = traffic.counted.succeeded.length
    await traffic.more(each)
    byOldWorker += traffic.counted.succeeded.length - before
  }
  const newWorker = await worker(root)
  await end(oldWorker)
  await traffic.more(each)
  await traffic.stop()

  const { failures, jobs, requests, succeeded } = traffic.counted
  await balancer.close()
  for (const child of [...apis, newWorker]) await end(child)
  await database.stop()
  rmSync(data, { recursive: true, force: true })
  return {
    requests,
    failures: [...failures, ...balancer.troubles],
    badExits,
    jobs: jobs.length,
    lost: jobs.length - succeeded.length,
    byOldWorker
  }
}

/** `--each=N` (50): how many requests fail and how many jobs are lost while the last release is replaced by this version under load. */
export const run = async (args: ReadonlyArray<string>): Promise<UpgradeReport | undefined> => {
  const why = whyNoRelease()
  if (why !== undefined) {
    console.log(`Skipped: ${why}.`)
    return undefined
  }
  const each = Number(args.find((arg) => arg.startsWith("--each="))?.split("=")[1] ?? 50)
  const report = await upgradeUnderLoad(8, each)
  console.log(
    `${lastRelease.version} replaced process by process, 8 clients: ${report.requests} requests, ${report.failures.length} failed; `
      + `${report.jobs} jobs, ${report.lost} lost; ${report.byOldWorker} jobs by a worker of ${lastRelease.version} on this version's schema; `
      + `${report.badExits.length} exits other than 0`
  )
  for (const failure of report.failures.slice(0, 10)) console.log(`  ${failure}`)
  if (args.includes("--write")) {
    writeRun({
      title: "The upgrade from the last release",
      command: `npm run bench -- upgrade --each=${each}`,
      what:
        `Two APIs of ${lastRelease.version} behind a balancer and a worker of it are replaced by this version, process by process, while 8 clients `
        + "create jobs, list them and follow them to their end. The new schema is there while the worker is still the old one.",
      figures: {
        requests: report.requests,
        "requests that failed": report.failures.length,
        jobs: report.jobs,
        "jobs lost": report.lost,
        [`jobs by a worker of ${lastRelease.version} on this version's schema`]: report.byOldWorker,
        "exits other than 0": report.badExits.length
      }
    })
  }
  return report
}
