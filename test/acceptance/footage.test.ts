import { type Schema as JsonSchema, Validator } from "@cfworker/json-schema"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { writeArtifactFolder } from "../../src/cli/ArtifactFolder.ts"
import { type JobView, ServiceClient } from "../../src/cli/ServiceClient.ts"
import { JobFailureCode } from "../../src/jobs/model/JobFailure.ts"
import { breadth } from "../support/Breadth.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"

const verifyEvidence = fileURLToPath(new URL("../../tools/verify-evidence.ts", import.meta.url))
const assets = fileURLToPath(new URL("../../../shared/assets", import.meta.url))
const media = new Set([".mp4", ".mov", ".mkv", ".webm", ".avi", ".flv", ".ts", ".3gp", ".wav", ".mp3", ".opus", ".amr"])
const filesOf = (folder: string) =>
  existsSync(join(assets, folder))
    ? readdirSync(join(assets, folder)).toSorted().map((name) => join(assets, folder, name))
    : []

const real = breadth(filesOf("video/dev").filter((file) => media.has(extname(file).toLowerCase())))
const hostile = breadth(filesOf("hostile").filter((file) => !/\.(json|sh|mjs|py)$/u.test(file)))
if (real.length === 0) {
  process.stderr.write("Skipped: real and hostile footage, because ../shared/assets is not here.\n")
}

interface Outcome {
  readonly file: string
  /** Undefined where the upload or the job was refused at submission. */
  readonly job: JobView | undefined
}

/** Everything is submitted at once and waited for in order: the queue is part of what is tried. */
const outcomes = Effect.fnUntraced(function*(client: ServiceClient["Service"], files: ReadonlyArray<string>) {
  const ids = new Map<string, string>()
  for (const file of files) {
    const job = yield* Effect.exit(submit(client, file, {}))
    if (job._tag === "Success") ids.set(file, job.value.id)
  }
  const all: Array<Outcome> = []
  for (const file of files) {
    const id = ids.get(file)
    all.push({ file, job: id === undefined ? undefined : yield* finished(client, id) })
  }
  return all
})

describe("POST /v1/jobs with footage as people have it", () => {
  it.live.skipIf(real.length === 0)(
    "succeeds for every real clip, with a result that an independent validator accepts and spans that a separate program verifies",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { client, folder } = yield* deployment({})
        const out = join(folder, "out")
        const { json_schema } = (yield* client.json("/v1/schemas/sch_template_default")) as unknown as {
          readonly json_schema: { readonly [key: string]: Schema.Json }
        }
        const validator = new Validator(json_schema as JsonSchema, "2020-12")
        for (const { file, job } of yield* outcomes(client, real)) {
          assert.strictEqual(job?.status, "succeeded", `${file}: ${JSON.stringify(job?.error)}`)
          const { result } = (job as JobView).record as { readonly result: Schema.Json }
          const { errors, valid } = validator.validate(result)
          assert.isTrue(valid, `${file}: ${JSON.stringify(errors)}`)
          yield* writeArtifactFolder({ folder: out, job_id: job!.id, job: job!.record, result, json_schema }).pipe(
            Effect.provideService(ServiceClient, client),
            Effect.provide(NodeServices.layer),
            Effect.orDie
          )
          const verifier = spawnSync(process.execPath, [verifyEvidence, out], { encoding: "utf8" })
          assert.strictEqual(verifier.status, 0, `${file}: ${verifier.stdout}${verifier.stderr}`)
          rmSync(out, { recursive: true })
        }
      })),
    1_800_000
  )

  it.live.skipIf(hostile.length === 0)(
    "ends for every hostile file: a result, or a failure with a code of the closed list",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { client } = yield* deployment({})
        for (const { file, job } of yield* outcomes(client, hostile)) {
          if (job === undefined || job.status === "succeeded") continue
          assert.strictEqual(job.status, "failed", file)
          assert.include(JobFailureCode.literals, job.error?.code, file)
          assert.notInclude(
            ["INTERNAL", "TASK_LOST", "MODEL_UNAVAILABLE"],
            job.error?.code,
            `${file}: ${job.error?.message}`
          )
        }
      })),
    1_800_000
  )
})
