import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { keep, openDatabase } from "./ServiceProcesses.ts"

export interface IdempotencyReport {
  readonly rounds: number
  /** Rounds that did not answer one 201 and else 200, all with the same job. */
  readonly bad_rounds: number
  /** What the bad ones answered, the first five of them. */
  readonly examples: ReadonlyArray<string>
  /** Rows after all rounds: one of each for a round. */
  readonly jobs: number
  readonly keys: number
  readonly seconds: number
}

const atOnce = 20

/** Two API processes on one database, whose one tenant may have any number of jobs. */
const openApis = async (folder: string) => {
  const database = await openDatabase(join(folder, "postgres"))
  const api_key = mintSecret()
  const log = openSync(join(folder, "log"), "a")
  const ports = [await Effect.runPromise(freePort), await Effect.runPromise(freePort)]
  const apis = ports.map((port) =>
    keep("API", fileURLToPath(new URL("../src/main.ts", import.meta.url)), [], {
      DATABASE_URL: database.url,
      FOOTNOTE_DATA: folder,
      FOOTNOTE_API_KEY: api_key,
      PORT: String(port),
      RATE_LIMIT_READS: "0",
      RATE_LIMIT_WRITES: "0",
      RATE_LIMIT_PROCESSOR_MS: "0",
      LOG_LEVEL: "Warn"
    }, log)
  )
  await Promise.all(apis.map((api) => api.ready()))
  const ask = <A>(query: (sql: PgClient.PgClient) => Effect.Effect<A, SqlError>) =>
    Effect.runPromise(
      Effect.flatMap(PgClient.PgClient, query).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(database.url), maxConnections: 1 }))
      )
    )
  return { api_key, apis, ask, database, urls: ports.map((port) => `http://127.0.0.1:${port}/v1/jobs`) }
}

/** First uses of one key, all at the same moment, by turns at both processes. */
const round = async (urls: ReadonlyArray<string>, api_key: string, key: string) => {
  const answers = await Promise.all(Array.from({ length: atOnce }, async (_, at) => {
    const response = await fetch(urls[at % urls.length]!, {
      method: "POST",
      headers: { "authorization": `Bearer ${api_key}`, "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ source_uri: "https://example.com/talk.mp4", metadata: { key } })
    })
    const { error, id } = (await response.json()) as {
      readonly id?: string
      readonly error?: { readonly code: string }
    }
    return { status: response.status, id: id ?? error?.code }
  }))
  const made = answers.filter(({ status }) => status === 201).length
  const replayed = answers.filter(({ status }) => status === 200).length
  const good = made === 1 && replayed === atOnce - 1 && new Set(answers.map(({ id }) => id)).size === 1
  return good ? undefined : JSON.stringify(answers)
}

/**
 * Uses `rounds` fresh idempotency keys for the first time, each 20 times at once over two API processes, and counts the rounds
 * that did not come to one job. Prints the report; ends the process with 1 where a round was bad.
 */
export const measureFirstUses = async (rounds: number): Promise<IdempotencyReport> => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-idempotency-"))
  const { api_key, apis, ask, database, urls } = await openApis(folder)
  try {
    await ask((sql) => sql`UPDATE footnote.tenants SET max_active = 1000000, max_running = 1`)
    const began = performance.now()
    const bad: Array<string> = []
    for (let at = 0; at < rounds; at++) {
      const wrong = await round(urls, api_key, `round ${at}`)
      if (wrong !== undefined) bad.push(wrong)
    }
    const seconds = (performance.now() - began) / 1000
    const [rows] = await ask((sql) =>
      sql<{ readonly jobs: number; readonly keys: number }>`
        SELECT (SELECT count(*)::int FROM footnote.jobs) AS jobs,
          (SELECT count(*)::int FROM footnote.idempotency_keys) AS keys`
    )
    return { rounds, bad_rounds: bad.length, examples: bad.slice(0, 5), ...rows!, seconds }
  } finally {
    await Promise.all(apis.map((api) => api.stop()))
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `--rounds=N`, 1,000 by default. */
export const run = async (args: ReadonlyArray<string>): Promise<IdempotencyReport> => {
  const asked = args.find((argument) => argument.startsWith("--rounds="))?.slice("--rounds=".length)
  const report = await measureFirstUses(Number(asked ?? 1000))
  const { bad_rounds, examples, jobs, keys, rounds, seconds } = report
  console.log(`${rounds} keys, each used for the first time by ${atOnce} requests at once over two API processes`)
  console.log(
    `bad rounds ${bad_rounds}; jobs ${jobs}, keys ${keys}; ${(rounds * atOnce / seconds).toFixed(0)} requests/s`
  )
  for (const example of examples) console.log(`  ${example}`)
  if (bad_rounds > 0 || jobs !== rounds || keys !== rounds) process.exitCode = 1
  return report
}
