import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { parseKeyRing } from "../../src/crypto/KeyRing.ts"
import { Sealing } from "../../src/crypto/Sealing.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const [old, fresh] = [key(1), `k2:${key(2)}`]
const place = { tenant_id: "ten_a", table: "destinations", row_id: "dst_1", field: "config" }

/** A process that was started with these keys. */
const started = (keys: string) =>
  Effect.map(
    Layer.build(Sealing.layerRing(Result.getOrThrow(parseKeyRing(keys)))),
    (context) => Context.get(context, Sealing)
  )

/** What a process runs with before and after each step of docs/operations.md. */
const steps = [old, `${old},${fresh}`, `${fresh},${old}`]

describe("a change of the deployment's key, process by process", () => {
  for (const [at, after] of steps.entries()) {
    const before = steps[at - 1] ?? after
    it.effect(`while step ${at} goes on, whatever one process seals every other one opens`, () =>
      Effect.gen(function*() {
        const processes = [yield* started(before), yield* started(after)]
        for (const sealing of processes) {
          const sealed = sealing.seal("secret", place)
          for (const opening of processes) assert.strictEqual(yield* opening.open(sealed, place), "secret")
        }
      }))
  }

  it.effect("once all is wrapped anew, processes without the old key open it beside those that still have it", () =>
    Effect.gen(function*() {
      const first = (yield* started(old)).seal("secret", place)
      const during = yield* started(steps[2]!)
      const after = yield* started(fresh)
      const moved = yield* during.rewrap(first, place)
      for (const sealed of [moved, during.seal("secret", place), after.seal("secret", place)]) {
        for (const sealing of [during, after]) assert.strictEqual(yield* sealing.open(sealed, place), "secret")
      }
      assert.strictEqual((yield* Effect.flip(after.open(first, place)))._tag, "SealBroken")
    }))

  it.effect("with the new key active at once, processes that are still to be restarted could not open what it seals", () =>
    Effect.gen(function*() {
      const sealed = (yield* started(steps[2]!)).seal("secret", place)
      assert.strictEqual((yield* Effect.flip((yield* started(old)).open(sealed, place)))._tag, "SealBroken")
    }))
})
