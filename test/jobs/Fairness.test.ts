import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { advisoryLocks } from "../../src/database/AdvisoryLocks.ts"
import type { TenantId } from "../../src/identity/Id.ts"
import { Admission } from "../../src/jobs/engine/Admission.ts"
import { Janitor } from "../../src/jobs/engine/Janitor.ts"
import { type HeldTask, Tasks } from "../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { pools } from "../../src/processes/Pools.ts"
import { Queue } from "../../src/queue/Queue.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob } from "../support/TestEngine.ts"
import { settleNoop, stagePools, workOff } from "../support/WorkOff.ts"

const engine = TestEngine.layer()

/** Brings a job of this tenant to where its chunks are in line. */
const lineUp = Effect.fnUntraced(function*(tenant: TenantId, chunks: number) {
  const jobs = yield* Jobs
  const tasks = yield* Tasks
  const { job } = yield* jobs.create(newJob(tenant, { chunks, video: false }))
  yield* workOff(["fetch", "media"])
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
  return (tenant: TenantId) => served.filter((id) => id === tenant).length
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

/** A live worker of the pool with so many slots, as its own process would have written it down. */
const worker = (no: number, slots: number | null) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    sql`INSERT INTO footnote.workers (no, pools, slots, host, pid)
      VALUES (${no}, '["fetch"]', ${slots === null ? null : JSON.stringify({ fetch: slots })}::jsonb, 'test', ${no})`)

describe("the last slot of a pool", () => {
  it.live("is never a tenant's that holds all others, and another tenant's first task finds it free", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const [greedy, other] = [yield* makeTenant(), yield* makeTenant()]
      yield* worker(1, 2)
      yield* worker(2, 1)
      for (let at = 0; at < 6; at++) yield* jobs.create(newJob(greedy))
      const claimed = yield* Effect.all([tasks.claim("fetch", 2, 1), tasks.claim("fetch", 1, 2)], {
        concurrency: "unbounded"
      })
      const held = claimed.flat()
      for (const no of [1, 2]) held.push(...(yield* tasks.claim("fetch", 3 - held.length, no)))
      assert.lengthOf(held, 2, "of three slots")
      yield* jobs.create(newJob(other))
      const [first] = yield* tasks.claim("fetch", 1, 2)
      assert.strictEqual(first?.tenant_id, other)
      assert.lengthOf(yield* tasks.claim("fetch", 1, 2), 0, "the line goes on when one of the three ends")
      yield* settleNoop(held.slice(0, 1))
      assert.strictEqual((yield* tasks.claim("fetch", 1, 1))[0]?.tenant_id, greedy)
    }).pipe(Effect.provide(TestEngine.layer())))

  it.live("is kept free where eight workers claim at the same moment for one tenant", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const greedy = yield* makeTenant()
      for (let no = 1; no <= 8; no++) yield* worker(no, 1)
      for (let at = 0; at < 10; at++) yield* jobs.create(newJob(greedy))
      const claims = Array.from({ length: 8 }, (_, at) => tasks.claim("fetch", 1, at + 1))
      assert.lengthOf((yield* Effect.all(claims, { concurrency: "unbounded" })).flat(), 7)
    }).pipe(Effect.provide(TestEngine.layer())))

  it.live("is given in the order of the line beside a worker of an earlier version, and where it is the only one", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const greedy = yield* makeTenant()
      yield* worker(1, 1)
      for (let at = 0; at < 4; at++) yield* jobs.create(newJob(greedy))
      assert.lengthOf(yield* tasks.claim("fetch", 1, 1), 1)
      yield* worker(2, null)
      assert.lengthOf(yield* tasks.claim("fetch", 3, 2), 3)
    }).pipe(Effect.provide(TestEngine.layer())))
})

describe("a worker that waits for its turn to claim", () => {
  it.live("has the whole of its lease from then on, however long it waited", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const sql = yield* PgClient.PgClient
      const now = Effect.map(sql<{ readonly at: Date }>`SELECT clock_timestamp() AS at`, ([row]) => row!.at)
      for (const no of [1, 2]) yield* worker(no, 2)
      yield* jobs.create(newJob(yield* makeTenant()))
      const [locked, enough] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const other = yield* Effect.forkChild(sql.withTransaction(
        sql`SELECT pg_advisory_xact_lock(${advisoryLocks.poolStandings}, ${pools.indexOf("fetch")})`.pipe(
          Effect.andThen(Deferred.succeed(locked, undefined)),
          Effect.andThen(Deferred.await(enough))
        )
      ))
      yield* Deferred.await(locked)
      const claim = yield* Effect.forkChild(tasks.claim("fetch", 1, 1))
      yield* Effect.repeat(sql`SELECT FROM pg_locks WHERE NOT granted`, { until: (waiting) => waiting.length > 0 })
      const turn = yield* now
      yield* Deferred.succeed(enough, undefined)
      const [task] = yield* Fiber.join(claim)
      yield* Fiber.join(other)
      const [lease] = yield* sql<{ readonly from: Date }>`
        SELECT heartbeat_on AS from FROM pgboss.job WHERE id = ${task!.id}`
      assert.isAtLeast(lease!.from.getTime(), turn.getTime())
    }).pipe(Effect.provide(TestEngine.layer())))
})

/** The lease of a claim ends, and with it only the queue's own row changes. */
const loseLease = (held: HeldTask) => Effect.flatMap(Queue, (queue) => queue.restart(held.pool, [held]))

describe("a task whose lease ended while its worker lived", () => {
  it.live("is not counted as held: it waits, and its tenant's next claim finds the slot free", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const { recover } = yield* Janitor
      const tenant = yield* makeTenant()
      yield* worker(1, 2)
      const ids = [(yield* jobs.create(newJob(tenant))).job.id, (yield* jobs.create(newJob(tenant))).job.id]
      const [lost] = yield* tasks.claim("fetch", 1, 1)
      yield* loseLease(lost!)
      assert.strictEqual(yield* recover, 1)
      const [next] = yield* tasks.claim("fetch", 1, 1)
      assert.include(ids, next?.job_id)
      assert.strictEqual(yield* recover, 0, "what is held stays so")
      assert.lengthOf(yield* tasks.claim("fetch", 1, 1), 0, "the last slot is another tenant's")
      yield* settleNoop([next!])
      assert.lengthOf(yield* tasks.claim("fetch", 1, 1), 1)
    }).pipe(Effect.provide(TestEngine.layer())))

  it.live("is no part of what its tenant has of a machine's processors", () =>
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const { recover } = yield* Janitor
      const [unlucky, other] = [yield* makeTenant(), yield* makeTenant()]
      yield* machineWorker(1, "m", 2)
      yield* probed(unlucky, 2)
      yield* probed(other, 2)
      const held = [...(yield* tasks.claim("media", 1, 1)), ...(yield* tasks.claim("media", 1, 1))]
      const lost = held.find(({ tenant_id }) => tenant_id === unlucky)!
      assert.lengthOf(yield* tasks.claim("media", 1, 1), 0, "each has one of the two")
      yield* loseLease(lost)
      yield* recover
      assert.strictEqual((yield* tasks.claim("media", 1, 1))[0]?.tenant_id, unlucky)
    }).pipe(Effect.provide(TestEngine.layer())))
})

/** A live worker of all pools that compute, on a machine of so many processors. */
const machineWorker = (no: number, machine: string, processors: number) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) =>
      sql`INSERT INTO footnote.workers (no, pools, slots, host, pid, machine, processors)
      VALUES (${no}, '["media", "speech", "vision"]', '{"media": 8, "speech": 8, "vision": 8}', ${machine}, ${no},
        ${machine}, ${processors})`
  )

/** Brings jobs to where they are probed, each by itself. */
const probed = Effect.fnUntraced(function*(tenant: TenantId, count: number) {
  const jobs = yield* Jobs
  for (let at = 0; at < count; at++) yield* jobs.create(newJob(tenant))
  yield* workOff(["fetch"])
})

describe("the processors of a machine", () => {
  it.live("are a tenant's alone until another wants one, and then so many as leave the other its part", () =>
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const [greedy, other] = [yield* makeTenant(), yield* makeTenant()]
      for (const no of [1, 2]) yield* machineWorker(no, "m", 2)
      yield* probed(greedy, 12)
      const held = [...(yield* tasks.claim("media", 3, 1)), ...(yield* tasks.claim("media", 2, 2))]
      assert.lengthOf(held, 5, "where nobody else wants anything there is no bound")
      yield* probed(other, 2)
      const [first, ...more] = yield* tasks.claim("media", 3, 2)
      assert.deepStrictEqual([first?.tenant_id, more.length], [other, 0])
      yield* settleNoop(held.slice(0, 4))
      assert.lengthOf(yield* tasks.claim("media", 3, 1), 0, "each has one of the two")
      yield* settleNoop(held.slice(4))
      const claims = Array.from({ length: 4 }, (_, at) => tasks.claim("media", 2, 1 + at % 2))
      const next = (yield* Effect.all(claims, { concurrency: "unbounded" })).flat()
      assert.deepStrictEqual(next.map(({ tenant_id }) => tenant_id), [greedy], "also where four claim at once")
    }).pipe(Effect.provide(TestEngine.layer())))

  it.live("are computed for a tenant with a long line behind another's one job, once that is there", () =>
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const [greedy, other] = [yield* makeTenant(), yield* makeTenant()]
      yield* machineWorker(1, "m", 2)
      yield* probed(greedy, 6)
      const held = yield* tasks.claim("media", 1, 1)
      assert.isFalse(held[0]!.backlogged, "where nobody else wants anything")
      yield* probed(other, 1)
      const [one] = yield* tasks.claim("media", 1, 1)
      assert.deepStrictEqual([one?.tenant_id, one?.backlogged], [other, false])
      yield* settleNoop(held)
      const [next] = yield* tasks.claim("media", 1, 1)
      assert.deepStrictEqual([next?.tenant_id, next?.backlogged], [greedy, true])
    }).pipe(Effect.provide(TestEngine.layer())))

  it.live("are no matter of another machine's, nor of a worker that does not tell where it is", () =>
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const [greedy, other] = [yield* makeTenant(), yield* makeTenant()]
      yield* machineWorker(1, "a", 2)
      yield* machineWorker(2, "b", 2)
      yield* probed(greedy, 8)
      yield* probed(other, 1)
      for (const no of [1, 2]) assert.isNotEmpty(yield* tasks.claim("media", 3, no))
      assert.lengthOf(yield* tasks.claim("media", 3, 77), 3)
    }).pipe(Effect.provide(TestEngine.layer())))
})

const admitted = (tenant: TenantId) =>
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

  it.live("gives slots that become free while it waits for a tenant's row to those who are next, not all to that tenant", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { admit } = yield* Admission
      const sql = yield* PgClient.PgClient
      const [first, second] = [yield* makeTenant(), yield* makeTenant()]
      const mine: Array<string> = []
      for (let at = 0; at < 8; at++) mine.push((yield* jobs.create(newJob(first))).job.id)
      for (let at = 0; at < 4; at++) yield* jobs.create(newJob(second))
      const [held, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(sql.withTransaction(
        sql`SELECT id FROM footnote.tenants WHERE id = ${second} FOR NO KEY UPDATE`.pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(release))
        )
      ))
      yield* Deferred.await(held)
      yield* jobs.cancel(first, mine[0]!)
      yield* Effect.repeat(
        sql<{ readonly waits: boolean }>`SELECT count(*) > 0 AS waits FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE datname = current_database() AND locktype = 'transactionid' AND NOT granted`,
        { until: ([row]) => row?.waits === true }
      )
      for (const id of mine.slice(1, 4)) yield* jobs.cancel(first, id)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      yield* admit
      assert.deepStrictEqual([yield* admitted(first), yield* admitted(second)], [2, 2])
    }).pipe(Effect.provide(TestEngine.layer({ max_running: 4 }))))
})
