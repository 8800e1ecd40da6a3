import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Vision } from "../../src/artifacts/Vision.ts"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { makeToyStacks } from "../workers/speech/drivers/ToyStack.ts"
import { said } from "../workers/vision/drivers/ToyPictureModels.ts"
import { toyVersion } from "../workers/vision/drivers/ToyVisionStacks.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

const sentenceOf = ({ description }: Vision["frames"][number]) => description

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
            const vision = (yield* client.json(`/v1/jobs/${id}/vision`)) as Vision
            return [(job.record as { readonly model_stack: string }).model_stack, model, vision] as const
          })
        )
        const seen = models.map(([, , { frames, model }]) => ({ model, sentences: frames.map(sentenceOf) }))
        assert.deepStrictEqual(seen[1], seen[0])
        assert.strictEqual(seen[0]!.model, `footnote-rules + pp-ocr-v4 + ${toyVersion("florence2")}`)
        assert.strictEqual(seen[2]!.model, "footnote-objects + footnote-rules + pp-ocr-v4")
        assert.isAbove(seen[2]!.sentences.length, 0)
        for (const [i, sentence] of seen[2]!.sentences.entries()) {
          assert.include([said.bright, said.dark].map((own) => `${own} ${sentence}`), seen[0]!.sentences[i])
        }
        assert.deepStrictEqual(models.slice(0, 2).map((told) => told.slice(0, 2)), [
          ["standard", toys.version("toy-tdt/encoder.onnx")],
          ["standard", toys.version("toy-tdt/encoder.onnx")]
        ])
        assert.strictEqual(models[2]![0], "builtin")
        assert.match(models[2]![1]!, /^moonshine-base-en@/u)
      })),
    300_000
  )
})
