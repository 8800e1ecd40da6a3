import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { macOf, verifiesMac } from "./KeyedMac.ts"
import { configuredKeyRing, keyId, type KeyRing, makeKeyRing } from "./KeyRing.ts"
import { openEnvelope, rewrapEnvelope, type SealedPlace, sealEnvelope } from "./SealedEnvelope.ts"
import { sourceKeyRing } from "./SourceKey.ts"

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
  /** The same under the active key, without the secret being encrypted again. */
  readonly rewrap: (sealed: Uint8Array, place: SealedPlace) => Effect.Effect<Uint8Array, SealBroken>
  /** HMAC-SHA256 of a text under a key that the active one gives for this purpose alone. */
  readonly mac: (purpose: string, text: string) => Uint8Array
  /** Whether one of the deployment's keys made it for this purpose. */
  readonly verifiesMac: (purpose: string, text: string, mac: Uint8Array) => boolean
}>()("footnote/crypto/Sealing") {
  static readonly layerRing = (ring: KeyRing) => {
    const ofSources = sourceKeyRing(ring)
    const ringOf = ({ key }: SealedPlace) => key === "source" ? ofSources : ring
    return Layer.succeed(
      Sealing,
      Sealing.of({
        active_key_id: ring.active.id,
        key_ids: ring.keys.map(({ id }) => id),
        seal: (secret, place) => sealEnvelope(ringOf(place), secret, place),
        open: (sealed, place) => attempt(() => openEnvelope(ringOf(place), sealed, place)),
        rewrap: (sealed, place) => attempt(() => rewrapEnvelope(ringOf(place), sealed, place)),
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
