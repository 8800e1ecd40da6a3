import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { commit } from "../model-stacks/FakeHub.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { makeToyStacks } from "../workers/speech/drivers/ToyStack.ts"

const entry = fileURLToPath(new URL("../../src/cli/models.ts", import.meta.url))
const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

/** The largest file of the toys, and how much of it comes before the hub falls silent. */
const LARGE = "silero/silero_vad_v6.onnx"
const BEFORE = 1_500_000

describe("models from a hub", () => {
  it.live(
    "are fetched, killed in the middle, resumed and verified by the command, and run a job without another connection",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const toys = yield* makeToyStacks
        yield* toys.lock
        const { folder, server } = toys
        // What `lock` fetched to hash lies in its own folder: the installation begins with an empty one.
        const store = join(folder.root, "installed")
        const env = {
          FOOTNOTE_MODEL_DIR: store,
          FOOTNOTE_MODEL_STACKS: folder.stacks,
          FOOTNOTE_MODEL_HUB: server.base_url
        }
        const start = (words: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) => {
          const child = spawn(process.execPath, [entry, ...words], { env: { ...env, ...more } })
          let told = ""
          for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => told += chunk)
          const done = Effect.callback<{ readonly code: number | null; readonly told: string }>((resume) =>
            void child.once("close", (code) => resume(Effect.succeed({ code, told })))
          )
          return { child, done }
        }

        server.rule(LARGE, { kind: "stall", after: BEFORE }, { kind: "serve" })
        const first = start(["fetch", "standard"])
        yield* Effect.promise(() => server.stalled)
        const partial = () =>
          readdirSync(store, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("/bytes"))
        yield* Effect.suspend(() => {
          const path = partial()
          return path !== undefined && statSync(join(store, path)).size > 0 ? Effect.void : Effect.fail("not yet")
        }).pipe(Effect.eventually)
        first.child.kill("SIGKILL")
        yield* first.done
        const large = join(store, "footnote/toys", commit("toys"), LARGE)
        assert.isFalse(existsSync(large))
        assert.strictEqual((yield* start(["verify", "standard"]).done).code, 1)

        const second = yield* start(["fetch", "standard"]).done
        assert.strictEqual(second.code, 0, second.told)
        assert.include(second.told, "standard is ready")
        const again = server.requests.findLast(({ url }) => url.endsWith(LARGE))!
        assert.match(again.range ?? "", /^bytes=[1-9]\d*-$/u)
        assert.isBelow(again.sent, statSync(large).size)

        const asked = server.connections()
        const offline = { FOOTNOTE_MODELS_OFFLINE: "1" }
        const verified = yield* start(["verify", "standard"], offline).done
        assert.strictEqual(verified.code, 0, verified.told)
        const service = yield* deployment({ env: { ...env, ...offline } })
        const { ffmpeg } = yield* findMediaTools
        const clip = join(service.folder, "clip.mp4")
        execFileSync(ffmpeg, ["-v", "error", "-i", sample, "-t", "8", "-c", "copy", clip])
        const { id } = yield* submit(service.client, clip, { model_stack: "standard" })
        const job = yield* finished(service.client, id)
        assert.strictEqual(job.status, "succeeded", JSON.stringify(job.record))
        const { provenance } = job.record as { provenance: { models: ReadonlyArray<{ role: string; name: string }> } }
        const ran = new Map(provenance.models.map(({ name, role }) => [role, name]))
        assert.strictEqual(ran.get("asr"), toys.version("toy-tdt/encoder.onnx"))
        assert.strictEqual(ran.get("turns"), "toy-turns")
        assert.isTrue(ran.has("describe"))
        assert.strictEqual(server.connections(), asked)
      })),
    900_000
  )
})
