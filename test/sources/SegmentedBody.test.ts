import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Stream } from "effect"
import * as fc from "fast-check"
import { type SegmentedBody, segmentedBody, type SegmentLimits } from "../../src/sources/SegmentedBody.ts"

const small: SegmentLimits = { bytes: 10, millis: 1e9 }

const collect = (bytes: Stream.Stream<Uint8Array>) =>
  Effect.map(Stream.runCollect(bytes), (chunks) => Buffer.concat(chunks))

/** Every segment until there are no more. */
const drain = Effect.fnUntraced(function*<E>(body: SegmentedBody<E, never>) {
  const segments: Array<Buffer> = []
  while (yield* body.more) segments.push(yield* collect(body.segment))
  return segments
})

const cut = <E>(bytes: Stream.Stream<Uint8Array, E>, limits = small, stop: Effect.Effect<void> = Effect.never) =>
  segmentedBody(bytes, limits, stop)

describe("segmentedBody", () => {
  it.effect("gives every byte once, in order, in full segments but for the last, however the body is chunked", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 35 }), { maxLength: 12 }), async (chunks) => {
          const segments = await Effect.runPromise(Effect.scoped(
            Effect.flatMap(cut(Stream.fromIterable(chunks)), drain)
          ))
          assert.isTrue(Buffer.concat(segments).equals(Buffer.concat(chunks)))
          for (const segment of segments.slice(0, -1)) assert.lengthOf(segment, 10)
          assert.isTrue(segments.every(({ length }) => length > 0))
        })
      )
    ))

  it.effect("keeps what came before the body broke, and tells by what", () =>
    Effect.gen(function*() {
      const body = yield* cut(Stream.concat(Stream.make(new Uint8Array(13)), Stream.fail("broken")))
      assert.deepStrictEqual((yield* drain(body)).map(({ length }) => length), [10, 3])
      assert.deepStrictEqual(body.end(), Exit.fail("broken"))
    }).pipe(Effect.scoped))

  it.effect("is whole only where the body ended by itself", () =>
    Effect.gen(function*() {
      const body = yield* cut(Stream.make(new Uint8Array(3)))
      yield* drain(body)
      assert.deepStrictEqual(body.end(), Exit.void)
    }).pipe(Effect.scoped))

  it.effect("stops in the middle of a segment, and keeps what came of it", () =>
    Effect.gen(function*() {
      const stop = yield* Deferred.make<void>()
      const read = yield* Deferred.make<void>()
      const bytes = Stream.concat(
        Stream.make(new Uint8Array(4)),
        Stream.fromEffect(Effect.andThen(Deferred.succeed(read, undefined), Effect.never))
      )
      const body = yield* cut(bytes, small, Deferred.await(stop))
      const fiber = yield* Effect.forkChild(drain(body))
      yield* Deferred.await(read)
      yield* Deferred.succeed(stop, undefined)
      assert.deepStrictEqual((yield* Fiber.join(fiber)).map(({ length }) => length), [4])
      assert.strictEqual(body.end(), undefined)
    }).pipe(Effect.scoped))

  it.effect("closes a segment that takes too long, but none without a byte", () =>
    Effect.gen(function*() {
      const body = yield* cut(Stream.make(...[1, 2, 3].map(() => new Uint8Array(2))), { bytes: 10, millis: 0 })
      assert.deepStrictEqual((yield* drain(body)).map(({ length }) => length), [2, 2, 2])
    }).pipe(Effect.scoped))
})
