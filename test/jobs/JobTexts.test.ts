import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { TenantId } from "../../src/identity/Id.ts"
import { Tasks } from "../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { JobNotFound } from "../../src/jobs/model/Job.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob } from "../support/TestEngine.ts"
import { settleNoop, stagePools } from "../support/WorkOff.ts"

/** Every job of a tenant, read by itself, together and as a page, twice: the second time as it is known. */
const sameAsRecords = Effect.fnUntraced(function*(tenant: TenantId) {
  const jobs = yield* Jobs
  const records = (yield* jobs.list(tenant, { limit: 100 })).jobs
  const expected = records.map((record) => JSON.stringify(record))
  for (let time = 0; time < 2; time++) {
    assert.deepStrictEqual((yield* jobs.texts(tenant, { limit: 100 })).jobs.map(({ json }) => json), expected)
    const single = yield* Effect.forEach(records, ({ id }) => jobs.text(tenant, id), { concurrency: "unbounded" })
    assert.deepStrictEqual(single.map(({ json }) => json), expected)
    assert.deepStrictEqual(single.map(({ id, status }) => [id, status]), records.map(({ id, status }) => [id, status]))
  }
  return records.map(({ status }) => status)
})

layer(TestEngine.layer(), { excludeTestServices: true })("The texts of jobs", (it) => {
  it.effect("are their records to the byte after every step of the work", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant({ max_running: 2 })
      const webhook = { webhook_url: "https://hooks.test/", webhook_secret: Uint8Array.of(1) }
      for (const more of [webhook, {}, { metadata: { team: "a" } }]) yield* jobs.create(newJob(tenant, {}, more))
      const seen = new Set(yield* sameAsRecords(tenant))
      for (let worked = true; worked;) {
        worked = false
        for (const pool of stagePools) {
          const held = yield* tasks.claim(pool, 8, 1)
          if (held.length === 0) continue
          worked = true
          for (const status of yield* sameAsRecords(tenant)) seen.add(status)
          const progress = held.map((task) => ({ task, processed_seconds: 1, total_seconds: 4 }))
          yield* tasks.report(new Set(held.map(({ job_id }) => job_id)), progress)
          yield* sameAsRecords(tenant)
          yield* settleNoop(held)
          for (const status of yield* sameAsRecords(tenant)) seen.add(status)
        }
      }
      assert.deepStrictEqual([...seen].toSorted(), ["queued", "running", "succeeded"])
    }))

  it.effect("are another tenant's neither before nor after they are known, and gone with the job", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
      const { job } = yield* jobs.create(newJob(tenant))
      for (let time = 0; time < 2; time++) {
        assert.deepStrictEqual(yield* Effect.flip(jobs.text(stranger, job.id)), new JobNotFound())
        assert.lengthOf((yield* jobs.texts(stranger, { limit: 10 })).jobs, 0)
        yield* sameAsRecords(tenant)
      }
      for (const id of ["job_", "nonsense", "job_\u0000", "job_' OR 1=1"]) {
        assert.deepStrictEqual(yield* Effect.flip(jobs.text(tenant, id)), new JobNotFound())
      }
      yield* jobs.cancel(tenant, job.id)
      assert.deepStrictEqual(yield* sameAsRecords(tenant), ["cancelled"])
      yield* sql`UPDATE footnote.jobs SET deleted_at = now() WHERE id = ${job.id}`
      assert.deepStrictEqual(yield* Effect.flip(jobs.text(tenant, job.id)), new JobNotFound())
      assert.lengthOf((yield* jobs.texts(tenant, { limit: 10 })).jobs, 0)
    }))

  it.effect("page as the records do, one by one and by what is asked for", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const made = yield* Effect.forEach(Array.from({ length: 5 }), () => jobs.create(newJob(tenant)))
      yield* jobs.cancel(tenant, made[2]!.job.id)
      for (const filter of [{}, { status: ["cancelled"] as const }, { status: ["queued"] as const }]) {
        let before: string | undefined
        for (let more = true; more;) {
          const records = yield* jobs.list(tenant, { limit: 2, after: before }, filter)
          const texts = yield* jobs.texts(tenant, { limit: 2, before }, filter)
          assert.deepStrictEqual(
            texts.jobs.map(({ json }) => json),
            records.jobs.map((record) => JSON.stringify(record))
          )
          assert.strictEqual(texts.more, records.more)
          before = texts.jobs.at(-1)?.id
          more = texts.more
        }
      }
    }))

  it.effect("page for each caller who asks at once what he asked for, with every job that was there before he did", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const [one, other] = [yield* makeTenant(), yield* makeTenant()]
      const kept = yield* jobs.create(newJob(other))
      for (let made = 1; made <= 5; made++) {
        // Others ask for the same page meanwhile, by statements that may have begun before the job was there.
        const busy = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 20 }), () => jobs.texts(one, { limit: 100 }), { concurrency: 5 })
        )
        const { job } = yield* jobs.create(newJob(one))
        const asked = [[one, 100], [other, 100], [one, 1], [one, 100]] as const
        const [all, theirs, first, again] = yield* Effect.forEach(
          asked,
          ([tenant, limit]) => jobs.texts(tenant, { limit }),
          { concurrency: "unbounded" }
        )
        yield* Fiber.join(busy)
        assert.lengthOf(all!.jobs, made)
        assert.deepStrictEqual(again, all)
        assert.deepStrictEqual(theirs!.jobs.map(({ id }) => id), [kept.job.id])
        assert.deepStrictEqual(first!.jobs.map(({ id }) => id), [job.id])
        assert.strictEqual(first!.more, made > 1)
      }
    }))
})
