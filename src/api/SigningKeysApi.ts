import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"

const SigningKeys = Schema.Struct({
  keys: Schema.Array(Schema.Struct({
    kty: Schema.Literal("OKP"),
    crv: Schema.Literal("Ed25519"),
    x: Schema.String,
    kid: Schema.String.annotate({ description: "The key's thumbprint (RFC 7638)." }),
    use: Schema.Literal("sig"),
    alg: Schema.Literal("EdDSA")
  }))
}).annotate({ identifier: "SigningKeys", description: "A JWK Set (RFC 7517, RFC 8037)." })

export class SigningKeysApi extends HttpApiGroup.make("signingKeys", { topLevel: true }).add(
  HttpApiEndpoint.get("signingKeys", "/.well-known/footnote-signing-keys", { success: SigningKeys }).annotateMerge(
    OpenApi.annotations({
      identifier: "getSigningKeys",
      summary: "Read the public keys that manifests are signed with",
      description: "The key in use first, then those that were in use before. No credentials are needed."
    })
  )
).annotateMerge(OpenApi.annotations({ title: "Signing keys", description: "What manifests are verified with." })) {}
