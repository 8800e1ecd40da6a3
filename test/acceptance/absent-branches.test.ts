import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { makeClip, recipes } from "../workers/media/MediaLab.ts"

type Artifacts = Record<"frames" | "vision" | "transcript", Readonly<Record<string, any>>>

describe("POST /v1/jobs with a source that has only sound or only pictures", () => {
  it.live(
    "succeeds, says which branch is absent in every artifact of it, and makes no error of that",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { api_key, base_url, client, folder } = yield* deployment({})
        const { ffmpeg } = yield* findMediaTools
        const run = Effect.fnUntraced(function*(name: string, recipe: ReadonlyArray<string>) {
          const job = yield* finished(client, (yield* submit(client, makeClip(ffmpeg, folder, name, recipe), {})).id)
          assert.strictEqual(job.status, "succeeded", JSON.stringify(job.error))
          const read = (path: string) => Effect.orDie(client.json(`/v1/jobs/${job.id}/${path}`))
          const artifacts = {
            frames: yield* read("frames"),
            vision: yield* read("vision"),
            transcript: yield* read("transcript")
          } as unknown as Artifacts
          const source = (job.record as { readonly source: Record<string, unknown> }).source
          return { job, source, ...artifacts }
        })

        for (const [name, recipe] of [["sound.m4a", recipes.sound_only], ["cover.mp3", recipes.cover_art]] as const) {
          const { frames, job, source, vision } = yield* run(name, recipe)
          assert.deepInclude(frames, { visual_branch: "absent", sampled: 0, kept: 0, frames: [] }, name)
          assert.deepInclude(vision, { visual_branch: "absent", frames: [] }, name)
          assert.deepInclude(source, { video: null, width: null, height: null, frame_rate: null }, name)
          assert.strictEqual(yield* Effect.promise(() => imageStatus(base_url, api_key, job.id)), 404)
        }

        const { frames, source, transcript, vision } = yield* run("pictures.mp4", recipes.video_only)
        assert.deepInclude(transcript, { audio_branch: "absent", segments: [], text: "", speakers: [] })
        assert.deepInclude(source, { audio: null })
        assert.strictEqual(frames.visual_branch, "present")
        assert.strictEqual(vision.frames.length, frames.kept)
        assert.isAbove(frames.kept, 0)
      })),
    300_000
  )
})

const imageStatus = async (base_url: string, api_key: string, id: string): Promise<number> => {
  const call = { headers: { authorization: `Bearer ${api_key}` } }
  return (await fetch(`${base_url}/v1/jobs/${id}/frames/frm_000000/image`, call)).status
}
