import { Effect, Schedule } from "effect"
import { tolerated } from "../../src/observability/Tolerated.ts"
import { Charges } from "../../src/usage/ledger/Charges.ts"
import type { Charge } from "../engine/StageRunner.ts"
import { extractorConfig } from "./ExtractorChoice.ts"

/**
 * Books what jobs spend on the configured endpoint, and tells hourly what a job can cost there at most, which whoever admits
 * jobs has no other way to know. Fails where the book cannot be written now.
 */
export const openCharges = Effect.gen(function*() {
  const charges = yield* Charges
  const { endpoint, wish } = yield* extractorConfig
  if (endpoint !== null && (wish === "auto" || wish === "llm")) {
    const { input_price, model, most_tokens, output_price } = endpoint
    const tell = charges.priced({ model, job_tokens: most_tokens, input_price, output_price })
    yield* Effect.forkScoped(
      Effect.repeat(
        tell.pipe(tolerated("Telling what a job can cost at most", "told again in an hour")),
        Schedule.spaced("1 hour")
      )
    )
  }
  const charge: Charge = ({ attempt, id, job_id, tenant_id }, spent) =>
    charges.record({ tenant_id, job_id, task_id: id, attempt, ...spent })
  return charge
}).pipe(Effect.provide(Charges.layer))
