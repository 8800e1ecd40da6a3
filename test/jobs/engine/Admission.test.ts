import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { TenantId } from "../../../src/identity/Id.ts"
import { Admission } from "../../../src/jobs/engine/Admission.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"

/** The one job that holds a slot gives it up; whose job is let in for it. */
const nextAdmitted = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const jobs = yield* Jobs
  const { admit } = yield* Admission
  const holding = sql<{ readonly id: string; readonly tenant_id: TenantId }>`
    SELECT id, tenant_id FROM footnote.jobs WHERE admitted_at IS NOT NULL AND finished_at IS NULL`
  const [job] = yield* holding
  yield* jobs.cancel(job!.tenant_id, job!.id)
  yield* admit
  const after = yield* holding
  assert.lengthOf(after, 1)
  return after[0]!.tenant_id
})

describe("admission", () => {
  it.live("serves tenants of the same share in turn, however early one of them has filled its line", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenants = [yield* makeTenant(), yield* makeTenant(), yield* makeTenant()]
      for (const tenant of tenants) for (let at = 0; at < 5; at++) yield* jobs.create(newJob(tenant))
      const served: Array<TenantId> = []
      for (let at = 0; at < 12; at++) served.push(yield* nextAdmitted)
      for (let at = 0; at + 3 <= served.length; at++) {
        assert.lengthOf(new Set(served.slice(at, at + 3)), 3, `turns ${at} to ${at + 2}`)
      }
    }).pipe(Effect.provide(TestEngine.layer({ max_running: 1 }))))

  it.live("lets in the oldest job of a tenant first", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const tenant = yield* makeTenant()
      const ids: Array<string> = []
      for (let at = 0; at < 4; at++) ids.push((yield* jobs.create(newJob(tenant))).job.id)
      for (let at = 0; at < 3; at++) yield* nextAdmitted
      const order = yield* sql<{ readonly id: string }>`SELECT id FROM footnote.jobs ORDER BY admitted_at`
      assert.deepStrictEqual(order.map(({ id }) => id), ids)
    }).pipe(Effect.provide(TestEngine.layer({ max_running: 1 }))))
})
