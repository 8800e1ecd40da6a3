import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Deferred, Effect, Layer, Redacted, Result, type Scope } from "effect"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { parseKeyRing } from "../../src/crypto/KeyRing.ts"
import { keyUses, rewrap } from "../../src/crypto/Rewrap.ts"
import { sealedColumns } from "../../src/crypto/SealedColumns.ts"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { Database } from "../../src/database/Database.ts"
import { rounds } from "../support/Breadth.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const base64 = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const old = `k1:${base64(1)}`
const fresh = `k2:${base64(2)}`

const sealingOf = (keys: string) =>
  Effect.map(
    Layer.build(Sealing.layerRing(Result.getOrThrow(parseKeyRing(keys)))),
    (context) => Context.get(context, Sealing)
  )

const idOf = (at: number) => `dst_${String(at).padStart(26, "0")}`
const tenant_id = "ten_a"
const placeOf = (row_id: string, field: string) => ({ tenant_id, table: "destinations", row_id, field })

/** Webhook destinations whose config and secret are sealed under the old key. */
const makeDestinations = Effect.fn("makeDestinations")(function*(count: number) {
  const sql = yield* PgClient.PgClient
  const { seal } = yield* sealingOf(old)
  yield* sql`INSERT INTO footnote.tenants (id, name) VALUES (${tenant_id}, 'a')`
  const rows = Array.from({ length: count }, (_, at) => ({
    id: idOf(at),
    config: Buffer.from(seal(`config ${at}`, placeOf(idOf(at), "config"))).toString("base64"),
    secret: Buffer.from(seal(`secret ${at}`, placeOf(idOf(at), "signing_secret"))).toString("base64")
  }))
  yield* sql`INSERT INTO footnote.destinations (id, tenant_id, name, type, config, signing_secret)
    SELECT x.id, ${tenant_id}, 'n', 'webhook', decode(x.config, 'base64'), decode(x.secret, 'base64')
    FROM json_to_recordset(${JSON.stringify(rows)}::json) x(id text, config text, secret text)`
})

/** What lies behind the wrapped key: nonce, tag and the encrypted bytes of every value, as one digest. */
const ciphertexts = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const rows = yield* sql<{ readonly config: Uint8Array; readonly signing_secret: Uint8Array }>`
    SELECT config, signing_secret FROM footnote.destinations ORDER BY id`
  const hash = createHash("sha256")
  for (const { config, signing_secret } of rows) hash.update(config.subarray(46)).update(signing_secret.subarray(46))
  return hash.digest("hex")
})

const everyValueOpens = Effect.fn("everyValueOpens")(function*(keys: string, count: number) {
  const sql = yield* PgClient.PgClient
  const { open } = yield* sealingOf(keys)
  const rows = yield* sql<{ readonly id: string; readonly config: Uint8Array; readonly signing_secret: Uint8Array }>`
    SELECT id, config, signing_secret FROM footnote.destinations ORDER BY id`
  assert.lengthOf(rows, count)
  for (const [at, { config, id, signing_secret }] of rows.entries()) {
    assert.strictEqual(yield* open(config, placeOf(id, "config")), `config ${at}`)
    assert.strictEqual(yield* open(signing_secret, placeOf(id, "signing_secret")), `secret ${at}`)
  }
})

const rewrapUnder = (keys: string) =>
  Effect.flatMap(sealingOf(keys), (sealing) => Effect.provideService(rewrap(() => Effect.void), Sealing, sealing))

/** `npm run keys -- rewrap` as a process; killed where `kill` is set, as soon as a batch of its has been told. */
const rewrapProcess = (database: Redacted.Redacted, keys: string, kill: boolean) =>
  Effect.callback<{ readonly code: number | null; readonly output: string }>((resume) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL("../../src/cli/keys.ts", import.meta.url)), "rewrap"],
      {
        env: { ...process.env, DATABASE_URL: Redacted.value(database), FOOTNOTE_ENCRYPTION_KEY: keys }
      }
    )
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString()
        if (kill && /^[1-9]\d* values/mu.test(output)) child.kill("SIGKILL")
      })
    }
    child.on("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

const overDatabase = <A, E>(work: (url: Redacted.Redacted) => Effect.Effect<A, E, PgClient.PgClient | Scope.Scope>) =>
  Effect.gen(function*() {
    const url = yield* Effect.promise(TestDatabase.create)
    return yield* Effect.provide(work(url), Database.layerUrl(url, { maxConnections: 4 }))
  }).pipe(
    Effect.provide(Layer.merge(NodeServices.layer, ConfigProvider.layer(ConfigProvider.fromUnknown({})))),
    Effect.scoped
  )

describe("re-wrapping", () => {
  it.live("brings every value under the new key, leaves the encrypted bytes alone, and makes the old key needless", () =>
    overDatabase(() =>
      Effect.gen(function*() {
        yield* makeDestinations(1200)
        const before = yield* ciphertexts
        assert.deepStrictEqual(yield* rewrapUnder(`${fresh},${old}`), { rewrapped: 2400, unopened: 0 })
        assert.strictEqual(yield* ciphertexts, before)
        yield* everyValueOpens(fresh, 1200)
        assert.deepStrictEqual((yield* keyUses).map(({ key_id, values }) => [key_id, values]), [["k2", 1200], [
          "k2",
          1200
        ]])
        assert.deepStrictEqual(yield* rewrapUnder(`${fresh},${old}`), { rewrapped: 0, unopened: 0 })
      })
    ))

  it.live("loses nothing when it is killed, and goes on where it was", () =>
    overDatabase((url) =>
      Effect.gen(function*() {
        // Two batches or more of each column in the whole suite, one of each in `npm test`.
        const count = rounds(2000)
        yield* makeDestinations(count)
        const before = yield* ciphertexts
        let kills = 0
        for (let left = 2 * count; left > 0;) {
          const { code } = yield* rewrapProcess(url, `${fresh},${old}`, kills < 3)
          if (code === null) kills++
          const done = (yield* keyUses).filter(({ key_id }) => key_id === "k2").reduce(
            (sum, use) => sum + use.values,
            0
          )
          assert.isBelow(2 * count - done, left, "a killed run has come further")
          left = 2 * count - done
          yield* everyValueOpens(`${fresh},${old}`, count)
        }
        assert.isAtLeast(kills, 1)
        assert.strictEqual(yield* ciphertexts, before)
        yield* everyValueOpens(fresh, count)
      })
    ))

  it.live("tells what no key opens, leaves it, and does the rest", () =>
    overDatabase((url) =>
      Effect.gen(function*() {
        const sql = yield* PgClient.PgClient
        yield* makeDestinations(3)
        const { seal } = yield* sealingOf(`k0:${base64(0)}`)
        yield* sql`UPDATE footnote.destinations
          SET config = ${seal("lost", placeOf(idOf(1), "config"))} WHERE id = ${idOf(1)}`
        const { code, output } = yield* rewrapProcess(url, `${fresh},${old}`, false)
        assert.strictEqual(code, 1)
        assert.include(output, "1 values open with none of the configured keys")
        assert.deepStrictEqual(
          (yield* keyUses).map(({ field, key_id, values }) => [field, key_id, values]),
          [["config", "k0", 1], ["config", "k2", 2], ["signing_secret", "k2", 3]]
        )
      })
    ))

  it.live("waits for a row that somebody holds instead of passing over it", () =>
    overDatabase(() =>
      Effect.gen(function*() {
        const sql = yield* PgClient.PgClient
        yield* makeDestinations(2)
        const held = yield* Deferred.make<void>()
        const let_go = yield* Deferred.make<void>()
        yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
          yield* sql`SELECT FROM footnote.destinations WHERE id = ${idOf(0)} FOR UPDATE`
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(let_go)
        })))
        yield* Deferred.await(held)
        const told: Array<number> = []
        const sealing = yield* sealingOf(`${fresh},${old}`)
        // The first batch comes without the row that is held; the next one has to wait until it is let go.
        const outcome = yield* rewrap((rewrapped) =>
          Effect.suspend(() => told.push(rewrapped) === 1 ? Deferred.succeed(let_go, undefined) : Effect.void)
        ).pipe(Effect.provideService(Sealing, sealing))
        assert.strictEqual(told[0], 1)
        assert.deepStrictEqual(outcome, { rewrapped: 4, unopened: 0 })
        yield* everyValueOpens(fresh, 2)
      })
    ))

  it.live("knows every column in which something is sealed", () =>
    overDatabase(() =>
      Effect.gen(function*() {
        const sql = yield* PgClient.PgClient
        const beside = yield* sql<{ readonly table: string; readonly field: string }>`
          SELECT table_name AS table, left(column_name, -length('_key_id')) AS field FROM information_schema.columns
          WHERE table_schema = 'footnote' AND is_generated = 'ALWAYS' AND column_name LIKE '%\\_key\\_id'`
        assert.sameDeepMembers([...beside], sealedColumns.map(({ field, table }) => ({ table, field })))
        const indexes = yield* sql<{ readonly definition: string }>`
          SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'footnote'`
        for (const { field, table } of sealedColumns) {
          assert.isTrue(
            indexes.some(({ definition }) =>
              definition.includes(`footnote.${table} `) && definition.includes(`(${field}_key_id)`)
            ),
            `${table}.${field}`
          )
        }
      })
    ))
})
