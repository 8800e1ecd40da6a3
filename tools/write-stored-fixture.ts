import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"

/**
 * Keeps what a running service of any version has stored as a fixture that later versions have to read: it makes jobs of every
 * end over REST, then writes the rows (`rows.json`), the blobs that reads need (`blobs.json`, base64), and what this version itself answered
 * (`answers.json`). Run once for each version that is released, against a fresh `npm start` of it.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string" },
    key: { type: "string" },
    database: { type: "string" },
    data: { type: "string" },
    clip: { type: "string" },
    out: { type: "string" }
  }
})
const { clip, data, database, key, out, url } = values
if (!url || !key || !database || !data || !clip || !out) {
  console.error("--url URL --key KEY --database URL --data FOLDER --clip VIDEO --out FOLDER")
  process.exit(2)
}

const call = async (method: string, path: string, body?: unknown, type = "application/json") => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": type }) },
    ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) })
  })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) }
}

const upload = async (bytes: Uint8Array): Promise<string> =>
  (await call("POST", "/v1/uploads", bytes, "video/mp4")).body.uri

const ended = async (id: string) => {
  for (;;) {
    const { body } = await call("GET", `/v1/jobs/${id}?wait=60`)
    if (["succeeded", "failed", "cancelled"].includes(body.status)) return
  }
}

const submit = async (body: object): Promise<string> => {
  const made = await call("POST", "/v1/jobs", body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.id
}

const movie = await upload(readFileSync(clip))
const saved = await call("POST", "/v1/schemas", {
  name: "Product",
  json_schema: { type: "object", properties: { product: { type: "string", description: "Name of the product" } } }
})
const destination = await call("POST", "/v1/destinations", {
  name: "Hook",
  type: "webhook",
  config: { url: "https://receiver.example/hook", headers: { "x-token": "kept" } }
})
const kept: ReadonlyArray<string> = destination.status === 201 ? [destination.body.id] : []
if (kept.length > 0) await call("PATCH", `/v1/destinations/${kept[0]}`, { status: "paused" })
const succeeded = await submit({
  source_uri: movie,
  schema_id: "sch_template_product_demo",
  metadata: { kept: "yes" },
  ...(kept.length > 0 ? { destination_ids: kept } : {})
})
await ended(succeeded)
const own = await submit({ source_uri: movie, schema_id: saved.body.id, hints: { num_speakers: 1 } })
await ended(own)
const failed = await submit({ source_uri: await upload(new TextEncoder().encode("no video")) })
await ended(failed)
const cancelled = await submit({ source_uri: movie })
await call("POST", `/v1/jobs/${cancelled}/cancel`)

const artifacts = ["transcript", "frames?include_raw=true", "vision", "graph", "graph?view=canonical", "evidence"]
const paths = [
  ...[succeeded, own, failed, cancelled].map((id) => `/v1/jobs/${id}`),
  ...[succeeded, own].flatMap((id) => artifacts.map((artifact) => `/v1/jobs/${id}/${artifact}`)),
  `/v1/jobs/${succeeded}/manifest`,
  `/v1/jobs/${succeeded}/schema`,
  `/v1/jobs/${succeeded}/deliveries`,
  `/v1/schemas/${saved.body.id}`,
  "/v1/jobs",
  "/v1/schemas?limit=1",
  "/v1/api-keys",
  "/v1/destinations",
  "/v1/deliveries"
]
const answers: Record<string, unknown> = {}
for (const path of paths) {
  const { body, status } = await call("GET", path)
  if (status === 200) answers[path] = body
}

const rows = await Effect.runPromise(
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const tables = yield* sql<{ readonly name: string }>`SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'footnote' AND table_type = 'BASE TABLE' ORDER BY 1`
    const all: Record<string, unknown> = {}
    for (const { name } of tables) {
      // Who is at work and what is counted for a minute is of no use to another process.
      if (["workers", "rate_limits", "queue_installation"].includes(name)) continue
      const [found] = yield* sql.unsafe<{ readonly rows: unknown }>(
        `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') AS rows FROM footnote.${name} t`
      )
      if (JSON.stringify(found!.rows) !== "[]") all[name] = found!.rows
    }
    const [{ migrations }] = (yield* sql`SELECT count(*)::int AS migrations FROM footnote_migrations`) as [
      { readonly migrations: number }
    ]
    return { migrations, rows: all }
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(database), maxConnections: 1 })))
)

const wanted = new Set(JSON.stringify(rows).match(/jobs\/[\w./-]+\.(json|jpg)/gu))
const blobs: Record<string, string> = {}
for (const blob of readdirSync(join(data, "blobs"), { recursive: true, encoding: "utf8" }).toSorted()) {
  if (!wanted.has(blob) && !/\/images\/\d+\.jpg$/u.test(blob)) continue
  blobs[blob] = readFileSync(join(data, "blobs", blob)).toString("base64")
}
mkdirSync(out, { recursive: true })
writeFileSync(join(out, "blobs.json"), JSON.stringify(blobs))
writeFileSync(join(out, "rows.json"), JSON.stringify(rows))
writeFileSync(join(out, "answers.json"), JSON.stringify({ key, answers }))
console.log(`${out}: ${Object.keys(answers).length} answers, ${rows.migrations} migrations`)
