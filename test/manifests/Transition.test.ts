import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Jobs } from "../../src/jobs/Jobs.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob } from "../support/TestEngine.ts"
import { stagePools, workOff } from "../support/WorkOff.ts"

const manifestOf = (job_id: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    sql<{ predicate: any; subjects: string | null }>`
      SELECT m.predicate, a.sha256 AS subjects FROM footnote.manifests m
      LEFT JOIN footnote.artifacts a ON a.job_id = m.job_id AND a.kind = 'subjects' WHERE m.job_id = ${job_id}`)

layer(TestEngine.layer(), { excludeTestServices: true })("what a manifest states", (it) => {
  it.effect("is written by the transaction that makes the job succeeded, not before", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      yield* workOff(stagePools.filter((pool) => pool !== "extraction"))
      assert.lengthOf(yield* manifestOf(job.id), 0)
      yield* workOff(stagePools)
      const [row] = yield* manifestOf(job.id)
      assert.strictEqual(row!.subjects, "0".repeat(64))
      assert.deepStrictEqual(row!.predicate.warnings, [{ code: "PROBED", message: "A warning of the probe." }])
      assert.deepStrictEqual(row!.predicate.models.map(({ role }: { role: string }) => role), ["asr", "ocr", "speaker"])
    }))

  it.effect("is equal for two jobs over the same, and not written for one that is cancelled", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const [one, two, gone] = [
        yield* jobs.create(newJob(tenant)),
        yield* jobs.create(newJob(tenant)),
        yield* jobs.create(newJob(tenant))
      ]
      yield* jobs.cancel(tenant, gone.job.id)
      yield* workOff(stagePools)
      const [first, second] = [yield* manifestOf(one.job.id), yield* manifestOf(two.job.id)]
      assert.lengthOf(first, 1)
      assert.deepStrictEqual(second, first)
      assert.lengthOf(yield* manifestOf(gone.job.id), 0)
    }))
})
