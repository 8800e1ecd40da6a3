import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import type { JobId, TenantId } from "../../../src/identity/Id.ts"
import { Tasks } from "../../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { Charges } from "../../../src/usage/ledger/Charges.ts"
import { CostQuota } from "../../../src/usage/ledger/CostQuota.ts"
import { noopOutput } from "../../support/NoopStages.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"
import { settleNoop, workOff } from "../../support/WorkOff.ts"

const services = Layer.mergeAll(Charges.layer, CostQuota.layer).pipe(Layer.provideMerge(TestEngine.layer()))

/** Works a new job off up to its extraction, and gives that task as its worker holds it. */
const atExtraction = Effect.fnUntraced(function*(tenant: TenantId) {
  const jobs = yield* Jobs
  const tasks = yield* Tasks
  const { job } = yield* jobs.create(newJob(tenant))
  yield* workOff(["fetch", "media", "speech", "vision"])
  const [task] = yield* tasks.claim("extraction", 1, 1)
  return { id: job.id as JobId, task: task! }
})

layer(services, { excludeTestServices: true })("Charges", (it) => {
  it.effect("only grow: telling a sum again, late or out of order changes nothing", () =>
    Effect.gen(function*() {
      const { record, total } = yield* Charges
      const tenant = yield* makeTenant()
      const { id, task } = yield* atExtraction(tenant)
      const charge = (tokens: number, cost: number) =>
        record({ tenant_id: tenant, job_id: id, task_id: task.id, attempt: 0, tokens, cost })
      yield* charge(100, 0.1)
      yield* charge(300, 0.3)
      yield* charge(200, 0.2)
      yield* charge(300, 0.3)
      assert.deepStrictEqual(yield* total(id), { tokens: 300, cost: 0.3 })
    }))

  it.effect("of attempts that failed are in the job's usage beside those of the one that settled", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const { record } = yield* Charges
      const tenant = yield* makeTenant()
      const { id, task } = yield* atExtraction(tenant)
      yield* record({ tenant_id: tenant, job_id: id, task_id: task.id, attempt: task.attempt, tokens: 50, cost: 0.05 })
      yield* tasks.giveBack([task])
      const [again] = yield* tasks.claim("extraction", 1, 1)
      assert.strictEqual(again!.id, task.id)
      assert.notStrictEqual(again!.attempt, task.attempt)
      // 120 tokens for 0.25, which the output tells and nobody has booked.
      yield* settleNoop([again!])
      const done = yield* jobs.get(tenant, id)
      assert.strictEqual(done.status, "succeeded")
      assert.deepInclude(done.usage, { tokens: 170, cost: 0.3 })
    }))

  it.effect("that come after the job is over count for the quota, and leave the job as it was", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { record } = yield* Charges
      const { state } = yield* CostQuota
      const tenant = yield* makeTenant({ cost_quota: 10 })
      const { id, task } = yield* atExtraction(tenant)
      const charge = (cost: number) =>
        record({ tenant_id: tenant, job_id: id, task_id: task.id, attempt: task.attempt, tokens: 1, cost })
      yield* charge(1)
      const cancelled = yield* jobs.cancel(tenant, id)
      assert.strictEqual(cancelled.usage.cost, 1)
      yield* charge(2)
      assert.deepStrictEqual(yield* jobs.get(tenant, id), cancelled)
      assert.deepInclude(yield* state(tenant), { quota: 10, used: 2, reserved: 0 })
    }))

  it.effect("hold back of a job what it was expected to cost and has not spent", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const { priced, record } = yield* Charges
      const { expected, state } = yield* CostQuota
      yield* priced({ model: "m", job_tokens: 500_000, input_price: 1, output_price: 4 })
      const tenant = yield* makeTenant({ cost_quota: 10 })
      assert.deepStrictEqual(yield* expected(tenant, "builtin"), { cost: 2, ceiling: 2 })
      const { id, task } = yield* atExtraction(tenant)
      assert.deepInclude(yield* state(tenant), { used: 0, reserved: 2 })
      yield* record({ tenant_id: tenant, job_id: id, task_id: task.id, attempt: 0, tokens: 1, cost: 0.5 })
      assert.deepInclude(yield* state(tenant), { used: 0.5, reserved: 1.5 })
      yield* record({ tenant_id: tenant, job_id: id, task_id: task.id, attempt: 0, tokens: 1, cost: 3 })
      assert.deepInclude(yield* state(tenant), { used: 3, reserved: 0 })
      yield* settleNoop([task])
      assert.deepStrictEqual(yield* expected(tenant, "builtin"), { cost: 2, ceiling: 2 }, "never more than the ceiling")
      // A model that no worker has told of for a day costs nobody anything.
      yield* sql`UPDATE footnote.model_prices SET seen_at = now() - interval '25 hours'`
      assert.deepStrictEqual(yield* expected(yield* makeTenant(), "builtin"), { cost: 0, ceiling: null })
    }))

  it.effect("hold back no less because jobs on the tenant's own model, which has no price here, came last", () =>
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const { priced } = yield* Charges
      const { expected, state } = yield* CostQuota
      yield* priced({ model: "m", job_tokens: 500_000, input_price: 1, output_price: 4 })
      const onOwnModel = Effect.fnUntraced(function*(tenant: TenantId) {
        const { task } = yield* atExtraction(tenant)
        const output = { ...noopOutput(task) as object, tokens: 9000, cost: 0 }
        yield* tasks.settle("extraction", [{ task, output }])
      })
      const tenant = yield* makeTenant({ cost_quota: 10 })
      yield* onOwnModel(tenant)
      assert.deepStrictEqual(
        yield* expected(tenant, "builtin"),
        { cost: 2, ceiling: 2 },
        "nothing it paid for is known"
      )
      // One for 0.25.
      yield* settleNoop([(yield* atExtraction(tenant)).task])
      yield* onOwnModel(tenant)
      assert.deepStrictEqual(yield* expected(tenant, "builtin"), { cost: 0.25, ceiling: 2 })
      yield* atExtraction(tenant)
      assert.deepInclude(yield* state(tenant), { used: 0.25, reserved: 0.25 })
    }))
})

/** The effect at a moment: only what it asks the clock for, since a pool of connections lives by the same clock. */
const at = <A, E, R>(moment: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock): Effect.Effect<A, E, R> => {
    const currentTimeMillis = Effect.succeed(Date.parse(moment))
    return Effect.provideService(effect, Clock.Clock, Object.assign(Object.create(clock), { currentTimeMillis }))
  })

layer(services, { excludeTestServices: true })("a cost quota over time", (it) => {
  it.effect("is whole again with the first millisecond of the next month in UTC", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const { state } = yield* CostQuota
      const tenant = yield* makeTenant({ cost_quota: 10 })
      yield* sql`INSERT INTO footnote.charges (tenant_id, job_id, task_id, attempt, tokens, cost, at)
        VALUES (${tenant}, 'job_1', gen_random_uuid(), 0, 1, 4, '2026-12-01T00:00:00.000Z'),
          (${tenant}, 'job_1', gen_random_uuid(), 0, 1, 5, '2026-12-31T23:59:59.999Z'),
          (${tenant}, 'job_1', gen_random_uuid(), 0, 1, 6, '2027-01-01T00:00:00.000Z')`
      const december = yield* at("2026-12-31T23:59:59.999Z", state(tenant))
      assert.strictEqual(december.used, 9)
      assert.strictEqual(december.period.to.toISOString(), "2027-01-01T00:00:00.000Z")
      assert.strictEqual((yield* at("2027-01-01T00:00:00.000Z", state(tenant))).used, 6)
    }))
})
