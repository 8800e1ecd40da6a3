import { Context, Effect, Layer } from "effect"
import { RateLimited } from "../errors/RequestErrors.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import type { Standing } from "../rate-limits/BucketLeases.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import type { SchemaInvalid } from "./ExtractionSchema.ts"
import { makeFairLine } from "./FairLine.ts"
import type { Edited } from "./json-schema/ValueEdits.ts"
import {
  type CheckedSchema,
  checkSchemaSafely,
  type CheckTerms,
  checkThreads,
  dearCheckThreads,
  fitEditsSafely
} from "./SchemaCheck.ts"
import type { EditsInThread } from "./SchemaCheckWorker.ts"

export const schemaCheckLimits = {
  /** Checks of one tenant that may wait in a process; one runs. */
  waiting: 32
} as const

/**
 * Whether a tenant has had more than a tenth of its minute's time of the processor lately: with 6 s in a minute 30 ordinary
 * schemas at one go. One that used all at once took three times as much of a core as another tenant's model process beside it.
 */
const hasHadMuch = (standing: Standing | undefined): boolean =>
  standing !== undefined && standing.remaining < 0.9 * standing.limit

/**
 * Checks the schemas that tenants send, one of each tenant at a time and taking turns by tenant: nobody waits behind
 * another's line. A tenant that has had much of the processor for it lately has the next ones checked behind everything else. Each is counted by the processor's time that it took. Fails with `RATE_LIMITED` where the tenant's own line
 * is full or its time is used up, also by those before it in the line; a request that is given up leaves it.
 */
export class SchemaChecks extends Context.Service<SchemaChecks, {
  readonly check: (schema: unknown) => Effect.Effect<CheckedSchema, SchemaInvalid | RateLimited, CurrentTenant>
  /** Edits of a result that has to go on fitting its schema (`fitEdits`), in the same line and at the same cost. */
  readonly edit: (edits: EditsInThread) => Effect.Effect<Edited, RateLimited, CurrentTenant>
  /**
   * Runs work on this thread at its tenant's cost: what it took of the processor is charged to the same time as checks. Fails with
   * `RATE_LIMITED` where that is used up, before the work begins.
   */
  readonly charged: <A>(work: () => A) => Effect.Effect<A, RateLimited, CurrentTenant>
}>()("footnote/schemas/SchemaChecks") {
  static readonly layer = Layer.effect(
    SchemaChecks,
    Effect.gen(function*() {
      const rateLimits = yield* RateLimits
      const { waiting } = schemaCheckLimits
      const lines = {
        schema_check: makeFairLine({ slots: checkThreads, waiting }),
        dear_schema_check: makeFairLine({ slots: dearCheckThreads, waiting })
      }

      const inLine = Effect.fn("SchemaChecks.inLine")(function*<A, E>(
        work: (terms: CheckTerms) => Effect.Effect<A, E>
      ) {
        const { tenant_id } = yield* CurrentTenant
        const admitted = rateLimits.take(tenant_id, "processor_ms")
        // Both looks count a millisecond, which is none of what is charged.
        const spent = (milliseconds: number) => rateLimits.charge(tenant_id, "processor_ms", milliseconds - 2)
        const priority = hasHadMuch(yield* admitted) ? "dear_schema_check" : "schema_check"
        return yield* lines[priority].run(tenant_id, Effect.andThen(admitted, work({ priority, spent }))).pipe(
          Effect.catchTag("LineFull", () =>
            Effect.fail(
              new RateLimited({
                message: `${schemaCheckLimits.waiting} schemas of this tenant wait to be checked; retry in 1 s.`,
                headers: { "retry-after": "1" }
              })
            ))
        )
      })

      return SchemaChecks.of({
        charged: Effect.fn("SchemaChecks.charged")(function*(work) {
          const { tenant_id } = yield* CurrentTenant
          yield* rateLimits.take(tenant_id, "processor_ms")
          const before = process.threadCpuUsage()
          const done = yield* Effect.sync(work)
          const { system, user } = process.threadCpuUsage(before)
          yield* rateLimits.charge(tenant_id, "processor_ms", Math.round((user + system) / 1000) - 1)
          return done
        }),
        check: (schema) => inLine((terms) => checkSchemaSafely(schema, terms)),
        edit: (edits) => inLine((terms) => fitEditsSafely(edits, terms))
      })
    })
  )
}
