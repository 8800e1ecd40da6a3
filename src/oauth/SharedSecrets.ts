import { PgClient } from "@effect/sql-pg"
import { Effect, Option, Schema } from "effect"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { Sealing } from "../crypto/Sealing.ts"

/** Owned by no tenant. */
const placeOf = (name: string) => ({ tenant_id: "", table: "oauth_secrets", row_id: name, field: "sealed" })

/**
 * One secret for all replicas and restarts: whoever comes first makes it, and it is stored sealed. One that does not open,
 * because the deployment's encryption key is another one now, is made anew: it ends no more than sign-ins under way.
 */
const shared = Effect.fnUntraced(function*(name: string, make: () => string) {
  const sql = yield* PgClient.PgClient
  const { open, seal } = yield* Sealing
  const find = sql<{ sealed: Uint8Array }>`SELECT sealed FROM footnote.oauth_secrets WHERE name = ${name}`
  if ((yield* find).length === 0) {
    yield* sql`INSERT INTO footnote.oauth_secrets (name, sealed) VALUES (${name}, ${seal(make(), placeOf(name))})
      ON CONFLICT DO NOTHING`
  }
  const [row] = yield* find
  const opened = yield* Effect.option(open(row!.sealed, placeOf(name)))
  if (Option.isSome(opened)) return opened.value
  yield* Effect.logWarning(`The ${name} of the authorization server was sealed with another key; it is made anew.`)
  // Of processes that find this at the same moment the first decides for all.
  yield* sql`UPDATE footnote.oauth_secrets SET sealed = ${seal(make(), placeOf(name))}
    WHERE name = ${name} AND sealed = ${row!.sealed}`
  const [decided] = yield* find
  return yield* open(decided!.sealed, placeOf(name))
})

const decodeJwk = Schema.decodeEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

/**
 * What the authorization server signs with: an ES256 key as a JWK, and the secret of its cookies.
 */
export const sharedSecrets = Effect.gen(function*() {
  const jwk = yield* shared("signing-key", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    return JSON.stringify(privateKey.export({ format: "jwk" }))
  })
  const cookies = yield* shared("cookies", () => randomBytes(32).toString("base64url"))
  return { jwk: yield* Effect.orDie(decodeJwk(jwk)), cookies }
})
