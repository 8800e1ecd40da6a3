import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { fork } from "node:child_process"
import {
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../../src/cli/LocalService.ts"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"

/**
 * The embedded PostgreSQL with its write-ahead log on a small disk of its own, and an API process. The disk is filled and
 * emptied again; prints what was answered as JSON. Usage: full-wal.ts FOLDER; the disk is mounted at FOLDER/wal.
 */
const [, , folder = ""] = process.argv
const disk = join(folder, "wal")
const dataDir = join(folder, "postgres")
const key = mintSecret()
const base = `http://127.0.0.1:${await Effect.runPromise(freePort)}`

const open = async () => {
  const scope = await Effect.runPromise(Scope.make())
  const context = await Effect.runPromise(
    Layer.buildWithScope(EmbeddedPostgres.layer({ dataDir }), scope).pipe(Effect.provide(NodeServices.layer))
  )
  const { owner_url, url } = Context.get(context, EmbeddedPostgres)
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return { close, url: Redacted.value(url), owner_url: Redacted.value(owner_url) }
}

/** The log's files on the small disk, as their owner's. */
const moveLog = () => {
  const from = join(dataDir, "pg_wal")
  const to = join(disk, "pg_wal")
  const { gid, uid } = statSync(from)
  cpSync(from, to, { recursive: true })
  for (const path of [disk, to, ...readdirSync(to).map((name) => join(to, name))]) chownSync(path, uid, gid)
  rmSync(from, { recursive: true })
  symlinkSync(to, from)
}

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const json = await response.json() as any
  const { headers, status } = response
  return { status, code: json.error?.code as string | undefined, retry_after: headers.get("retry-after"), id: json.id }
}
const submit = () => call("POST", "/v1/jobs", { source_uri: "https://example.com/a.mp4" })

await (await open()).close()
moveLog()
const database = await open()
mkdirSync(join(folder, "data"))
const api = fork(fileURLToPath(new URL("../../src/main.ts", import.meta.url)), [], {
  execArgv: [],
  env: {
    ...process.env,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.owner_url,
    FOOTNOTE_DATA: join(folder, "data"),
    FOOTNOTE_API_KEY: key,
    PORT: new URL(base).port,
    DISK_RESERVE_BYTES: "0"
  },
  stdio: ["ignore", 2, 2, "ipc"]
})
try {
  await new Promise((resolve) => api.once("message", resolve))
  const before = await submit()

  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, "filler"), new Uint8Array(bavail * bsize))
  // Somebody writes more than the log has room for: PostgreSQL goes down and does not come back while the disk is full.
  const bulk = Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    yield* sql`CREATE TABLE footnote.bulk (line text)`
    yield* sql`INSERT INTO footnote.bulk SELECT repeat(md5(n::text), 30) FROM generate_series(1, 200000) n`
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(database.owner_url), maxConnections: 1 })))
  const written = await Effect.runPromise(Effect.exit(bulk))
  const full: Array<Awaited<ReturnType<typeof call>>> = []
  for (let n = 0; n < 5; n++) {
    full.push(await submit(), await call("GET", `/v1/jobs/${before.id}`))
    await delay(300)
  }

  rmSync(join(disk, "filler"))
  let after = await submit()
  for (; after.status === 503; after = await submit()) await delay(200)
  const kept = await call("GET", `/v1/jobs/${before.id}`)
  process.stdout.write(
    `${JSON.stringify({ before, refused: Exit.isFailure(written), full, after, kept, alive: api.exitCode === null })}\n`
  )
} finally {
  api.kill("SIGKILL")
  await database.close()
}
