import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Admission } from "../../src/jobs/Admission.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { Tasks } from "../../src/jobs/Tasks.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob } from "../support/TestEngine.ts"
import { settleNoop, stagePools, workOff } from "../support/WorkOff.ts"

const engine = TestEngine.layer()

/** Brings a job of this tenant to where its chunks are in line. */
const lineUp = Effect.fnUntraced(function*(tenant: string, chunks: number) {
  const jobs = yield* Jobs
  const tasks = yield* Tasks
  const { job } = yield* jobs.create(newJob(tenant, { chunks, video: false }))
  yield* workOff(["media"])
  for (;;) {
    const [task] = yield* tasks.claim("speech", 1, 1)
    if (task?.stage === "detect_speech" && task.job_id === job.id) return yield* settleNoop([task])
    if (task === undefined) return yield* Effect.die(new Error("The job's speech was never to be detected"))
    yield* settleNoop([task])
  }
})

/** Who is served over the next `count` tasks, one after the other. */
const serve = Effect.fnUntraced(function*(count: number) {
  const tasks = yield* Tasks
  const served: Array<string> = []
  for (let at = 0; at < count; at++) {
    const held = yield* tasks.claim("speech", 1, 1)
    served.push(held[0]!.tenant_id)
    yield* settleNoop(held)
  }
  return (tenant: string) => served.filter((id) => id === tenant).length
})

describe("tasks of several tenants", () => {
  it.live("share the workers evenly while both wait, however long one was there before", () =>
    Effect.gen(function*() {
      const [old, fresh] = [yield* makeTenant(), yield* makeTenant()]
      yield* lineUp(old, 100)
      yield* workOff(stagePools)
      yield* lineUp(old, 150)
      yield* lineUp(fresh, 150)
      const shareOf = yield* serve(100)
      assert.isAtLeast(shareOf(old), 45)
      assert.isAtLeast(shareOf(fresh), 45)
    }).pipe(Effect.provide(engine)))

  it.live("share by weight", () =>
    Effect.gen(function*() {
      const [heavy, light] = [yield* makeTenant({ weight: 3 }), yield* makeTenant({ weight: 1 })]
      yield* lineUp(light, 150)
      yield* lineUp(heavy, 150)
      const shareOf = yield* serve(80)
      assert.isAtLeast(shareOf(heavy), 54)
      assert.isAtLeast(shareOf(light), 14)
    }).pipe(Effect.provide(engine)))

  it.live("let a late-comer in at once, whatever waits before it", () =>
    Effect.gen(function*() {
      const [big, small] = [yield* makeTenant(), yield* makeTenant()]
      for (let at = 0; at < 5; at++) yield* lineUp(big, 60)
      yield* lineUp(small, 3)
      const shareOf = yield* serve(10)
      assert.strictEqual(shareOf(small), 4, "its three chunks and their speakers")
    }).pipe(Effect.provide(engine)))
})

const admitted = (tenant: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.map(
      sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM footnote.jobs
        WHERE tenant_id = ${tenant} AND admitted_at IS NOT NULL AND finished_at IS NULL`,
      (rows) => rows[0]!.n
    ))

describe("admission", () => {
  it.live("never lets a tenant hold more slots than it has, also when many admit at once", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { admit } = yield* Admission
      const tenant = yield* makeTenant({ max_running: 3 })
      yield* Effect.all([
        ...Array.from({ length: 12 }, () => jobs.create(newJob(tenant))),
        ...Array.from({ length: 4 }, () => admit)
      ], { concurrency: "unbounded" })
      assert.strictEqual(yield* admitted(tenant), 3)
    }).pipe(Effect.provide(engine)))

  it.live("fills a freed slot with the tenant's oldest waiting job", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { admit } = yield* Admission
      const tenant = yield* makeTenant({ max_running: 1 })
      const ids: Array<string> = []
      for (let at = 0; at < 3; at++) ids.push((yield* jobs.create(newJob(tenant))).job.id)
      yield* jobs.cancel(tenant, ids[0]!)
      yield* admit
      const sql = yield* PgClient.PgClient
      const running = yield* sql<{ readonly id: string }>`SELECT id FROM footnote.jobs
        WHERE tenant_id = ${tenant} AND admitted_at IS NOT NULL AND finished_at IS NULL`
      assert.deepStrictEqual(running.map((job) => job.id), [ids[1]])
    }).pipe(Effect.provide(engine)))

  it.live("gives the slots of a full service to tenants in turn", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { admit } = yield* Admission
      const [first, second] = [yield* makeTenant(), yield* makeTenant()]
      const mine: Array<string> = []
      for (let at = 0; at < 8; at++) mine.push((yield* jobs.create(newJob(first))).job.id)
      for (let at = 0; at < 4; at++) yield* jobs.create(newJob(second))
      assert.strictEqual(yield* admitted(first), 4)
      for (const id of mine.slice(0, 4)) yield* jobs.cancel(first, id)
      yield* admit
      assert.strictEqual(yield* admitted(first), 2)
      assert.strictEqual(yield* admitted(second), 2)
    }).pipe(Effect.provide(TestEngine.layer({ max_running: 4 }))))
})
