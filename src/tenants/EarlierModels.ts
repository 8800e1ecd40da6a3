import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schedule } from "effect"
import { Sealing } from "../crypto/Sealing.ts"
import type { TenantId } from "../identity/Id.ts"
import { tolerated } from "../observability/Tolerated.ts"
import { languageModelPlace } from "./LanguageModel.ts"

interface Row {
  readonly tenant_id: TenantId
  readonly language_model: Uint8Array
}

/**
 * Brings language models that an earlier version sealed under the deployment's own keys under those that extraction has;
 * answers how many. What no key here opens stays as it is.
 */
export const resealEarlierModels = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const sealing = yield* Sealing
  return yield* sql.withTransaction(Effect.gen(function*() {
    const rows = yield* sql<Row>`SELECT tenant_id, language_model FROM footnote.tenant_settings
      WHERE language_model IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED`
    let resealed = 0
    for (const { language_model, tenant_id } of rows) {
      const place = languageModelPlace(tenant_id)
      if (sealing.isUnderPurpose(language_model, place)) continue
      const moved = yield* Effect.option(sealing.rewrap(language_model, place))
      if (moved._tag === "None") continue
      yield* sql`UPDATE footnote.tenant_settings SET language_model = ${moved.value} WHERE tenant_id = ${tenant_id}`
      resealed++
    }
    if (resealed > 0) yield* Effect.logInfo(`Sealed ${resealed} tenants' language models for extraction`)
    return resealed
  }))
})

/** A round at the start and every hour, since an API process of an earlier version may still run. */
export const layerResealModels = Layer.effectDiscard(
  Effect.forkScoped(
    resealEarlierModels.pipe(
      tolerated("The sealing of tenants' language models for extraction", "tried again in an hour"),
      Effect.repeat(Schedule.spaced("1 hour"))
    )
  )
)
