import { Context, Effect, Layer, Redacted } from "effect"
import { Signing } from "../../src/crypto/Signing.ts"
import { sealEnvelope } from "../../src/manifests/Envelope.ts"

/** The signing service under a key of 32 equal bytes. */
export const signingWith = (byte: number): Signing["Service"] =>
  Effect.runSync(Effect.scoped(
    Effect.map(
      Layer.build(Signing.layerKey(Redacted.make(new Uint8Array(32).fill(byte)))),
      (context) => Context.get(context, Signing)
    )
  ))

/** A statement signed under such a key, and the list of keys that it can be checked with. */
export const signed = (statement: string, byte = 9) => {
  const signing = signingWith(byte)
  return { envelope: sealEnvelope(statement, signing), keys: { keys: signing.keys } }
}
