import { Effect } from "effect"
import { fork } from "node:child_process"
import { mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { openBalancer } from "./drain/Balancer.ts"
import { startLoad } from "./drain/Load.ts"
import { openDatabase, stop } from "./ServiceProcesses.ts"

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface DrainReport {
  readonly stops: number
  readonly requests: number
  readonly failures: ReadonlyArray<string>
  /** Exit codes that were not 0. */
  readonly badExits: ReadonlyArray<string>
  readonly jobs: number
  /** Jobs that were answered with 201 and then not there, or not cancelled although that was answered. */
  readonly lost: number
  readonly slowestStopSeconds: number
}

/** Stops one of two API processes by SIGTERM and starts it again, in turn, `stops` times, while clients ask without pause. */
export const stopUnderLoad = async (stops: number, clients: number): Promise<DrainReport> => {
  const data = mkdtempSync(join(tmpdir(), "footnote-drain-"))
  const database = await openDatabase(join(data, "postgres"))
  const key = mintSecret()
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    FOOTNOTE_DATA: data,
    FOOTNOTE_API_KEY: key,
    LOG_FORMAT: "json",
    LOG_LEVEL: "Warn",
    RATE_LIMIT_READS: "0",
    RATE_LIMIT_WRITES: "0",
    RATE_LIMIT_PROCESSOR_MS: "0"
  }
  const log = openSync(join(data, "log"), "a")
  const start = async (entry: string, args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) => {
    const child = fork(file(entry), args, {
      execArgv: [],
      env: { ...env, ...more },
      stdio: ["ignore", log, log, "ipc"]
    })
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve())
      child.once("exit", (code) => reject(new Error(`${entry} ended with ${code}`)))
    })
    return child
  }
  const ports = [await Effect.runPromise(freePort), await Effect.runPromise(freePort)]
  const startApi = (at: number) => start("../src/main.ts", [], { PORT: String(ports[at]) })
  const apis = [await startApi(0), await startApi(1)]
  const worker = await start("../test/support/noop-worker.ts", [JSON.stringify({ block: "fetch" })])
  const balancer = await openBalancer(ports)
  await balancer.ready()
  const origin = `http://127.0.0.1:${balancer.port}`
  const load = startLoad(origin, key, clients)
  const badExits: Array<string> = []
  let slowest = 0
  for (let done = 0; done < stops; done++) {
    const at = done % 2
    const started = performance.now()
    const code = await stop(apis[at]!)
    slowest = Math.max(slowest, performance.now() - started)
    if (code !== "0") badExits.push(code)
    apis[at] = await startApi(at)
    await balancer.ready()
  }
  await load.stop()
  const { cancelled, failures, jobs, requests } = load.counted
  let lost = jobs.length - cancelled.length
  for (const id of cancelled) {
    const answer = await fetch(`${origin}/v1/jobs/${id}`, { headers: { authorization: `Bearer ${key}` } })
    const { status } = (await answer.json()) as { readonly status: string }
    if (status !== "cancelled") lost++
  }
  await balancer.close()
  await Promise.all([...apis, worker].map(stop))
  await database.stop()
  rmSync(data, { recursive: true, force: true })
  return {
    stops,
    requests,
    failures: [...failures, ...balancer.troubles],
    badExits,
    jobs: jobs.length,
    lost,
    slowestStopSeconds: slowest / 1000
  }
}

/** `--stops=N` (100): how many requests fail while API processes behind a balancer are stopped and started under load. */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const stops = Number(args.find((arg) => arg.startsWith("--stops="))?.split("=")[1] ?? 100)
  const report = await stopUnderLoad(stops, 12)
  console.log(
    `${report.stops} stops of one of two API processes, 12 clients: ${report.requests} requests, ${report.failures.length} failed, `
      + `${report.badExits.length} exits other than 0, slowest stop ${report.slowestStopSeconds.toFixed(1)} s`
  )
  console.log(`${report.jobs} jobs created and cancelled, ${report.lost} of them lost`)
  for (const failure of report.failures.slice(0, 10)) console.log(`  ${failure}`)
}
