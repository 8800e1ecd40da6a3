import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { hashApiKey, mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { makeKeyLookup } from "../../src/api-keys/KeyLookup.ts"
import { newId } from "../../src/identity/Id.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const names = (found: ReadonlyArray<{ readonly id: string; readonly tenant_id: string } | undefined>) =>
  found.map((key) => key && `${key.id} ${key.tenant_id}`)

layer(TestDatabase.layer, { excludeTestServices: true })("keys that are asked for at the same moment", (it) => {
  it.effect("share one statement, and each is answered for itself: known, unknown, and revoked a moment before", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const lookUp = makeKeyLookup(sql)
      const keys = yield* Effect.forEach([1, 2, 3], () =>
        Effect.gen(function*() {
          const tenant_id = yield* newId("ten")
          const id = yield* newId("key")
          const secret = mintSecret()
          yield* sql`INSERT INTO footnote.tenants ${sql.insert({ id: tenant_id, name: "one" })}`
          yield* sql`INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256)
            VALUES (${id}, ${tenant_id}, 'k', 'fnk_', ${hashApiKey(secret)})`
          return { id, tenant_id, secret }
        }))
      let statements = 0
      const counting: Statement.Transformer = (statement) =>
        Effect.sync(() => {
          statements++
          return statement
        })
      const ask = Effect.provideService(
        Effect.forEach([...keys, { secret: mintSecret() }, ...keys], ({ secret }) => lookUp(secret), {
          concurrency: "unbounded"
        }),
        Statement.CurrentTransformer,
        counting
      )
      const expected = keys.map(({ id, tenant_id }) => `${id} ${tenant_id}`)
      assert.deepStrictEqual(names(yield* ask), [...expected, undefined, ...expected])
      assert.strictEqual(statements, 1)
      yield* sql`UPDATE footnote.api_keys SET revoked_at = now() WHERE id = ${keys[1]!.id}`
      const without = [expected[0], undefined, expected[2]]
      assert.deepStrictEqual(names(yield* ask), [...without, undefined, ...without])
    }))

  it.effect("in turn, five hundred that are tried share one statement with the good one among them", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const lookUp = makeKeyLookup(sql)
      const tenant_id = yield* newId("ten")
      const id = yield* newId("key")
      const good = mintSecret()
      yield* sql`INSERT INTO footnote.tenants ${sql.insert({ id: tenant_id, name: "one" })}`
      yield* sql`INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256)
        VALUES (${id}, ${tenant_id}, 'k', 'fnk_', ${hashApiKey(good)})`
      let statements = 0
      const counting: Statement.Transformer = (statement) =>
        Effect.sync(() => {
          statements++
          return statement
        })
      // One after the other, as they come over many connections.
      const ask = (secret: string) => Effect.andThen(Effect.yieldNow, lookUp(secret, "in turn"))
      const found = yield* Effect.forEach(
        [...Array.from({ length: 250 }, mintSecret), good, ...Array.from({ length: 250 }, mintSecret)],
        ask,
        { concurrency: "unbounded" }
      ).pipe(Effect.provideService(Statement.CurrentTransformer, counting))
      assert.deepStrictEqual(names(found.filter((key) => key !== undefined)), [`${id} ${tenant_id}`])
      assert.strictEqual(statements, 1)
    }))
})
