import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { reviewSchema } from "../../bench/injection/Review.ts"
import { writeArtifactFolder } from "../../src/cli/ArtifactFolder.ts"
import { type JobView, ServiceClient } from "../../src/cli/ServiceClient.ts"
import { readArtifacts } from "../../tools/verify-evidence/Artifacts.ts"
import { verifyArtifacts } from "../../tools/verify-evidence/Verification.ts"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { crossed } from "../support/Breadth.ts"
import { canary } from "../support/Canary.ts"
import { artifactsOf, deployment, finished, submit } from "../support/Deployment.ts"
import { KEY, type PlayedModel, playModel } from "../workers/extraction/proposers/llm/ModelServer.ts"
import { injectedClips } from "../workers/media/InjectedClips.ts"

/** A model that does what the clips want, whatever it is shown. */
const obeys: PlayedModel = ({ lines }) => {
  const refs = lines.slice(-1).map(({ number }) => number)
  return {
    say: [
      { path: "/rating", value: 10, quote: lines.at(-1)?.text.slice(0, 200) ?? "", refs },
      { path: "/rating", value: 10, quote: "The rating is 10 points", refs },
      { path: "/winner", value: "Mallory", quote: "the winner is Mallory", refs },
      { path: "/admin_key", value: KEY, quote: KEY, refs }
    ]
  }
}

const obedient = Effect.acquireDisposable(Effect.promise(() => playModel(obeys)))

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-injection-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Serves a file under any path, with any headers. */
const serve = (file: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const bytes = readFileSync(file)
      const server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "video/mp4", "content-length": bytes.length, ...headers })
        response.end(bytes)
      })
      await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      })
  )

const extractors = ["builtin", "llm"] as const

describe.each(extractors)("POST /v1/jobs with clips that give orders, read by %s", (extractor) => {
  it.live(
    "fills nothing without evidence that a separate program verifies, takes nothing from what is neither said nor shown, "
      + "calls nobody, and leaves no file but its own",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const temporary = yield* temporaryFolder
        const model = yield* obedient
        const { port, seen } = yield* canary()
        const file = join(tmpdir(), `Mallory-${process.pid}-${extractor}`)
        const { client, folder } = yield* deployment({
          env: {
            TMPDIR: temporary,
            SOURCE_ALLOW_PRIVATE: "127.0.0.1/32",
            FOOTNOTE_EXTRACTOR: extractor,
            ...(extractor === "llm"
              ? { FOOTNOTE_LLM_URL: model.url, FOOTNOTE_LLM_MODEL: "obedient", FOOTNOTE_LLM_KEY: KEY }
              : {})
          }
        })
        const { ffmpeg } = yield* findMediaTools
        const clips = join(folder, "clips")
        mkdirSync(clips)
        const before = readdirSync(folder)

        const jobs: Array<readonly [clip: (typeof injectedClips)[number], id: string]> = []
        for (const [reader, clip] of crossed(extractors, injectedClips)) {
          if (reader !== extractor) continue
          const made = yield* Effect.promise(async () => clip.of({ ffmpeg, folder: clips, port, file }))
          const body = { schema_inline: reviewSchema, precision: "balanced" }
          const job = clip.served === undefined
            ? yield* submit(client, made, body)
            : yield* Effect.orDie(client.createJob({
              ...body,
              source_uri: (yield* serve(made, clip.served.headers)).url + clip.served.path
            }))
          jobs.push([clip, job.id])
        }

        for (const [{ name, visible }, id] of jobs) {
          const job: JobView = yield* finished(client, id)
          assert.strictEqual(job.status, "succeeded", `${name}: ${JSON.stringify(job.error)}`)
          const { result } = job.record as { readonly result: { readonly [key: string]: Schema.Json } }
          const out = join(folder, "out", id)
          yield* writeArtifactFolder({
            folder: out,
            job_id: id,
            job: job.record,
            result,
            json_schema: reviewSchema as unknown as Schema.Json
          }).pipe(
            Effect.provideService(ServiceClient, client),
            Effect.provide(NodeServices.layer),
            Effect.orDie
          )
          assert.deepStrictEqual(verifyArtifacts(readArtifacts(out)).failures, [], name)
          // Of a model that obeys nothing is left, and nobody guesses in its place.
          if (extractor === "llm") assert.include([6, undefined], result["rating"], name)
          else assert.strictEqual(result["rating"], 6, name)
          assert.notProperty(result, "admin_key", name)
          assert.notStrictEqual(result["winner"], "Mallory", name)

          const all = JSON.stringify(yield* artifactsOf(client, job))
          assert.notInclude(all, KEY, name)
          if (!visible) assert.notMatch(all, /Mallory|Ignore all/u, name)
        }

        if (extractor === "llm") assert.isAtLeast(model.calls.length, jobs.length)
        // One question each for the fields and two for the graph, of which the first answer speaks of nothing that was asked for: what
        // no line says is not asked for again.
        assert.isAtMost(model.calls.length, extractor === "llm" ? 3 * jobs.length : 0)
        assert.strictEqual(seen.connections, 0)
        assert.isFalse(existsSync(file))
        assert.deepStrictEqual(readdirSync(temporary), [])
        // The blob store lies in a folder that the first upload makes.
        const known = new Set([...before, "blobs", "out"])
        assert.deepStrictEqual(readdirSync(folder).filter((name) => !known.has(name)), [])
        assert.deepStrictEqual(readdirSync(process.cwd()).filter((name) => name.includes("Mallory")), [])
      })),
    600_000
  )
})
