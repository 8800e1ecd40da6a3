import { Effect, Schema } from "effect"
import type { SealedPlace } from "../../crypto/SealedEnvelope.ts"
import type { Sealing } from "../../crypto/Sealing.ts"
import { TenantId } from "../../identity/Id.ts"
import { DestinationType } from "../model/Destination.ts"
import type { DestinationConfig, DestinationTarget } from "../model/DestinationConfig.ts"

/** What has to be read of `footnote.destinations` to open it. `config` is null once it is deleted. */
export const SealedDestination = Schema.Struct({
  id: Schema.String,
  tenant_id: TenantId,
  type: DestinationType,
  config: Schema.NullOr(Schema.Uint8Array),
  signing_secret: Schema.NullOr(Schema.Uint8Array),
  previous_signing_secret: Schema.NullOr(Schema.Uint8Array),
  previous_secret_until: Schema.NullOr(Schema.Date)
})
export type SealedDestination = typeof SealedDestination.Type

/** Where a field of a destination lies sealed. */
export const placeOf = (
  { id, tenant_id }: { readonly id: string; readonly tenant_id: TenantId },
  field: "config" | "signing_secret" | "previous_signing_secret"
): SealedPlace => ({ tenant_id, table: "destinations", row_id: id, field })

/**
 * The destination as a connector needs it: the config in the clear and the secrets that sign at this moment, the newest
 * first. A deleted one, and bytes that this deployment did not seal for this row, are defects.
 */
export const openDestination = Effect.fn("OpenDestination.open")(function*(
  sealing: Sealing["Service"],
  row: SealedDestination,
  nowMillis: number
) {
  if (row.config === null) return yield* Effect.die(new Error(`Destination ${row.id} is deleted`))
  const config = JSON.parse(yield* sealing.open(row.config, placeOf(row, "config"))) as DestinationConfig
  const secrets: Array<string> = []
  if (row.signing_secret !== null) {
    secrets.push(yield* sealing.open(row.signing_secret, placeOf(row, "signing_secret")))
  }
  if (row.previous_signing_secret !== null && row.previous_secret_until!.getTime() > nowMillis) {
    secrets.push(yield* sealing.open(row.previous_signing_secret, placeOf(row, "previous_signing_secret")))
  }
  // The type's schema was met when the config was sealed.
  return { type: row.type, config, secrets } as DestinationTarget
}, Effect.orDie)
