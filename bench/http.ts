import autocannon from "autocannon"
import { Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { openDatabase } from "./ServiceProcesses.ts"

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

interface Measured {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Processor time of the server per request: what it costs whatever else the machine does. */
  readonly cpu_ms: number
  readonly other: number
}

/** User and system time of a process so far, in ticks of 10 ms (Linux). */
const processorMillis = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The best of three looks of three seconds by 16 connections: the machine's other work can only make it slower. */
const measure = async (
  server: ChildProcess,
  url: string,
  headers: Readonly<Record<string, string>>
): Promise<Measured> => {
  const looks: Array<Measured> = []
  for (let look = 0; look < 3; look++) {
    const before = processorMillis(server.pid!)
    const { latency, non2xx, requests } = await autocannon({
      url,
      headers: { ...headers },
      connections: 16,
      duration: 3
    })
    looks.push({
      per_second: requests.average,
      p50_ms: latency.p50,
      p99_ms: latency.p99,
      cpu_ms: (processorMillis(server.pid!) - before) / requests.total,
      other: non2xx
    })
  }
  return looks.toSorted((a, b) => b.per_second - a.per_second)[0]!
}

const started = (child: ChildProcess) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    child.once("message", (said) => resolve(said as Record<string, unknown>))
    child.once("exit", (code) => reject(new Error(`A server ended with ${code}`)))
  })

const gone = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGTERM")
  })

/** What a request of our API costs beside one of a bare Effect route in the same run, and what counting requests costs. */
export const run = async (): Promise<void> => {
  const data = mkdtempSync(join(tmpdir(), "footnote-http-"))
  const database = await openDatabase(join(data, "postgres"))
  const log = openSync(join(data, "log"), "a")
  const key = mintSecret()
  const api = async (limit: string) => {
    const port = await Effect.runPromise(freePort)
    const child = fork(file("../src/main.ts"), [], {
      execArgv: [],
      stdio: ["ignore", log, log, "ipc"],
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        FOOTNOTE_DATA: data,
        FOOTNOTE_API_KEY: key,
        PORT: String(port),
        LOG_FORMAT: "json",
        RATE_LIMIT_READS: limit
      }
    })
    await started(child)
    return { child, origin: `http://127.0.0.1:${port}` }
  }
  const bareChild = fork(fileURLToPath(new URL("./http/bare-server.ts", import.meta.url)), [], {
    execArgv: [],
    stdio: ["ignore", log, log, "ipc"]
  })
  const { address } = await started(bareChild)
  // As many as there can be, so that every request is counted and none refused.
  const [counting, uncounted] = [await api("1000000"), await api("0")]
  const authorization = { authorization: `Bearer ${key}` }
  const made = await fetch(`${counting.origin}/v1/jobs`, {
    method: "POST",
    headers: { ...authorization, "content-type": "application/json" },
    body: JSON.stringify({ source_uri: "https://example.com/talk.mp4" })
  })
  const { id } = (await made.json()) as { readonly id: string }
  const bare = await measure(bareChild, `${String(address)}/bare`, {})
  const rows: ReadonlyArray<readonly [string, Measured]> = [
    ["bare Effect route", bare],
    ["GET /healthz", await measure(counting.child, `${counting.origin}/healthz`, {})],
    ["GET /v1/jobs/{id}, no limit", await measure(uncounted.child, `${uncounted.origin}/v1/jobs/${id}`, authorization)],
    ["GET /v1/jobs/{id}, counted", await measure(counting.child, `${counting.origin}/v1/jobs/${id}`, authorization)],
    [
      "GET /v1/jobs?limit=25, counted",
      await measure(counting.child, `${counting.origin}/v1/jobs?limit=25`, authorization)
    ],
    ["GET /v1/jobs, no key (401)", await measure(counting.child, `${counting.origin}/v1/jobs`, {})]
  ]
  console.log("best of 3 × 3 s, 16 connections; the last column is the throughput beside the bare route")
  for (const [name, { cpu_ms, other, p50_ms, p99_ms, per_second }] of rows) {
    console.log(
      `${name.padEnd(32)} ${per_second.toFixed(0).padStart(7)} /s  p50 ${p50_ms.toFixed(1).padStart(6)} ms  p99 ${
        p99_ms.toFixed(1).padStart(6)
      } ms  ${cpu_ms.toFixed(3)} ms CPU  ${(per_second / bare.per_second).toFixed(3)}${
        other > 0 ? `  (${other} not 2xx)` : ""
      }`
    )
  }
  await Promise.all([bareChild, counting.child, uncounted.child].map(gone))
  await database.stop()
  rmSync(data, { recursive: true, force: true })
}
