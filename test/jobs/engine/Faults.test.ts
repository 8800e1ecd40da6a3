import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../../src/database/Database.ts"
import { Admission } from "../../../src/jobs/engine/Admission.ts"
import { Janitor } from "../../../src/jobs/engine/Janitor.ts"
import { type HeldTask, Tasks } from "../../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { pools } from "../../../src/processes/Pools.ts"
import { runWorker } from "../../../workers/engine/Worker.ts"
import { captured } from "../../support/LogLines.ts"
import { noopOutput } from "../../support/NoopStages.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob, untilTerminal } from "../../support/TestEngine.ts"

/** Has the database refuse changes of a table for rows of which `when` is true, until `allow` is run. */
const refuse = Effect.fnUntraced(function*(table: string, when: string) {
  const { url } = yield* Database
  const owner = yield* Layer.build(PgClient.layer({ url: TestDatabase.asOwner(url), maxConnections: 1 }))
  const run = (statement: string) =>
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(Effect.provide(owner))
  yield* run(`CREATE OR REPLACE FUNCTION footnote.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION 'refused by the test'; END$$`)
  yield* run(`CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON footnote.${table}
    FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION footnote.refuse()`)
  return { allow: run(`DROP TRIGGER refuse ON footnote.${table}`) }
})

const handle = (task: HeldTask) => Effect.sync(() => ({ output: noopOutput(task) }))

const stagePools = pools.filter((pool) => pool !== "delivery")

describe("a worker whose task has made what can never be recorded", () => {
  const settled = Effect.fnUntraced(
    function*(output: (task: HeldTask, bad: string) => unknown, when?: (id: string) => string) {
      const { lines, logged } = captured()
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const bad = yield* jobs.create(newJob(tenant))
      const good = yield* jobs.create(newJob(tenant))
      if (when !== undefined) yield* refuse("tasks", when(bad.job.id))
      yield* Effect.forkScoped(
        runWorker({
          // One slot: what holds it holds up the other job.
          pools: stagePools.map((pool) => ({
            pool,
            slots: 1,
            handle: (task) => Effect.sync(() => ({ output: output(task, bad.job.id) }))
          })),
          drain_seconds: 0
        }).pipe(logged)
      )
      assert.strictEqual((yield* untilTerminal(tenant, good.job.id)).status, "succeeded")
      const failed = yield* untilTerminal(tenant, bad.job.id)
      assert.strictEqual(failed.status, "failed")
      assert.deepInclude(failed.error!, { code: "INTERNAL", message: "What the stage has made could not be recorded." })
      const told = lines.filter(({ text }) => text.startsWith("What a task has made cannot be recorded"))
      assert.lengthOf(told, 1)
      assert.include(told[0]!.annotations, { job_id: bad.job.id, stage: failed.error!.stage })
      return told[0]!
    }
  )

  it.live("because the database refuses it, fails its job after a few tries, and the lane goes on", () =>
    Effect.gen(function*() {
      const told = yield* settled(noopOutput, (id) => `NEW.job_id = '${id}' AND NEW.stage = 'probe' AND NEW.done`)
      assert.match(told.cause, /refused by the test/u)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))

  it.live("because nothing can be planned from it, fails its job all the same", () =>
    Effect.gen(function*() {
      yield* settled((task, bad) => task.job_id === bad && task.stage === "probe" ? { probe: 7 } : noopOutput(task))
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

describe("a job whose row cannot be read", () => {
  /** Something of a version that is none. */
  const breakSpec = Effect.fnUntraced(function*(id: string) {
    const sql = yield* PgClient.PgClient
    yield* sql`UPDATE footnote.jobs SET spec = jsonb_set(spec::jsonb, '{kept_source}', '"sk-secret"')::json WHERE id = ${id}`
  })
  const unreadable = { code: "INTERNAL" as const, message: "The row of the job cannot be read.", stage: null }

  it.live("fails when its task is claimed, is told of by its id, and holds up no other", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const [bad, good] = [yield* jobs.create(newJob(tenant)), yield* jobs.create(newJob(tenant))]
      yield* breakSpec(bad.job.id)
      const worker = runWorker({ pools: stagePools.map((pool) => ({ pool, slots: 1, handle })), drain_seconds: 0 })
      yield* Effect.forkScoped(logged(worker))
      assert.strictEqual((yield* untilTerminal(tenant, good.job.id)).status, "succeeded")
      assert.deepStrictEqual((yield* untilTerminal(tenant, bad.job.id)).error, unreadable)
      const told = lines.filter(({ annotations }) => annotations["job_id"] === bad.job.id)
      assert.match(told.map(({ cause, text }) => text + cause).join(), /cannot be read.*kept_source/su)
      assert.notInclude(JSON.stringify(lines), "sk-secret")
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))

  it.live("fails when its dead task is buried, and the job beside it as it would have", () =>
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const jobs = yield* Jobs
      const { bury, reap } = yield* Janitor
      const tenant = yield* makeTenant()
      const [bad, good] = [yield* jobs.create(newJob(tenant)), yield* jobs.create(newJob(tenant))]
      for (let attempt = 0; attempt < 5; attempt++) {
        for (let taken = 0; taken < 2; taken++) yield* tasks.claim("fetch", 1, 900 + attempt)
        yield* reap
        yield* reap
      }
      yield* breakSpec(bad.job.id)
      yield* bury
      assert.deepInclude((yield* jobs.get(tenant, good.job.id)).error!, { code: "TASK_LOST" })
      assert.deepStrictEqual((yield* jobs.get(tenant, bad.job.id)).error, unreadable)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

describe("the janitor", () => {
  it.live("ends the jobs of all dead tasks but the one that the database refuses, and that one a minute later", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const sql = yield* PgClient.PgClient
      const tasks = yield* Tasks
      const jobs = yield* Jobs
      const { bury, reap } = yield* Janitor
      const tenant = yield* makeTenant()
      const [bad, good] = [yield* jobs.create(newJob(tenant)), yield* jobs.create(newJob(tenant))]
      for (let attempt = 0; attempt < 5; attempt++) {
        for (let taken = 0; taken < 2; taken++) yield* tasks.claim("fetch", 1, 900 + attempt)
        yield* reap
        yield* reap
      }
      const { allow } = yield* refuse("jobs", `NEW.id = '${bad.job.id}'`)
      yield* logged(bury)
      assert.deepInclude((yield* jobs.get(tenant, good.job.id)).error!, { code: "TASK_LOST" })
      assert.isNull((yield* jobs.get(tenant, bad.job.id)).error)
      assert.lengthOf(lines, 1)
      assert.include(lines[0]!.annotations, { job_id: bad.job.id, stage: "fetch" })
      assert.match(lines[0]!.cause, /refused by the test/u)
      yield* allow
      assert.strictEqual(yield* bury, 0)
      yield* sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'created' AND data ? 'id' AND start_after > now()`
      assert.strictEqual(yield* bury, 1)
      assert.deepInclude((yield* jobs.get(tenant, bad.job.id)).error!, { code: "TASK_LOST" })
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))

  it.live("ends all jobs that waited for too long but the one that the database refuses, and says which", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const jobs = yield* Jobs
      const { expire } = yield* Janitor
      const tenant = yield* makeTenant()
      const [bad, good] = [yield* jobs.create(newJob(tenant)), yield* jobs.create(newJob(tenant))]
      yield* refuse("jobs", `NEW.id = '${bad.job.id}'`)
      yield* logged(expire)
      assert.strictEqual((yield* jobs.get(tenant, good.job.id)).status, "failed")
      assert.strictEqual((yield* jobs.get(tenant, bad.job.id)).status, "queued")
      assert.deepStrictEqual(lines.map(({ annotations }) => annotations["job_id"]), [bad.job.id])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer({ queue_timeout_seconds: 0 }))))
})

describe("admission", () => {
  it.live("begins all jobs that wait but the one that cannot be begun, which fails", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const sql = yield* PgClient.PgClient
      const jobs = yield* Jobs
      const { admit } = yield* Admission
      const tenant = yield* makeTenant({ max_running: 1 })
      const all = yield* Effect.forEach([1, 2, 3], () => jobs.create(newJob(tenant)))
      const [, bad, good] = all.map(({ job }) => job.id)
      yield* refuse("stages", `NEW.job_id = '${bad}'`)
      yield* sql`UPDATE footnote.tenants SET max_running = 10 WHERE id = ${tenant}`
      yield* logged(admit)
      assert.deepInclude((yield* jobs.get(tenant, bad!)).error!, {
        code: "INTERNAL",
        message: "The job could not be begun."
      })
      const [stages] = yield* sql<{ readonly n: number }>`
        SELECT count(*)::int AS n FROM footnote.stages WHERE job_id = ${good!}`
      assert.isAbove(stages!.n, 0)
      assert.deepStrictEqual(lines.map(({ annotations }) => annotations["job_id"]), [bad])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})
