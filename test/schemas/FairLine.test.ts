import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeFairLine } from "../../src/schemas/FairLine.ts"

/** Work that says when it has begun and ends when it is told to. */
const scene = (options: { readonly slots: number; readonly waiting: number }) => {
  const line = makeFairLine(options)
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const start = Effect.fnUntraced(function*(name: string) {
    const end = Deferred.makeUnsafe<void>()
    ends.set(name, end)
    const work = Effect.andThen(Effect.sync(() => begun.push(name)), Deferred.await(end))
    const fiber = yield* Effect.forkChild(line.run(name[0]!, work))
    yield* Effect.yieldNow
    return fiber
  })
  const finish = (name: string) => Effect.andThen(Deferred.succeed(ends.get(name)!, undefined), settled)
  return { begun, finish, line, start }
}

/** Until every fiber has gone as far as it can. */
const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

describe("a line that takes turns by tenant", () => {
  it.effect("lets another tenant's first go before the rest of a long line, and runs one of each at a time", () =>
    Effect.gen(function*() {
      const { begun, finish, start } = scene({ slots: 1, waiting: 100 })
      for (let at = 0; at < 50; at++) yield* start(`b${at}`)
      yield* start("a0")
      yield* start("a1")
      yield* start("c0")
      yield* settled
      for (const name of ["b0", "a0", "c0", "b1", "a1"]) yield* finish(name)
      assert.deepStrictEqual(begun, ["b0", "a0", "c0", "b1", "a1", "b2"])
    }))

  it.effect("keeps a second slot for others while one tenant's line is long", () =>
    Effect.gen(function*() {
      const { begun, start } = scene({ slots: 2, waiting: 100 })
      for (let at = 0; at < 10; at++) yield* start(`b${at}`)
      yield* settled
      assert.deepStrictEqual(begun, ["b0"])
      yield* start("a0")
      yield* settled
      assert.deepStrictEqual(begun, ["b0", "a0"])
    }))

  it.effect("refuses what is beyond a tenant's own line, and nothing of another's", () =>
    Effect.gen(function*() {
      const { begun, line, start } = scene({ slots: 2, waiting: 3 })
      for (let at = 0; at < 4; at++) yield* start(`b${at}`)
      const refused = yield* Effect.flip(line.run("b", Effect.void))
      assert.strictEqual(refused._tag, "LineFull")
      yield* start("a0")
      yield* settled
      assert.deepStrictEqual(begun, ["b0", "a0"])
    }))

  it.effect("is left by whoever gives up, waiting or at work, and forgets who has gone", () =>
    Effect.gen(function*() {
      const { begun, finish, line, start } = scene({ slots: 1, waiting: 3 })
      const first = yield* start("b0")
      const second = yield* start("b1")
      yield* start("b2")
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      yield* settled
      assert.deepStrictEqual(begun, ["b0", "b2"])
      yield* finish("b2")
      assert.strictEqual(line.size(), 0)
      yield* line.run("a", Effect.void)
      assert.strictEqual(line.size(), 0)
    }))

  it.effect("gives a turn on that came to one who has just gone", () =>
    Effect.gen(function*() {
      const { begun, finish, line, start } = scene({ slots: 1, waiting: 3 })
      yield* start("b0")
      const next = yield* start("a0")
      yield* start("c0")
      yield* Effect.all([finish("b0"), Fiber.interrupt(next)], { concurrency: "unbounded" })
      yield* settled
      assert.strictEqual(begun.at(-1), begun.includes("a0") && !begun.includes("c0") ? "a0" : "c0")
      yield* finish("c0")
      yield* settled
      assert.strictEqual(line.size(), 0)
    }))
})
