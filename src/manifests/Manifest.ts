import { Schema } from "effect"
import { ApiError } from "../errors/ApiError.ts"

/** What the payload is: JSON of an in-toto statement. */
export const payloadType = "application/vnd.in-toto+json"

/** A DSSE v1 envelope (Dead Simple Signing Envelope): `payload` and each `sig` in base64. */
export const Manifest = Schema.Struct({
  payloadType: Schema.Literal(payloadType),
  payload: Schema.String.annotate({
    description:
      "Base64 of an in-toto Statement v1: the hash of everything that the job made, and what it was made from."
  }),
  signatures: Schema.Array(Schema.Struct({
    keyid: Schema.String.annotate({ description: "The `kid` of the key at `/.well-known/footnote-signing-keys`." }),
    sig: Schema.String.annotate({
      description: "Base64 of the Ed25519 signature over the pre-authentication encoding."
    })
  }))
}).annotate({ identifier: "Manifest" })
export type Manifest = typeof Manifest.Type

export class ManifestNotFound extends ApiError<ManifestNotFound>()("MANIFEST_NOT_FOUND") {}
