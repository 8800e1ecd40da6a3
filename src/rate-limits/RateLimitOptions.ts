import { Config, Context, Effect } from "effect"
import { configInvalid } from "../observability/Configuration.ts"
import { setting, whole } from "../observability/Setting.ts"

/** What a request costs the service: reading is cheap, writing makes work, an upload moves bytes. */
export type RequestClass = "reads" | "writes" | "uploads"

/**
 * Requests in a minute, per tenant and class; milliseconds of the processor in a minute, per tenant, for what requests cost
 * beyond their number; failed sign-ins per client address. 0 is no limit.
 */
export interface RateLimitOptions {
  readonly reads: number
  readonly writes: number
  readonly uploads: number
  readonly processor_ms: number
  readonly failed_auth: number
}

/** What a service is given that nobody configured, such as one of a test: no limits. `src/main.ts` reads the environment. */
export const RateLimitOptions = Context.Reference<RateLimitOptions>("footnote/rate-limits/RateLimitOptions", {
  defaultValue: () => ({ reads: 0, writes: 0, uploads: 0, processor_ms: 0, failed_auth: 0 })
})

const requests = "requests per minute, all API processes together. A tenant's own: `npm run tenants -- limits set`"

const perMinute = (name: string, otherwise: number, meaning: string, unit = "requests") =>
  setting(name, whole, { otherwise, meaning: `${meaning}; 0 is no limit` }).pipe(
    Config.mapEffect((value) =>
      value >= 0 && value <= 1_000_000
        ? Effect.succeed(value)
        : Effect.fail(configInvalid(`${name} must be ${unit} per minute, 0 (no limit) to 1000000`))
    )
  )

/**
 * `RATE_LIMIT_READS`, `RATE_LIMIT_WRITES`, `RATE_LIMIT_UPLOADS`, `RATE_LIMIT_PROCESSOR_MS` and `RATE_LIMIT_FAILED_AUTH`, per
 * minute; 0 is no limit. A tenth of a core is 300 ordinary schemas in a minute.
 */
export const rateLimitConfig: Config.Config<RateLimitOptions> = Config.all({
  reads: perMinute("RATE_LIMIT_READS", 3000, `a tenant's reading ${requests}`),
  writes: perMinute("RATE_LIMIT_WRITES", 600, `a tenant's writing ${requests}`),
  uploads: perMinute("RATE_LIMIT_UPLOADS", 1200, `a tenant's uploading ${requests}`),
  processor_ms: perMinute(
    "RATE_LIMIT_PROCESSOR_MS",
    6000,
    "milliseconds of the processor per minute that a tenant's checks of schemas, keys and tests of destinations may cost, "
      + "all API processes together",
    "milliseconds"
  ),
  failed_auth: perMinute(
    "RATE_LIMIT_FAILED_AUTH",
    30,
    "failed sign-ins per minute and client address; beyond it wrong keys get 429"
  )
})
