import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { macOf, verifiesMac } from "./KeyedMac.ts"
import { configuredKeyRing, keyId, type KeyRing, makeKeyRing } from "./KeyRing.ts"
import { purposeRing } from "./PurposeKey.ts"
import { openEnvelope, rewrapEnvelope, type SealedPlace, sealEnvelope } from "./SealedEnvelope.ts"

/** What was sealed does not open: a key that is not here, another place, or changed bytes. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", { message: Schema.String }) {}

/**
 * Keeps small secrets at rest: each under a key of its own, which is wrapped under the deployment's (envelope encryption).
 * What is sealed opens in its own place only: another tenant's, row's or field's bytes are `SealBroken`.
 */
export class Sealing extends Context.Service<Sealing, {
  /** Which key seals now, and which ones can open. */
  readonly active_key_id: string
  readonly key_ids: ReadonlyArray<string>
  readonly seal: (secret: string, place: SealedPlace) => Uint8Array
  readonly open: (sealed: Uint8Array, place: SealedPlace) => Effect.Effect<string, SealBroken>
  /** Whether whoever has the keys of the place's purpose alone can open it, and not only a holder of the deployment's. */
  readonly isUnderPurpose: (sealed: Uint8Array, place: SealedPlace) => boolean
  /** The same under the active key of the place, without the secret being encrypted again. */
  readonly rewrap: (sealed: Uint8Array, place: SealedPlace) => Effect.Effect<Uint8Array, SealBroken>
  /** HMAC-SHA256 of a text under a key that the active one gives for this purpose alone. */
  readonly mac: (purpose: string, text: string) => Uint8Array
  /** Whether one of the deployment's keys made it for this purpose. */
  readonly verifiesMac: (purpose: string, text: string, mac: Uint8Array) => boolean
}>()("footnote/crypto/Sealing") {
  static readonly layerRing = (ring: KeyRing) => {
    const purposes = { source: purposeRing(ring, "source"), tenant_model: purposeRing(ring, "tenant_model") }
    const ringOf = ({ key }: SealedPlace) => key === undefined ? ring : purposes[key]
    const opened = (sealed: Uint8Array, place: SealedPlace): string => {
      try {
        return openEnvelope(ringOf(place), sealed, place)
      } catch (error) {
        // A purpose's values of before it had keys of its own are under the deployment's.
        if (place.key === undefined) throw error
        return openEnvelope(ring, sealed, place)
      }
    }
    const isUnderPurpose = (sealed: Uint8Array, place: SealedPlace): boolean => {
      try {
        openEnvelope(ringOf(place), sealed, place)
        return true
      } catch {
        return false
      }
    }
    return Layer.succeed(
      Sealing,
      Sealing.of({
        active_key_id: ring.active.id,
        key_ids: ring.keys.map(({ id }) => id),
        seal: (secret, place) => sealEnvelope(ringOf(place), secret, place),
        open: (sealed, place) => attempt(() => opened(sealed, place)),
        isUnderPurpose,
        rewrap: (sealed, place) =>
          attempt(() =>
            isUnderPurpose(sealed, place)
              ? rewrapEnvelope(ringOf(place), sealed, place)
              : sealEnvelope(ringOf(place), opened(sealed, place), place)
          ),
        mac: (purpose, text) => macOf(ring.active, purpose, text),
        verifiesMac: (purpose, text, mac) => verifiesMac(ring, purpose, text, mac)
      })
    )
  }

  static readonly layerKey = (key: Redacted.Redacted<Uint8Array>) =>
    Sealing.layerRing(makeKeyRing([{ id: keyId(Redacted.value(key)), bytes: key }]))

  /** The keys of the configuration; see `configuredKeyRing`. */
  static readonly layer = Layer.unwrap(Effect.map(configuredKeyRing, Sealing.layerRing))
}

const attempt = <A>(work: () => A) =>
  Effect.try({
    try: work,
    catch: () => new SealBroken({ message: "A sealed value does not open with this deployment's keys" })
  })
