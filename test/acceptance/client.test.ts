import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Footnote, type JobStatus, verifyWebhook } from "../../clients/typescript/src/index.ts"
import { fromPath } from "../../clients/typescript/src/node.ts"
import { deployment } from "../support/Deployment.ts"
import { faultyProxy } from "../support/FaultyProxy.ts"
import { receiver } from "../support/Receiver.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const sample = join(root, "samples/product-demo.mp4")
const run = promisify(execFile)

interface Service {
  readonly base_url: string
  readonly api_key: string
}

/** Sent in small pieces over a connection that breaks after the first of them. */
const uploaded = Effect.fn("uploaded")(function*({ api_key, base_url }: Service) {
  const { port } = new URL(base_url)
  const proxy = yield* faultyProxy({ port: Number(port), host: "127.0.0.1" })
  const waits: Array<number> = []
  const client = new Footnote({
    base_url: `http://127.0.0.1:${proxy.port}`,
    api_key,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
      await Effect.runPromise(proxy.set({ kind: "none" }))
    }
  })
  const told: Array<number> = []
  const upload = yield* Effect.promise(async () =>
    client.uploads.create(await fromPath(sample), {
      chunk_bytes: 64 * 1024,
      onProgress: ({ sent_bytes }) => {
        told.push(sent_bytes)
        if (told.length === 2) Effect.runFork(proxy.set({ kind: "reset" }))
      }
    })
  )
  assert.isNotEmpty(waits)
  assert.deepStrictEqual(told, told.toSorted((one, other) => one - other))
  assert.strictEqual(told.at(-1), upload.size_bytes)
  assert.strictEqual(upload.uri, `upload://${upload.id}`)
  return upload
})

/** Everything as a caller of the published package has it: no call of our own, no type of our own. */
const followed = async (client: Footnote, source_uri: string, webhook_url: string) => {
  const schema = await client.schemas.create({
    name: "Product",
    json_schema: { type: "object", properties: { product_name: { type: "string" } } }
  })
  const created = await client.jobs.create({
    source_uri,
    schema_id: schema.id,
    webhook_url,
    metadata: { order: "4711" }
  })
  assert.strictEqual(created.status, "queued")

  const statuses: Array<JobStatus> = []
  for await (const event of client.jobs.events(created.id)) if (event.type === "status") statuses.push(event.status)
  assert.deepStrictEqual(statuses, ["queued", "running", "succeeded"])

  const job = await client.jobs.wait(created.id)
  assert.strictEqual(job.status, "succeeded")
  assert.deepStrictEqual(job.metadata, { order: "4711" })
  assert.isNotEmpty((await client.jobs.getTranscript(job.id)).segments)
  assert.match(await client.jobs.getTranscriptText(job.id, { format: "vtt" }), /^WEBVTT/u)
  const { frames } = await client.jobs.getFrames(job.id)
  assert.strictEqual((await client.jobs.getFrameImage(job.id, frames[0]!.id)).type, "image/jpeg")
  const { spans } = await client.jobs.getEvidence(job.id)
  for (const span of spans) assert.match(span.source_ref, /^(seg|frame)#\d{6,}$/u)
  return { id: job.id, secret: created.webhook_signing_secret }
}

const caught = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(() => assert.fail("nothing was thrown"), (error: unknown) => error)

const refused = async (client: Footnote, { base_url }: Service) => {
  assert.propertyVal(await caught(client.jobs.get("job_none")), "code", "JOB_NOT_FOUND")
  assert.propertyVal(await caught(client.jobs.events("job_none").next()), "code", "JOB_NOT_FOUND")
  const blocked = await caught(client.jobs.create({ source_uri: "https://www.youtube.com/watch?v=1" }))
  assert.match(String(blocked), /^ApiError: 422 SOURCE_BLOCKED: .*YouTube/u)
  const stranger = new Footnote({ base_url, api_key: "fnk_wrong" })
  assert.propertyVal(await caught(stranger.schemas.list().first()), "code", "UNAUTHENTICATED")
  assert.propertyVal(await caught(stranger.jobs.events("job_none").next()), "code", "UNAUTHENTICATED")
}

/** The page's code in one module, built against the packed package as strictly as TypeScript can and run. */
const page = async ({ api_key, base_url }: Service) => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-page-"))
  try {
    const installed = join(folder, "node_modules/@footnote/client")
    mkdirSync(installed, { recursive: true })
    symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"))
    const client = join(root, "clients/typescript")
    cpSync(join(client, "package.json"), join(installed, "package.json"))
    const tsc = join(root, "node_modules/.bin/tsc")
    await run(tsc, ["-p", client, "--outDir", join(installed, "dist")])
    copyFileSync(sample, join(folder, "talk.mp4"))
    const text = readFileSync(join(client, "README.md"), "utf8")
    const code = [...text.matchAll(/^```ts\n(.*?)^```/gmsu)].map(([, block]) => block).join("\n")
    writeFileSync(join(folder, "page.ts"), code.replaceAll("http://127.0.0.1:8080", base_url))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    const compilerOptions = {
      module: "nodenext",
      target: "es2023",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      skipLibCheck: false,
      types: ["node"]
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["page.ts"] }))
    await run(tsc, ["-p", folder])
    const env = { ...process.env, FOOTNOTE_API_KEY: api_key }
    return (await run(process.execPath, ["page.js"], { cwd: folder, env })).stdout
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { readonly stdout?: string; readonly stderr?: string }
    return assert.fail(`${String(error)}\n${stdout}\n${stderr}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it.live(
  "the TypeScript client takes a job from a broken upload to its evidence and its webhook, and its page runs as it stands",
  () =>
    Effect.gen(function*() {
      const hook = yield* receiver({ status: 200 })
      const service = yield* deployment({
        env: { SOURCE_ALLOW_PRIVATE: "127.0.0.0/8", SOURCE_ALLOW_PORTS: new URL(hook.url).port }
      })
      const client = new Footnote(service)
      const { uri } = yield* uploaded(service)
      const { id, secret } = yield* Effect.promise(() => followed(client, uri, hook.url))
      yield* Effect.promise(() => refused(client, service))

      yield* hook.first
      const { body, headers } = hook.received[0]!
      const event = yield* Effect.promise(() => verifyWebhook(body, headers, secret ?? ""))
      if (event.type !== "job.succeeded") return assert.fail(event.type)
      assert.strictEqual(event.data.job.id, id)

      const shown = yield* Effect.promise(() => page(service))
      assert.match(shown, /^\/\w+.* s .+$/mu)
      assert.match(shown, /^succeeded 1$/mu)
      assert.match(shown, /^WEBVTT image\/jpeg$/mu)
      assert.match(shown, /^ApiError: 404 JOB_NOT_FOUND: No such job\. \[request .+\]$/mu)
    }).pipe(Effect.scoped),
  600_000
)
