import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import type { TenantId } from "../../../src/identity/Id.ts"
import { Tasks } from "../../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"
import { settleNoop, stagePools, workOff } from "../../support/WorkOff.ts"

const hooked = (tenant: TenantId) =>
  newJob(tenant, {}, { webhook_url: "https://hooks.test/", webhook_secret: Uint8Array.of(1) })

interface DeliveryRow {
  readonly id: string
  readonly event_id: string
  readonly event_type: string
  readonly status: string
}

const deliveriesOf = (job_id: string) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql<DeliveryRow>`SELECT id, event_id, event_type, status FROM footnote.deliveries WHERE job_id = ${job_id}`
  )

layer(TestEngine.layer(), { excludeTestServices: true })("DeliveryQueue", (it) => {
  it.effect("is due once a job with a webhook_url is terminal, not before, and never for a job without one", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(hooked(tenant))
      assert.lengthOf(yield* deliveriesOf(job.id), 0)
      yield* workOff(stagePools)
      const [delivery] = yield* deliveriesOf(job.id)
      assert.deepInclude(delivery!, { event_type: "job.succeeded", status: "pending" })
      assert.strictEqual(delivery!.event_id.slice(4), job.id.slice(4))
      const silent = yield* jobs.create(newJob(tenant))
      yield* jobs.cancel(tenant, silent.job.id)
      assert.lengthOf(yield* deliveriesOf(silent.job.id), 0)
      yield* workOff(["delivery"])
    }))

  it.effect("makes every attempt a task of its own, so that waiting uses up no retry", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(hooked(tenant))
      yield* jobs.cancel(tenant, job.id)
      const attempts: Array<number> = []
      for (let number = 0; number < 12; number++) {
        const [task] = yield* tasks.claim("delivery", 1, 1)
        assert.deepStrictEqual(task!.input, { delivery_id: `dlv_${job.id.slice(4)}`, turn: 0 })
        attempts.push(task!.attempt)
        yield* tasks.reschedule(task!, DateTime.toDateUtc(yield* DateTime.now))
      }
      assert.deepStrictEqual(attempts, Array.from({ length: 12 }, () => 0))
      const last = yield* tasks.claim("delivery", 1, 1)
      yield* settleNoop(last)
      assert.lengthOf(yield* tasks.claim("delivery", 1, 1), 0)
      assert.lengthOf(yield* deliveriesOf(job.id), 1)
      assert.strictEqual((yield* jobs.get(tenant, job.id)).status, "cancelled")
    }))

  it.effect("keeps an attempt of later out of reach until then", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(hooked(tenant))
      yield* jobs.cancel(tenant, job.id)
      const [task] = yield* tasks.claim("delivery", 1, 1)
      const later = DateTime.add(yield* DateTime.now, { hours: 5 })
      yield* tasks.reschedule(task!, DateTime.toDateUtc(later))
      assert.lengthOf(yield* tasks.claim("delivery", 1, 1), 0)
      const sql = yield* PgClient.PgClient
      const [row] = yield* sql<{ readonly hours: number }>`
        SELECT extract(epoch FROM start_after - now())::float8 / 3600 AS hours
        FROM pgboss.job WHERE name = 'delivery' AND state = 'created'`
      assert.closeTo(row!.hours, 5, 0.1)
    }))
})
