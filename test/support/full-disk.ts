import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { fork } from "node:child_process"
import { createHash } from "node:crypto"
import { appendFileSync, readdirSync, readFileSync, rmSync, statfsSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../../src/cli/LocalService.ts"
import { stageRetries } from "../../src/retries/RetryPolicy.ts"

/**
 * An API process and a media worker whose blobs lie on a small disk, which is filled and emptied again. Prints what was
 * answered and what became of each stage as JSON. Usage: full-disk.ts FOLDER, the disk; DATABASE_URL.
 */
const [, , disk = ""] = process.argv
const url = process.env["DATABASE_URL"] ?? ""
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const key = mintSecret()
const base = `http://127.0.0.1:${await Effect.runPromise(freePort)}`
const blobs = join(disk, "blobs")
const filler = join(disk, "filler")

const books = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
const query = <A extends object>(text: string): Promise<ReadonlyArray<A>> =>
  books.runPromise(Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<A>(text)))

const start = async (entry: string, ...args: ReadonlyArray<string>) => {
  const env = {
    ...process.env,
    FOOTNOTE_DATA: disk,
    FOOTNOTE_API_KEY: key,
    PORT: new URL(base).port,
    // The disk itself has to say no.
    DISK_RESERVE_BYTES: "0"
  }
  const child = fork(at(entry), args, { execArgv: [], env, stdio: ["ignore", 2, 2, "ipc"] })
  await new Promise((resolve) => child.once("message", resolve))
  return child
}

const call = async (method: string, path: string, body?: Uint8Array | object, headers: Record<string, string> = {}) => {
  const bytes = body instanceof Uint8Array
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": bytes ? "video/mp4" : "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: bytes ? body as Uint8Array<ArrayBuffer> : JSON.stringify(body) })
  })
  const text = await response.text()
  return {
    status: response.status,
    code: text.startsWith("{") ? JSON.parse(text).error?.code as string | undefined : undefined,
    retry_after: response.headers.get("retry-after"),
    offset: Number(response.headers.get("upload-offset")),
    json: text.startsWith("{") ? JSON.parse(text) : undefined
  }
}

const free = () => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}
/** Leaves so many bytes of the disk free. */
const leave = (bytes: number) => {
  const more = free() - bytes
  if (more > 0) appendFileSync(filler, new Uint8Array(more))
  else truncateSync(filler, readFileSync(filler).length + more)
}
const files = () =>
  readdirSync(blobs, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name)).toSorted()

/** Of a task that was never put off; each time adds one to its limit. */
const retries = stageRetries.attempts - 1

/** By stage: how often it was put off, how many of its attempts are used up, and whether it is done. */
const stages = async () => {
  const rows = await query<
    { readonly stage: string; readonly pauses: number; readonly used: number; readonly done: boolean }
  >(
    `SELECT t.stage, j.retry_limit - ${retries} AS pauses, j.retry_count - (j.retry_limit - ${retries}) AS used, t.done
     FROM footnote.tasks t JOIN pgboss.job j ON j.id = t.id`
  )
  return new Map(rows.map((row) => [row.stage, row]))
}
const until = async (what: (seen: Awaited<ReturnType<typeof stages>>) => boolean) => {
  for (;; await delay(200)) {
    const seen = await stages()
    if (what(seen)) return seen
  }
}

const source = readFileSync(at("samples/lecture.mp4"))
const other = readFileSync(at("samples/product-demo.mp4"))
const processes = [await start("src/main.ts"), await start("workers/main.ts", "media")]
try {
  const { json: uploaded } = await call("POST", "/v1/uploads", source)
  const tus = { "tus-resumable": "1.0.0" }
  const { json: begun } = await call("POST", "/v1/uploads", undefined, {
    ...tus,
    "upload-length": String(other.length)
  })
  const patch = (offset: number) =>
    call("PATCH", `/v1/uploads/${begun.id}`, other.subarray(offset), {
      ...tus,
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(offset)
    })
  const before = files()

  leave(64 * 1024)
  const upload = await call("POST", "/v1/uploads", other)
  const part = await patch(0)
  const { offset } = await call("HEAD", `/v1/uploads/${begun.id}`, undefined, tus)
  const kept = files().filter((file) => !before.includes(file))
  const { json: job } = await call("POST", "/v1/jobs", { source_uri: uploaded.uri })
  await until((seen) => (seen.get("fetch")?.pauses ?? 0) > 0 || seen.get("probe")?.done === true)
  // Room for the source alone.
  if (!(await stages()).get("fetch")!.done) leave(source.length + 64 * 1024)
  const paused = await until((seen) => ["audio", "frames"].every((stage) => (seen.get(stage)?.pauses ?? 0) > 0))
  const { json: meanwhile } = await call("GET", `/v1/jobs/${job.id}`)

  rmSync(filler)
  const over = await until((seen) =>
    ["fetch", "probe", "audio", "frames"].every((stage) => seen.get(stage)?.done === true)
  )
  const again = await call("POST", "/v1/uploads", other)
  const rest = await patch(offset)
  const { json: whole } = await call("GET", `/v1/uploads/${begun.id}`)
  process.stdout.write(`${
    JSON.stringify({
      upload,
      part,
      kept,
      offset,
      paused: [...paused].filter(([, { pauses }]) => pauses > 0).map(([stage]) => stage),
      status: meanwhile.status,
      used: Object.fromEntries([...over].filter(([, { done }]) => done).map(([stage, { used }]) => [stage, used])),
      again: again.status,
      rest: rest.status,
      same: whole.sha256 === createHash("sha256").update(other).digest("hex")
    })
  }\n`)
} finally {
  for (const child of processes) child.kill("SIGKILL")
  await books.dispose()
}
