import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Console, Context, Effect, Layer, Result } from "effect"
import { runKeys } from "../../src/cli/KeysCommand.ts"
import { parseKeyRing } from "../../src/crypto/KeyRing.ts"
import { Sealing } from "../../src/crypto/Sealing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const ring = (...keys: ReadonlyArray<readonly [id: string, byte: number]>) =>
  Sealing.layerRing(Result.getOrThrow(
    parseKeyRing(keys.map(([id, byte]) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`).join(","))
  ))

/** `npm run keys` with these words, and the lines that it printed. */
const run = Effect.fn("run")(function*(words: ReadonlyArray<string>, keys: Layer.Layer<Sealing>) {
  const lines: Array<string> = []
  const sql = yield* PgClient.PgClient
  const console: Console.Console = { ...globalThis.console, log: (line: string) => void lines.push(line) }
  const result = yield* runKeys(words, Layer.merge(keys, Layer.succeed(PgClient.PgClient, sql))).pipe(
    Effect.provideService(Console.Console, console),
    Effect.result
  )
  return { lines, failure: Result.isFailure(result) ? result.failure.message : undefined }
})

const makeDestination = Effect.fn("makeDestination")(function*(id: string, keys: Layer.Layer<Sealing>) {
  const sql = yield* PgClient.PgClient
  const { seal } = Context.get(yield* Layer.build(keys), Sealing)
  const place = { tenant_id: "ten_a", table: "destinations", row_id: id, field: "config" }
  yield* sql`INSERT INTO footnote.tenants (id, name) VALUES ('ten_a', 'a') ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO footnote.destinations (id, tenant_id, name, type, config)
    VALUES (${id}, 'ten_a', 'n', 'slack', ${seal("{}", place)})`
})

const TestLayer = Layer.merge(TestDatabase.layer, NodeServices.layer)

describe("npm run keys", () => {
  it.live("generate prints a key that the configuration takes as it stands, another one each time", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* run(["generate"], ring(["k", 1])), yield* run(["generate"], ring(["k", 1]))]
      assert.lengthOf(first.lines, 1)
      assert.notStrictEqual(first.lines[0], second.lines[0])
      const { active } = Result.getOrThrow(parseKeyRing(first.lines[0]!))
      assert.isTrue(first.lines[0]!.startsWith(`${active.id}:`))
      assert.strictEqual(Result.getOrThrow(parseKeyRing(first.lines[0]!.split(":")[1]!)).active.id, active.id)
    }).pipe(Effect.provide(TestLayer)))

  it.live("status shows which keys are needed, and fails where one of them is not there", () =>
    Effect.gen(function*() {
      yield* makeDestination("dst_1", ring(["k1", 1]))
      const before = yield* run(["status"], ring(["k2", 2], ["k1", 1]))
      assert.deepStrictEqual(before.lines, [
        "k2  active  0 values",
        "k1  still needed  1 values",
        "destinations.config: 1 under k1"
      ])
      assert.isUndefined(before.failure)
      assert.strictEqual((yield* run(["status"], ring(["k2", 2]))).failure, "Not among the configured keys: k1.")
      assert.isUndefined((yield* run(["rewrap"], ring(["k2", 2], ["k1", 1]))).failure)
      assert.deepStrictEqual((yield* run(["status"], ring(["k2", 2], ["k1", 1]))).lines, [
        "k2  active  1 values",
        "k1  no longer needed  0 values"
      ])
    }).pipe(Effect.scoped, Effect.provide(TestLayer)))
})
