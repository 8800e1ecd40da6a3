import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findMediaTools } from "../../workers/media/Ffmpeg.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { makeToyStacks } from "../workers/speech/drivers/ToyStack.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

/** The first twelve seconds of the lecture. */
const makeClip = Effect.fnUntraced(function*(folder: string) {
  const { ffmpeg } = yield* findMediaTools
  const clip = join(folder, "clip.mp4")
  execFileSync(ffmpeg, ["-v", "error", "-i", sample, "-t", "12", "-c", "copy", clip])
  return clip
})

describe("a deployment with a model stack from a hub", () => {
  it.live(
    "runs a job on the stack that it asks for, and on the best that is here where it says auto",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const toys = yield* makeToyStacks
        yield* toys.lock
        yield* toys.fetch
        const { client, folder } = yield* deployment({
          env: { FOOTNOTE_MODEL_DIR: toys.folder.store, FOOTNOTE_MODEL_STACKS: toys.folder.stacks }
        })
        const clip = yield* makeClip(folder)
        const jobs = yield* Effect.forEach(
          ["standard", "auto", "builtin"],
          (model_stack) => submit(client, clip, { model_stack })
        )
        const models = yield* Effect.forEach(
          jobs,
          Effect.fnUntraced(function*({ id }) {
            const job = yield* finished(client, id)
            assert.strictEqual(job.status, "succeeded", JSON.stringify(job.record))
            const { model } = (yield* client.json(`/v1/jobs/${id}/transcript`)) as { readonly model: string }
            return [(job.record as { readonly model_stack: string }).model_stack, model]
          })
        )
        assert.deepStrictEqual(models.slice(0, 2), [
          ["standard", toys.version("toy-tdt/encoder.onnx")],
          ["standard", toys.version("toy-tdt/encoder.onnx")]
        ])
        assert.strictEqual(models[2]![0], "builtin")
        assert.match(models[2]![1]!, /^footnote-ctc-en@/u)
      })),
    300_000
  )
})
