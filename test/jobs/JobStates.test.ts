import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { Janitor } from "../../src/jobs/engine/Janitor.ts"
import { type HeldTask, Tasks } from "../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { isTerminal, type JobStatus } from "../../src/jobs/model/Job.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob } from "../support/TestEngine.ts"
import { settleNoop, stagePools, workOff } from "../support/WorkOff.ts"

const legal: { readonly [S in JobStatus]: ReadonlyArray<JobStatus> } = {
  queued: ["running", "failed", "cancelled"],
  running: ["succeeded", "failed", "cancelled"],
  succeeded: [],
  failed: [],
  cancelled: []
}

const move = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("settle" as const), pick: fc.nat(), again: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("stumble" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("break" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("give back" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose worker" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const) }) }
)

layer(TestEngine.layer(), { excludeTestServices: true })("a job", (it) => {
  it.effect("makes legal moves only, is terminal once, and ends if only somebody works", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const sql = yield* PgClient.PgClient
      const { bury, reap } = yield* Janitor
      const tenant = yield* makeTenant()
      const run = Effect.runPromiseWith(yield* Effect.context<TestEngine.Services>())

      const play = Effect.fnUntraced(
        function*(moves: ReadonlyArray<typeof move extends fc.Arbitrary<infer M> ? M : never>) {
          const { job } = yield* jobs.create(
            newJob(tenant, { chunks: 3, images: 5 }, {
              webhook_url: "https://h.test/",
              webhook_secret: Uint8Array.of(1)
            })
          )
          let status: JobStatus = "queued"
          // Stale claims are kept on purpose: what their holders say must change nothing.
          const held: Array<HeldTask> = []
          for (const next of moves) {
            for (const pool of stagePools) held.push(...yield* tasks.claim(pool, 2, 7))
            const task = "pick" in next ? held[next.pick % held.length] : undefined
            if (next.kind === "cancel") yield* Effect.ignore(jobs.cancel(tenant, job.id))
            else if (next.kind === "lose worker") {
              yield* reap
              yield* reap
              yield* bury
            } else if (task !== undefined) {
              if (next.kind === "settle") yield* settleNoop(next.again ? [task, task] : [task])
              else if (next.kind === "give back") yield* tasks.giveBack([task])
              else {
                const retryable = next.kind === "stumble"
                yield* tasks.fail(task, new StageFailure({ code: "INTERNAL", message: "Imagined.", retryable }))
              }
            }
            const now = (yield* jobs.get(tenant, job.id)).status
            // Two moves may lie between two looks: queued → running → terminal.
            assert.isTrue(
              now === status || legal[status].includes(now) || legal[status].some((via) => legal[via].includes(now))
            )
            status = now
          }
          yield* reap
          yield* reap
          yield* bury
          yield* workOff(stagePools)
          const end = yield* jobs.get(tenant, job.id)
          assert.isTrue(isTerminal(end.status), `${end.status} after ${JSON.stringify(moves)}`)
          const [books] = yield* sql<{ readonly terminal: number; readonly deliveries: number; readonly open: number }>`
          SELECT (SELECT count(*)::int FROM footnote.job_events WHERE job_id = ${job.id} AND type = 'status'
              AND data->>'status' IN ('succeeded', 'failed', 'cancelled')) AS terminal,
            (SELECT count(*)::int FROM footnote.deliveries WHERE job_id = ${job.id}) AS deliveries,
            (SELECT count(*)::int FROM footnote.stages WHERE job_id = ${job.id} AND finished_at IS NULL) AS open`
          assert.deepStrictEqual({ ...books! }, { terminal: 1, deliveries: 1, open: 0 })
          if (end.status === "succeeded") assert.strictEqual(end.progress.fraction, 1)
        }
      )

      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(move, { maxLength: 30 }), (moves) => run(play(moves))),
          { numRuns: 25 }
        )
      )
    }))
})
