import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { openDatabase } from "./ServiceProcesses.ts"

const seconds = 10
const width = 64
const goodKeys = 40

const percentile = (answers: ReadonlyArray<{ readonly ms: number }>, share: number): string =>
  (answers.map(({ ms }) => ms).toSorted((one, other) => one - other)[Math.floor(answers.length * share)] ?? Number.NaN)
    .toFixed(1)

/** Transactions that have been committed so far; to look keys up is one. */
const transactions = (url: string): Promise<number> =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{ readonly count: number }>`SELECT sum(xact_commit)::int AS count FROM pg_stat_database`
    return row!.count
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })),
    Effect.runPromise
  )

/**
 * Wrong keys that are formed like good ones from one address, 64 at a time for 10 s at a real API process, and beside them
 * good ones from the same address, each for the first time: what the flood costs the database, and whether anybody is shut out.
 */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-sign-ins-"))
  const database = await openDatabase(join(folder, "postgres"))
  const key = mintSecret()
  const port = await Effect.runPromise(freePort)
  const api = fork(fileURLToPath(new URL("../src/main.ts", import.meta.url)), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      FOOTNOTE_DATA: folder,
      FOOTNOTE_API_KEY: key,
      PORT: String(port),
      RATE_LIMIT_READS: "0",
      RATE_LIMIT_WRITES: "0"
    }
  })
  const ended = new Promise<void>((resolve) => api.once("exit", () => resolve()))
  const agent = new Agent({ keepAlive: true, maxSockets: width + 4 })
  const ask = (bearer: string): Promise<{ readonly status: number; readonly ms: number }> =>
    new Promise((resolve, reject) => {
      const started = performance.now()
      request({ port, host: "127.0.0.1", path: "/v1/limits", agent, headers: { authorization: `Bearer ${bearer}` } })
        .on("response", (response) => {
          response.resume()
          response.on("end", () => resolve({ status: response.statusCode!, ms: performance.now() - started }))
        })
        .on("error", reject)
        .end()
    })
  const make = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "bench" })
    })
    return (await response.json() as { readonly secret: string }).secret
  }
  try {
    await new Promise<void>((resolve, reject) => {
      api.once("message", () => resolve())
      api.once("exit", (code) => reject(new Error(`The API ended with ${code}`)))
    })
    const keys: Array<string> = []
    for (let made = 0; made < goodKeys * 2; made++) keys.push(await make())
    const calm = []
    for (const one of keys.slice(0, goodKeys)) calm.push(await ask(one))
    const before = await transactions(database.url)
    const until = performance.now() + seconds * 1000
    const refused = new Map<number, number>()
    const lanes = Array.from({ length: width }, async () => {
      while (performance.now() < until) {
        const { status } = await ask(mintSecret())
        refused.set(status, (refused.get(status) ?? 0) + 1)
      }
    })
    const beside = []
    for (const one of keys.slice(goodKeys)) {
      await new Promise((resolve) => setTimeout(resolve, (seconds * 900) / goodKeys))
      beside.push(await ask(one))
    }
    await Promise.all(lanes)
    const spent = (await transactions(database.url)) - before
    const sent = [...refused.values()].reduce((sum, count) => sum + count, 0)
    console.log(
      `${(sent / seconds).toFixed(0)} wrong keys a second from one address, ${width} at a time, for ${seconds} s`
    )
    for (const [status, count] of refused) console.log(`  ${status} ${count}`)
    console.log(`transactions of the whole database: ${(spent / seconds).toFixed(1)} a second`)
    for (const [title, answers] of [["calm", calm], ["beside the flood", beside]] as const) {
      const good = answers.filter(({ status }) => status === 200).length
      console.log(
        `good keys never seen before, ${title}: ${good} of ${answers.length} let in, ${
          percentile(answers, 0.5)
        } ms in the middle, ${percentile(answers, 0.99)} ms at most`
      )
    }
  } finally {
    agent.destroy()
    api.kill("SIGTERM")
    await ended
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
