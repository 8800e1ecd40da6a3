import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { openAsBlob } from "node:fs"
import { fileURLToPath } from "node:url"
import { createClient } from "../../clients/typescript/src/client/index.ts"
import * as Footnote from "../../clients/typescript/src/index.ts"
import { deployment } from "../support/Deployment.ts"

const sample = fileURLToPath(new URL("../../samples/product-demo.mp4", import.meta.url))

/** Everything as a caller of the published package has it: no call of our own, no type of our own. */
const run = async (client: ReturnType<typeof createClient>) => {
  const upload = await Footnote.createUpload({ client, body: await openAsBlob(sample), throwOnError: true })
  assert.strictEqual(upload.data.uri, `upload://${upload.data.id}`)

  const schema = await Footnote.createSchema({
    client,
    throwOnError: true,
    body: { name: "Product", json_schema: { type: "object", properties: { product_name: { type: "string" } } } }
  })
  const created = await Footnote.createJob({
    client,
    throwOnError: true,
    headers: { "idempotency-key": "demo-1" },
    body: { source_uri: upload.data.uri, schema_id: schema.data.id, metadata: { order: "4711" } }
  })
  const path = { id: created.data.id }
  assert.strictEqual(created.response.status, 201)
  assert.strictEqual(created.data.status, "queued")

  const statuses: Array<Footnote.JobStatus> = []
  const { stream } = await Footnote.streamJobEvents({ client, path, throwOnError: true })
  for await (const event of stream) if (event.type === "status") statuses.push(event.status)
  assert.deepStrictEqual(statuses, ["queued", "running", "succeeded"])

  const { data: job } = await Footnote.getJob({ client, path, query: { wait: 60 }, throwOnError: true })
  assert.strictEqual(job.status, "succeeded")
  assert.isNotNull(job.result)
  assert.deepStrictEqual(job.metadata, { order: "4711" })

  const { data: transcript } = await Footnote.getTranscript({ client, path, throwOnError: true })
  if (typeof transcript === "string") assert.fail("asked for no subtitles")
  assert.isNotEmpty(transcript.segments)
  const { data: subtitles } = await Footnote.getTranscript({
    client,
    path,
    query: { format: "vtt" },
    parseAs: "text",
    throwOnError: true
  })
  assert.match(String(subtitles), /^WEBVTT/u)
  const { data: frames } = await Footnote.getFrames({ client, path, throwOnError: true })
  const frame_id = frames.frames[0]!.id
  const { data: image } = await Footnote.getFrameImage({
    client,
    path: { ...path, frame_id },
    parseAs: "blob",
    throwOnError: true
  })
  assert.strictEqual((image as Blob).type, "image/jpeg")
  const { data: evidence } = await Footnote.getEvidence({ client, path, throwOnError: true })
  for (const span of evidence.spans) assert.match(span.source_ref, /^(seg|frame)#\d{6,}$/u)

  const { data: page } = await Footnote.listJobs({ client, query: { limit: 1 }, throwOnError: true })
  assert.deepStrictEqual(page.data.map(({ id }) => id), [job.id])
}

/** Without `throwOnError` a failure is a value, typed by the codes that its route can give. */
const refused = async (client: ReturnType<typeof createClient>) => {
  const unknown = await Footnote.getJob({ client, path: { id: "job_none" } })
  assert.strictEqual(unknown.response?.status, 404)
  assert.strictEqual(unknown.error?.error.code, "JOB_NOT_FOUND")

  const blocked = await Footnote.createJob({ client, body: { source_uri: "https://www.youtube.com/watch?v=1" } })
  switch (blocked.error?.error.code) {
    case "SOURCE_BLOCKED":
      assert.include(blocked.error.error.details?.[0]?.message, "YouTube")
      break
    default:
      assert.fail(JSON.stringify(blocked.error))
  }

  const stranger = createClient({ baseUrl: client.getConfig().baseUrl!, auth: "fnk_wrong" })
  const denied = await Footnote.listSchemas({ client: stranger })
  assert.strictEqual(denied.error?.error.code, "UNAUTHENTICATED")
  const thrown = await Footnote.listSchemas({ client: stranger, throwOnError: true }).catch((error: unknown) => error)
  assert.nestedPropertyVal(thrown, "error.code", "UNAUTHENTICATED")
}

it.live("the generated client takes a job from the upload to its evidence, and types every refusal", () =>
  Effect.gen(function*() {
    const { api_key, base_url } = yield* deployment({})
    const client = createClient({ baseUrl: base_url, auth: api_key })
    yield* Effect.promise(() => run(client))
    yield* Effect.promise(() => refused(client))
  }).pipe(Effect.scoped))
