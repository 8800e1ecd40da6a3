import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { newId } from "../../src/identity/Id.ts"
import { removeGiven } from "../../src/jobs/GivenSource.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob } from "../support/TestEngine.ts"

/** A creation that stands before its commit while what its job was given is asked to be removed; what was removed. */
const interrupted = Effect.fnUntraced(function*(commits: boolean) {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* Jobs
  const tenant_id = yield* makeTenant()
  const id = yield* newId("job")
  const [made, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const { job: like } = yield* jobs.create(newJob(tenant_id))
  const creating = yield* Effect.forkChild(Effect.exit(sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT FROM footnote.tenants WHERE id = ${tenant_id} FOR NO KEY UPDATE`
    yield* sql`INSERT INTO footnote.jobs (id, tenant_id, spec) SELECT ${id}, tenant_id, spec FROM footnote.jobs
      WHERE id = ${like.id}`
    yield* Deferred.succeed(made, undefined)
    yield* Deferred.await(end)
    return commits ? undefined : yield* Effect.fail("rolled back")
  }))))
  yield* Deferred.await(made)
  const removed: Array<string> = []
  const removeAll = (prefix: string) => Effect.sync(() => void removed.push(prefix))
  const removing = yield* Effect.forkChild(removeGiven(sql, { removeAll }, { id, tenant_id }))
  yield* sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted`.pipe(
    Effect.repeat({ until: ([waits]) => waits!.n > 0 || removing.pollUnsafe() !== undefined })
  )
  yield* Deferred.succeed(end, undefined)
  yield* Effect.all([Fiber.join(creating), Fiber.join(removing)])
  return { id, removed }
})

describe("what a job was given, whose creation is interrupted while it is committed", () => {
  it.live("stays where the job has been made", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* interrupted(true)).removed, [])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))

  it.live("is removed where it has not", () =>
    Effect.gen(function*() {
      const { id, removed } = yield* interrupted(false)
      assert.deepStrictEqual(removed, [`jobs/${id}`])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})
