import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hashApiKey, mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { Sessions } from "../../src/api-keys/Sessions.ts"
import { newId } from "../../src/identity/Id.ts"
import { Janitor } from "../../src/jobs/engine/Janitor.ts"
import * as TestEngine from "../support/TestEngine.ts"

const makeKey = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const tenant_id = yield* TestEngine.makeTenant()
  const key_id = yield* newId("key")
  yield* sql`INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256)
    VALUES (${key_id}, ${tenant_id}, 'k', 'fnk_', ${hashApiKey(mintSecret())})`
  return { key_id, tenant_id }
})

const count = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const rows = yield* sql<{ key_id: string; n: number }>`
    SELECT key_id, count(*)::int AS n FROM footnote.sessions GROUP BY key_id`
  return Object.fromEntries(rows.map(({ key_id, n }) => [key_id, n]))
})

layer(Sessions.layer.pipe(Layer.provideMerge(TestEngine.layer())), { excludeTestServices: true })("sessions", (it) => {
  it.effect("that are over or whose key was revoked are swept, the others stay", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const { begin } = yield* Sessions
      const { sweep } = yield* Janitor
      const [good, late, revoked] = [yield* makeKey, yield* makeKey, yield* makeKey]
      for (const key of [good, late, revoked]) yield* begin(key, "")
      yield* sql`UPDATE footnote.sessions SET expires_at = now() - interval '1 second' WHERE key_id = ${late.key_id}`
      yield* sql`UPDATE footnote.api_keys SET revoked_at = now() WHERE id = ${revoked.key_id}`
      yield* sweep
      assert.deepStrictEqual(yield* count, { [good.key_id]: 1 })
    }))

  it.effect("of one key are a hundred at most: the oldest goes", () =>
    Effect.gen(function*() {
      const { authenticate, begin } = yield* Sessions
      const key = yield* makeKey
      const begun = yield* Effect.forEach(Array.from({ length: 102 }), () => begin(key, ""))
      assert.strictEqual((yield* count)[key.key_id], 100)
      const known = yield* Effect.forEach(begun, ({ token }) => Effect.isSuccess(authenticate(token)))
      assert.deepStrictEqual(known, [false, false, ...Array.from({ length: 100 }, () => true)])
    }))
})
