import { Context, Effect, Layer } from "effect"
import { RateLimited } from "../errors/RequestErrors.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import type { SchemaInvalid } from "./ExtractionSchema.ts"
import { makeFairLine } from "./FairLine.ts"
import { type CheckedSchema, checkSchemaSafely, checkThreads, isTooDear } from "./SchemaCheck.ts"

export const schemaCheckLimits = {
  /** Checks of one tenant that may wait in a process; one runs. */
  waiting: 32,
  /** Writes that a check costs which ran into its limit of time or memory, beside the request's own. */
  dear_check_writes: 60
} as const

/**
 * Checks the schemas that tenants send, one of each tenant at a time and taking turns by tenant: nobody waits behind
 * another's line. Fails with `RATE_LIMITED` where the tenant's own line is full; a request that is given up leaves it.
 */
export class SchemaChecks extends Context.Service<SchemaChecks, {
  readonly check: (schema: unknown) => Effect.Effect<CheckedSchema, SchemaInvalid | RateLimited, CurrentTenant>
}>()("footnote/schemas/SchemaChecks") {
  static readonly layer = Layer.effect(
    SchemaChecks,
    Effect.gen(function*() {
      const rateLimits = yield* RateLimits
      const line = makeFairLine({ slots: checkThreads, waiting: schemaCheckLimits.waiting })

      return SchemaChecks.of({
        check: Effect.fn("SchemaChecks.check")(function*(schema) {
          const { tenant_id } = yield* CurrentTenant
          return yield* line.run(tenant_id, checkSchemaSafely(schema)).pipe(
            Effect.tapError((error) =>
              error._tag === "SCHEMA_INVALID" && isTooDear(error)
                ? rateLimits.charge(tenant_id, "writes", schemaCheckLimits.dear_check_writes)
                : Effect.void
            ),
            Effect.catchTag("LineFull", () =>
              Effect.fail(
                new RateLimited({
                  message: `${schemaCheckLimits.waiting} schemas of this tenant wait to be checked; retry in 1 s.`,
                  headers: { "retry-after": "1" }
                })
              ))
          )
        })
      })
    })
  )
}
