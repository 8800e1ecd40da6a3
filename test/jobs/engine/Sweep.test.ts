import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Janitor } from "../../../src/jobs/engine/Janitor.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"

describe("what a job that was cancelled leaves in the queue", () => {
  it.live("goes with its other tasks once they are no longer kept, and holds up no pool's return to zero before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* Jobs
      const { sweep } = yield* Janitor
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      yield* jobs.cancel(tenant, job.id)
      const tasks = sql<{ readonly done: boolean }>`SELECT done FROM footnote.tasks WHERE job_id = ${job.id}`
      const shares = sql<{ readonly finish: number }>`SELECT finish FROM footnote.fair_shares`
      assert.deepStrictEqual((yield* tasks).map(({ done }) => done), [false])
      yield* sql`UPDATE footnote.fair_shares SET finish = 2e8`
      yield* sweep
      assert.lengthOf(yield* tasks, 1)
      assert.lengthOf(yield* shares, 0)
      // Of another job that waits nothing goes, and its pool counts on.
      const waiting = yield* jobs.create(newJob(tenant))
      yield* sql`UPDATE footnote.fair_shares SET finish = 2e8`
      yield* sql`UPDATE footnote.jobs SET created_at = now() - interval '400 days', finished_at = now() - interval '399 days'
        WHERE id = ${job.id}`
      yield* sweep
      assert.lengthOf(yield* tasks, 0)
      assert.lengthOf(yield* sql`SELECT FROM footnote.tasks WHERE job_id = ${waiting.job.id}`, 1)
      assert.lengthOf(yield* shares, 1)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})
