import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../database/Rows.ts"
import { type JobId, type TenantId } from "../../identity/Id.ts"

const SpentRow = Schema.Struct({
  tokens: Schema.Finite,
  cost: Schema.Finite
})

/** What an attempt at a task has spent so far. */
export interface Charge {
  readonly tenant_id: TenantId
  readonly job_id: JobId
  readonly task_id: string
  readonly attempt: number
  readonly tokens: number
  readonly cost: number
}

/** Prices of a million tokens, and how many a job may use. */
export interface ModelPrices {
  readonly model: string
  readonly job_tokens: number
  readonly input_price: number
  readonly output_price: number
}

/**
 * The ledger of what jobs spend on models behind an address: one row per attempt, whatever becomes of attempt and job.
 * Amounts of a row only grow, so that telling them again, or late, changes nothing.
 */
export class Charges extends Context.Service<Charges, {
  readonly record: (charge: Charge) => Effect.Effect<void, SqlError>
  /** What a job can cost on this model at most; forgotten a day after it was last told. */
  readonly priced: (prices: ModelPrices) => Effect.Effect<void, SqlError>
  /** Books what the settled tasks of a job say, where nobody has, and gives all that the job has spent. */
  readonly total: (job_id: JobId) => Effect.Effect<{ readonly tokens: number; readonly cost: number }, SqlError>
}>()("footnote/usage/ledger/Charges") {
  static readonly layer = Layer.effect(
    Charges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const grown = sql`ON CONFLICT (job_id, task_id, attempt) DO UPDATE
        SET tokens = greatest(charges.tokens, excluded.tokens), cost = greatest(charges.cost, excluded.cost)`
      return Charges.of({
        record: ({ attempt, cost, job_id, task_id, tenant_id, tokens }) =>
          sql`INSERT INTO footnote.charges (tenant_id, job_id, task_id, attempt, tokens, cost)
            VALUES (${tenant_id}, ${job_id}, ${task_id}, ${attempt}, ${tokens}, ${cost}) ${grown}`.unprepared,
        priced: ({ input_price, job_tokens, model, output_price }) =>
          sql`INSERT INTO footnote.model_prices (model, job_tokens, input_price, output_price)
            VALUES (${model}, ${job_tokens}, ${input_price}, ${output_price}) ON CONFLICT (model) DO UPDATE
            SET job_tokens = excluded.job_tokens, input_price = excluded.input_price,
              output_price = excluded.output_price, seen_at = now()`.unprepared,
        total: Effect.fnUntraced(function*(job_id) {
          yield* sql`INSERT INTO footnote.charges (tenant_id, job_id, task_id, attempt, tokens, cost)
            SELECT j.tenant_id, j.id, t.id, t.attempt, x.tokens, x.cost
            FROM footnote.tasks t JOIN footnote.jobs j ON j.id = t.job_id
            CROSS JOIN LATERAL (SELECT coalesce((t.output->>'tokens')::bigint, 0) AS tokens,
              coalesce((t.output->>'cost')::float8, 0) AS cost) x
            WHERE t.job_id = ${job_id} AND t.done AND (x.tokens > 0 OR x.cost > 0) ${grown}`.unprepared
          const [row] = yield* rowsOf(SpentRow)(
            sql`
            SELECT coalesce(sum(tokens), 0)::int AS tokens, coalesce(sum(cost), 0) AS cost
            FROM footnote.charges WHERE job_id = ${job_id}`.unprepared
          )
          return row!
        })
      })
    })
  )
}
