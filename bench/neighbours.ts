import { Effect } from "effect"
import { execFile } from "node:child_process"
import { openSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify, styleText } from "node:util"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { attacks, type Caller } from "./neighbours/Attacks.ts"
import { keep, openDatabase } from "./ServiceProcesses.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const defaultSeconds = 30

/** Milliseconds of a neighbour's requests: the middle, and what one in a hundred is slower than. */
interface Times {
  readonly p50: number
  readonly p99: number
}

const timesOf = (samples: ReadonlyArray<number>): Times => {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** The whole service in processes of its own, as `npm start` runs it, with the default limits of a tenant. */
const openService = async () => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-neighbours-"))
  const log = openSync(join(folder, "service.log"), "a")
  const database = await openDatabase(join(folder, "postgres"))
  const key = mintSecret()
  const port = await Effect.runPromise(freePort)
  const env = {
    DATABASE_URL: database.url,
    FOOTNOTE_DATA: join(folder, "data"),
    FOOTNOTE_API_KEY: key,
    PORT: String(port),
    LOG_FORMAT: "json",
    // The sources that drip and the hooks that hang are on this machine.
    SOURCE_ALLOW_PRIVATE: "127.0.0.0/8"
  }
  const api = keep("API", join(root, "src/main.ts"), [], env, log)
  await api.ready()
  const workers = [["media"], ["speech"], ["vision"], ["extraction"], ["delivery"]].map((pools) =>
    keep(pools.join(" "), join(root, "workers/main.ts"), pools, env, log)
  )
  await Promise.all(workers.map((worker) => worker.ready()))
  return {
    base: `http://127.0.0.1:${port}`,
    key,
    /** A key of one more tenant. */
    tenant: async (name: string): Promise<string> => {
      const args = [join(root, "src/cli/tenants.ts"), "create", "--name", name]
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
      return stdout.trim()
    },
    close: async () => {
      await Promise.all([api, ...workers].map((process) => process.stop()))
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

const callerOf = (base: string, key: string): Caller => ({
  base,
  key,
  call: async (path, body, signal) => {
    const response = await fetch(`${base}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? AbortSignal.timeout(120_000)
    })
    const text = await response.text()
    return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : undefined }
  }
})

const uploaded = async ({ base, key }: Caller, file: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" }
  const response = await fetch(`${base}/v1/uploads`, { method: "POST", headers, body: await readFile(file) })
  return (await response.json() as { readonly uri: string }).uri
}

/** Answers `/drip.mp4` with a byte every 3 s and nothing else ever. */
const slowServer = async () => {
  const server = createServer((request, response) => {
    if (request.url !== "/drip.mp4") return
    response.writeHead(200, { "content-type": "video/mp4", "content-length": "100000000" })
    const timer = setInterval(() => response.write("x"), 3000)
    response.on("close", () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    base: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

interface Measured {
  readonly read: Times
  readonly submission: Times
  readonly job: Times
}

/** A tenant's day for so many seconds: reads and submissions all along, and a short job after the other. */
const measure = async (tenant: Caller, clip: string, seconds: number): Promise<Measured> => {
  const until = performance.now() + seconds * 1000
  const schema_inline = { type: "object", properties: { topic: { type: "string" } } }
  const repeat = async (work: () => Promise<unknown>, pause: number): Promise<ReadonlyArray<number>> => {
    const samples: Array<number> = []
    do {
      samples.push(await timed(work))
      await new Promise((resolve) => setTimeout(resolve, pause))
    } while (performance.now() < until)
    return samples
  }
  const job = async () => {
    const { json } = await tenant.call("/v1/jobs", { source_uri: clip, schema_inline })
    for (let status = json.status; status === "queued" || status === "running";) {
      status = (await tenant.call(`/v1/jobs/${json.id}?wait=60`)).json.status
    }
  }
  const submission = async () => {
    const { json } = await tenant.call("/v1/jobs", { source_uri: clip, schema_inline })
    await tenant.call(`/v1/jobs/${json.id}/cancel`, {})
  }
  const [read, submitted, jobs] = await Promise.all([
    repeat(() => tenant.call("/v1/jobs?limit=1"), 20),
    repeat(submission, 200),
    repeat(job, 0)
  ])
  return { read: timesOf(read), submission: timesOf(submitted), job: timesOf(jobs) }
}

const doors = ["read", "submission", "job"] as const

/** Prints what each attack of one tenant does to another's requests, and which are more than twice as slow. */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      attack: { type: "string", default: Object.keys(attacks).join(",") },
      seconds: { type: "string", default: String(defaultSeconds) },
      clip: { type: "string", default: join(root, "samples/product-demo.mp4") }
    }
  })
  const seconds = Number(values.seconds)
  const service = await openService()
  const slow = await slowServer()
  const over: Array<string> = []
  try {
    const neighbour = callerOf(service.base, service.key)
    const clip = await uploaded(neighbour, values.clip)
    // The first jobs load the models.
    await measure(neighbour, clip, 1)
    for (const name of values.attack.split(",")) {
      const attack = attacks[name]
      if (attack === undefined) throw new Error(`No attack ${name}. There is: ${Object.keys(attacks).join(", ")}.`)
      const attacker = callerOf(service.base, await service.tenant(name))
      const means = { clip: await uploaded(attacker, values.clip), slow: slow.base }
      const before = await measure(neighbour, clip, seconds)
      const stop = new AbortController()
      const attacked = attack(attacker, means, stop.signal)
      const during = await measure(neighbour, clip, seconds)
      stop.abort()
      const statuses = Array.from(await attacked, ([status, count]) => `${count} × ${status === 0 ? "cut" : status}`)
      console.log(`${name}: attacker was answered ${statuses.join(", ")}`)
      for (const door of doors) {
        for (const part of ["p50", "p99"] as const) {
          const ratio = during[door][part] / before[door][part]
          const text = `  ${door} ${part}: ${before[door][part].toFixed(0)} ms before, ${
            during[door][part].toFixed(0)
          } ms during, × ${ratio.toFixed(2)}`
          console.log(ratio > 2 ? styleText("red", text) : text)
          if (ratio > 2) over.push(`${name} ${door} ${part} × ${ratio.toFixed(2)}`)
        }
      }
    }
  } finally {
    slow.close()
    await service.close()
  }
  console.log(over.length === 0 ? "None is more than twice as slow." : `More than twice as slow: ${over.join("; ")}.`)
}
