import { Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { type Look, lookInTurn, type Target } from "./http/Load.ts"
import { pipelineParts } from "./http/PipelineParts.ts"
import { openDatabase } from "./ServiceProcesses.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

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

const figures = ({ cpu_ms, other, p50_ms, p99_ms, per_second }: Look): string =>
  `${cpu_ms.toFixed(3)} ms CPU  ${per_second.toFixed(0).padStart(6)} /s  p50 ${p50_ms.toFixed(1).padStart(5)} ms  p99 ${
    p99_ms.toFixed(1).padStart(6)
  } ms${other > 0 ? `  (${other} not 2xx)` : ""}`

interface Api {
  readonly child: ChildProcess
  readonly origin: string
}

/**
 * What a request of our API costs in processor time beside one of a bare Effect route in the same run, and what each part of
 * the pipeline around every request adds. `--against=FOLDER` measures another checkout beside this one, `--jobs=N` (25) is how
 * many jobs are listed.
 */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  const data = mkdtempSync(join(tmpdir(), "footnote-http-"))
  const log = openSync(join(data, "log"), "a")
  const key = mintSecret()
  const children: Array<ChildProcess> = []
  const serve = async (entry: string, words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
    const child = fork(entry, words, {
      execArgv: [],
      stdio: ["ignore", log, log, "ipc"],
      env: { ...process.env, LOG_FORMAT: "json", ...env }
    })
    children.push(child)
    return { child, said: await started(child) }
  }
  const bare = async (entry: URL, words: ReadonlyArray<string> = []): Promise<Target> => {
    const { child, said } = await serve(fileURLToPath(entry), words)
    return { server: child, url: `${String(said["address"])}/bare` }
  }
  const databases: Array<Awaited<ReturnType<typeof openDatabase>>> = []
  /** An API of a checkout with a limit on reads, or none, and what it is asked. */
  const rowsOf = async (checkout: string): Promise<ReadonlyArray<readonly [string, Target]>> => {
    const folder = mkdtempSync(join(data, "api-"))
    const database = await openDatabase(join(folder, "postgres"))
    databases.push(database)
    const api = async (limit: string): Promise<Api> => {
      const port = await Effect.runPromise(freePort)
      const { child } = await serve(join(checkout, "src/main.ts"), [], {
        DATABASE_URL: database.url,
        FOOTNOTE_DATA: folder,
        FOOTNOTE_API_KEY: key,
        PORT: String(port),
        RATE_LIMIT_READS: limit
      })
      return { child, origin: `http://127.0.0.1:${port}` }
    }
    // As many as there can be, so that every request is counted and none refused.
    const [counting, uncounted] = [await api("1000000"), await api("0")]
    const headers = { authorization: `Bearer ${key}` }
    let id = ""
    for (let made = 0; made < Number(option("jobs") ?? 25); made++) {
      const answer = await fetch(`${counting.origin}/v1/jobs`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ source_uri: "https://example.com/talk.mp4" })
      })
      id = ((await answer.json()) as { readonly id: string }).id
    }
    const ask = ({ child, origin }: Api, path: string, signed = true): Target => ({
      server: child,
      url: `${origin}${path}`,
      ...(signed ? { headers } : {})
    })
    return [
      ["GET /healthz", ask(counting, "/healthz", false)],
      ["GET /v1/jobs, no key (401)", ask(counting, "/v1/jobs", false)],
      ["GET /v1/jobs/none (404)", ask(counting, "/v1/jobs/none")],
      ["GET /v1/jobs/{id}, no limit", ask(uncounted, `/v1/jobs/${id}`)],
      ["GET /v1/jobs/{id}, counted", ask(counting, `/v1/jobs/${id}`)],
      ["GET /v1/jobs?limit=25, counted", ask(counting, "/v1/jobs?limit=25")]
    ]
  }
  const against = option("against")
  const rows: ReadonlyArray<readonly [string, Target]> = [
    ["bare Effect route", await bare(new URL("./http/bare-server.ts", import.meta.url))],
    ...await rowsOf(root),
    ...(against === undefined
      ? []
      : (await rowsOf(resolve(against))).map(([name, target]) => [`${name}, ${against}`, target] as const))
  ]
  const looks = await lookInTurn(rows.map(([, target]) => target), 8, 1)
  const width = Math.max(...rows.map(([name]) => name.length))
  console.log(
    "8 looks of 1 s in turn, 16 connections; the last column is the bare route's processor time over this one's"
  )
  for (const [at, [name]] of rows.entries()) {
    console.log(`${name.padEnd(width)}  ${figures(looks[at]!)}  ${(looks[0]!.cpu_ms / looks[at]!.cpu_ms).toFixed(3)}`)
  }

  const pipeline = new URL("./http/pipeline-server.ts", import.meta.url)
  const steps: Array<Target> = []
  for (let parts = 0; parts <= pipelineParts.length; parts++) steps.push(await bare(pipeline, [String(parts)]))
  const costs = (await lookInTurn([rows[0]![1], ...steps], 4, 1)).map(({ cpu_ms }) => cpu_ms)
  console.log("\nprocessor time that each part adds to a bare route (ms per request)")
  for (const [at, part] of ["guards of the server's sockets", ...pipelineParts].entries()) {
    console.log(`${part.padEnd(width)}  ${(costs[at + 1]! - costs[at]!).toFixed(3)}`)
  }
  const whole = looks[1]!.cpu_ms
  console.log(`${"the API's router and encoding (GET /healthz)".padEnd(width)}  ${(whole - costs.at(-1)!).toFixed(3)}`)
  console.log(`${"key, session, limits (404 of a job)".padEnd(width)}  ${(looks[3]!.cpu_ms - whole).toFixed(3)}`)
  console.log(`${"the job's own read".padEnd(width)}  ${(looks[5]!.cpu_ms - looks[3]!.cpu_ms).toFixed(3)}`)

  await Promise.all(children.map(gone))
  for (const database of databases) await database.stop()
  rmSync(data, { recursive: true, force: true })
}
