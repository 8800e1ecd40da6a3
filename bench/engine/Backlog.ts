import { NodeServices } from "@effect/platform-node"
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Effect, Layer, ManagedRuntime } from "effect"
import { Database } from "../../src/database/Database.ts"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import type { TenantId } from "../../src/identity/Id.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import { Admission } from "../../src/jobs/engine/Admission.ts"
import { EngineOptions } from "../../src/jobs/engine/EngineOptions.ts"
import { Tasks } from "../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { imaginedSpec } from "../../test/support/NoopStages.ts"
import { layerSealing, makeTenant, newJob } from "../../test/support/TestEngine.ts"

/** Milliseconds of one call at a depth: the lowest tenth, which other work of the machine touches least, and the middle. */
export interface Cost {
  readonly low: number
  readonly middle: number
}

const slots = 500

/** So few that each of the 1,000 tenants still has one in line when all slots are taken: both lines differ in depth alone. */
export const fewest = 3000

const costOf = (times: ReadonlyArray<number>): Cost => {
  const sorted = times.toSorted((a, b) => a - b)
  return { low: sorted[Math.floor(sorted.length / 10)]!, middle: sorted[sorted.length >> 1]! }
}

/** Jobs that wait, one row each, as a submission leaves them; the first tenth of the tenants has ten times as many as the others. */
const queue = Effect.fnUntraced(function*(tenants: ReadonlyArray<TenantId>, jobs: number) {
  const sql = yield* PgClient.PgClient
  const shares = tenants.map((id, at) => ({ id, share: at < tenants.length / 10 ? 10 : 1 }))
  const total = shares.reduce((sum, { share }) => sum + share, 0)
  const rows = shares.map(({ id, share }) => ({ id, n: Math.round((jobs * share) / total) }))
  yield* sql`INSERT INTO footnote.jobs (id, tenant_id, spec, destination_ids, metadata, cost_reserved)
    SELECT 'job_' || lpad((row_number() OVER ())::text, 26, '0'), x.id, ${
    JSON.stringify(imaginedSpec())
  }::json, '[]', '{}', 0
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(id text, n int), generate_series(1, x.n)`
  // As autovacuum leaves them. A login that does not own the table is told so by a warning alone, and nothing is done.
  const { owner_url } = yield* EmbeddedPostgres
  const owner = yield* PgConnection.make({ url: owner_url })
  yield* owner.query("VACUUM ANALYZE footnote.jobs", [])
})

/** Jain's index (Jain, Chiu and Hawe, 1984) of what each has: 1 where all have the same, 1/n where one has all. */
const jain = (shares: ReadonlyArray<number>): number => {
  const sum = shares.reduce((a, b) => a + b, 0)
  return (sum * sum) / (shares.length * shares.reduce((a, b) => a + b * b, 0))
}

const open = (folder: string) => {
  const options = { ...Effect.runSync(EngineOptions), max_running: slots }
  return ManagedRuntime.make(
    Layer.unwrap(
      Effect.map(EmbeddedPostgres, ({ owner_url: owner, url }) =>
        Engine.layer.pipe(
          Layer.provide(Layer.succeed(EngineOptions, options)),
          Layer.provide(layerSealing),
          Layer.provideMerge(Database.layerUrl(url, { owner }))
        ))
    ).pipe(Layer.provideMerge(EmbeddedPostgres.layer({ dataDir: folder })), Layer.provide(NodeServices.layer))
  )
}

const calls = ["submit", "admit", "claim"] as const

/** Milliseconds of a call. */
const timed = <E, R>(call: Effect.Effect<unknown, E, R>) =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(call, () => performance.now() - began)
  })

/** A deployment with a line of so many jobs, all slots taken. */
const openLine = async (folder: string, jobs: number) => {
  const runtime = open(folder)
  const submitter = await runtime.runPromise(Effect.gen(function*() {
    const { admit } = yield* Admission
    const tenants = yield* Effect.forEach(Array.from({ length: 1000 }), () => makeTenant({ max_running: 10 }))
    yield* Effect.scoped(queue(tenants, jobs))
    yield* admit
    // Whoever submits is at its own limit, so that a submission waits in line as the others do.
    return yield* makeTenant({ max_running: 1 })
  }))
  /** Milliseconds of each call, one after the other. */
  const round = Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const { create } = yield* Jobs
    const { admit } = yield* Admission
    const { claim } = yield* Tasks
    const submit = yield* timed(create(newJob(submitter)))
    // One slot is given up, by a job that holds one.
    yield* sql`UPDATE footnote.jobs SET status = 'cancelled', finished_at = now() WHERE id = (
      SELECT id FROM footnote.jobs WHERE admitted_at IS NOT NULL AND status = 'queued' LIMIT 1)`
    return { submit, admit: yield* timed(admit), claim: yield* timed(claim("fetch", 1, 1)) }
  })
  const held = Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const rows = yield* sql<{ readonly n: number }>`
      SELECT count(*)::int AS n FROM footnote.jobs
      WHERE admitted_at IS NOT NULL AND status = 'queued' GROUP BY tenant_id`
    return rows.map(({ n }) => n)
  })
  return {
    round: () => runtime.runPromise(round),
    held: () => runtime.runPromise(held),
    close: () => runtime.dispose()
  }
}

/**
 * What a submission, an admission for one free slot and a claim cost with 3,000 jobs of 1,000 tenants in line and with `most`, call by
 * call in turn, and how evenly the slots are shared though a tenth of the tenants has half of the line.
 */
export const measureBacklog = async (folder: string, most: number, rounds: number) => {
  const lines = [await openLine(`${folder}-shallow`, fewest), await openLine(`${folder}-deep`, most)] as const
  // The first calls compile and plan.
  for (let at = 0; at < 5; at++) for (const line of lines) await line.round()
  const seen: ReadonlyArray<Array<Record<(typeof calls)[number], number>>> = [[], []]
  for (let at = 0; at < rounds; at++) for (const [which, line] of lines.entries()) seen[which]!.push(await line.round())
  const held = await lines[1].held()
  for (const line of lines) await line.close()
  return {
    costs: calls.map((call) => ({
      call,
      shallow: costOf(seen[0]!.map((times) => times[call])),
      deep: costOf(seen[1]!.map((times) => times[call]))
    })),
    tenants_with_slots: held.length,
    fairness: jain(held)
  }
}
