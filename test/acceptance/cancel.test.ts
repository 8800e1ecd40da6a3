import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { deployment, finished, submit } from "../support/Deployment.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

/** Decoders whose command line names the deployment's folder, and model processes below this process that are busy. */
const decoders = (folder: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => /^\d+$/u.test(name)).flatMap((name) => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ")
      return /ff(mpeg|probe)/u.test(command) && command.includes(folder) ? [command] : []
    } catch {
      return []
    }
  })

interface StageView {
  readonly name: string
  readonly status: string
}

describe("POST /v1/jobs/{id}/cancel", () => {
  it.live(
    "cancels at once in whatever stage the job is, leaves no decoder behind and frees the slot",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { client, folder } = yield* deployment({})
        const stagesOf = (id: string) =>
          client.json(`/v1/jobs/${id}`).pipe(
            Effect.map((job) => (job as unknown as { progress: { stages: ReadonlyArray<StageView> } }).progress.stages)
          )
        for (const stage of ["fetch", "frames", "transcribe", "describe", "extract"]) {
          const job = yield* submit(client, sample, {})
          yield* stagesOf(job.id).pipe(
            Effect.repeat({
              schedule: Schedule.spaced("5 millis"),
              until: (stages) => stages.some(({ name, status }) => name === stage && status !== "waiting")
            })
          )
          yield* client.cancel(job.id).pipe(Effect.ignore)
          const after = yield* client.job(job.id)
          // A short stage may have been the last one: then the job has succeeded and cancel says so.
          assert.include(stage === "extract" ? ["cancelled", "succeeded"] : ["cancelled"], after.status, stage)
          yield* Effect.sync(() => decoders(folder)).pipe(
            Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (left) => left.length === 0 }),
            Effect.timeout("2 seconds")
          )
        }
        const next = yield* finished(client, (yield* submit(client, sample, {})).id)
        assert.strictEqual(next.status, "succeeded")
      })),
    300_000
  )
})
