import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { hashApiKey, isApiKey, mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { bootstrapTenant } from "../../src/tenants/Tenants.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Bootstraps and gives what was announced. */
const announced = (config: Record<string, string> = {}) =>
  Effect.gen(function*() {
    const said: Array<string> = []
    yield* bootstrapTenant((secret) => Effect.sync(() => void said.push(secret))).pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(config)))
    )
    return said
  })

const counts = Effect.flatMap(
  PgClient.PgClient,
  (sql) =>
    sql<{ tenants: number; keys: number }>`SELECT (SELECT count(*)::int FROM footnote.tenants) AS tenants,
    (SELECT count(*)::int FROM footnote.api_keys) AS keys`
)

it.live("an empty database gets one tenant and one key, announced once, however many processes start at once", () =>
  Effect.gen(function*() {
    const all = yield* Effect.forEach(Array.from({ length: 8 }), () => announced(), { concurrency: "unbounded" })
    assert.strictEqual(all.flat().length, 1)
    assert.isTrue(isApiKey(all.flat()[0]!))
    assert.deepStrictEqual(yield* announced(), [])
    assert.deepStrictEqual(yield* counts, [{ tenants: 1, keys: 1 }])
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("FOOTNOTE_API_KEY exists after every start and is never announced", () =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const keys = [mintSecret(), mintSecret()]
    for (const key of [keys[0]!, keys[0]!, keys[1]!]) {
      assert.deepStrictEqual(yield* announced({ FOOTNOTE_API_KEY: key }), [])
    }
    assert.deepStrictEqual(yield* counts, [{ tenants: 1, keys: 2 }])
    for (const key of keys) {
      const found = yield* sql`SELECT id FROM footnote.api_keys WHERE secret_sha256 = ${hashApiKey(key)}`
      assert.strictEqual(found.length, 1)
    }
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a revoked FOOTNOTE_API_KEY stays revoked, whatever starts with it", () =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const key = mintSecret()
    yield* announced({ FOOTNOTE_API_KEY: key })
    yield* sql`UPDATE footnote.api_keys SET revoked_at = now()`
    assert.deepStrictEqual(yield* announced({ FOOTNOTE_API_KEY: key }), [])
    assert.deepStrictEqual(yield* counts, [{ tenants: 1, keys: 1 }])
    const revoked = yield* sql`SELECT id FROM footnote.api_keys WHERE revoked_at IS NOT NULL`
    assert.strictEqual(revoked.length, 1)
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a malformed FOOTNOTE_API_KEY is refused without being repeated", () =>
  Effect.gen(function*() {
    const error = yield* Effect.flip(announced({ FOOTNOTE_API_KEY: "fnk_almost" }))
    assert.include(String(error), "FOOTNOTE_API_KEY is not a well-formed key")
    assert.notInclude(String(error), "fnk_almost")
  }).pipe(Effect.provide(TestDatabase.layer)))
