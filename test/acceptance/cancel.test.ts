import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { fileURLToPath } from "node:url"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { descendants } from "../support/Processes.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

const decoders = () => descendants().filter(({ command }) => /ff(?:mpeg|probe)/u.test(command))

/** Processor time that each model process has used: they stay for the next job, but they must not work on. */
const modelTicks = () =>
  new Map(descendants().flatMap(({ command, pid, ticks }) => command.includes("-compute.ts") ? [[pid, ticks]] : []))

const spentSince = (before: ReadonlyMap<number, number>) =>
  [...modelTicks()].reduce((sum, [pid, ticks]) => sum + ticks - (before.get(pid) ?? 0), 0)

/** No decoder is left, and no model process has used processor time for a tenth of a second. */
const quiet = Effect.gen(function*() {
  const before = modelTicks()
  yield* Effect.sleep("100 millis")
  return decoders().length === 0 && spentSince(before) === 0
})

const stages = ["fetch", "probe", "audio", "frames", "detect_speech", "transcribe", "diarize", "describe", "extract"]

interface StageView {
  readonly name: string
  readonly status: string
}

describe("POST /v1/jobs/{id}/cancel", () => {
  it.live(
    "cancels at once in whatever stage the job is, leaves no decoder and no working model behind, and frees the slot",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { client } = yield* deployment({})
        let sawDecoder = false
        const stagesOf = (id: string) =>
          client.json(`/v1/jobs/${id}`).pipe(
            Effect.map((job) => (job as unknown as { progress: { stages: ReadonlyArray<StageView> } }).progress.stages)
          )
        for (const stage of stages) {
          const job = yield* submit(client, sample, {})
          yield* stagesOf(job.id).pipe(
            Effect.repeat({
              schedule: Schedule.spaced("5 millis"),
              until: (stages) => stages.some(({ name, status }) => name === stage && status !== "waiting")
            })
          )
          const decodersAtCancel = decoders().length
          const before = modelTicks()
          yield* client.cancel(job.id).pipe(Effect.ignore)
          const after = yield* client.job(job.id)
          // A short stage may have been the last one: then the job has succeeded and cancel says so.
          assert.include(stage === "extract" ? ["cancelled", "succeeded"] : ["cancelled"], after.status, stage)
          yield* quiet.pipe(Effect.repeat({ until: (still) => still }))
          // Processor time, which no load on the machine lengthens: 2 s in ticks of a hundredth.
          assert.isAtMost(spentSince(before), 200, stage)
          sawDecoder ||= decodersAtCancel > 0
        }
        assert.isTrue(sawDecoder, "a decoder was at work when the job was cancelled")
        const next = yield* finished(client, (yield* submit(client, sample, {})).id)
        assert.strictEqual(next.status, "succeeded")
      })),
    300_000
  )
})
