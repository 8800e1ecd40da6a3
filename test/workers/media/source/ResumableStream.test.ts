import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { StageFailure } from "../../../../src/jobs/model/JobFailure.ts"
import { type Resumable, resumableBytes } from "../../../../workers/media/source/ResumableStream.ts"

const file = Uint8Array.from({ length: 1000 }, (_, at) => at % 251)

const broken = () => new StageFailure({ code: "SOURCE_UNREACHABLE", message: "broken", retryable: true })

/** Bytes that end without an error, as a body of just that length does. */
const part = (from: number, to: number, total: number | undefined = file.length): Resumable => ({
  total,
  body: (async function*() {
    if (to > from) yield file.subarray(from, to)
  })()
})

/** All bytes of a transfer that begins with `first` bytes, whose rest is asked for by `rest`; and from where it was asked for. */
const read = Effect.fnUntraced(function*(first: Resumable, rest: (received: number) => Resumable) {
  const asked: Array<number> = []
  const next = resumableBytes(first, {
    max_bytes: 10_000,
    pace: { window_ms: 1e9, bytes: 1e9 },
    failure: broken,
    resume: (received) =>
      Effect.sync(() => {
        asked.push(received)
        return rest(received)
      })
  })
  const all = Effect.gen(function*() {
    const pieces: Array<Uint8Array> = []
    for (;;) {
      const piece = yield* next
      if (piece === undefined) return Buffer.concat(pieces)
      pieces.push(piece)
    }
  })
  return { all, asked }
})

/** As the work ends, however long it waits before it asks again. */
const outcome = Effect.fnUntraced(function*<A, E>(work: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(work)
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("1 second")
  return yield* Fiber.join(fiber)
})

describe("a body that ends before its file", () => {
  it.effect("is gone on with at once, as often as each answer brings bytes", () =>
    Effect.gen(function*() {
      const { all, asked } = yield* read(
        part(0, 100),
        (received) => part(received, Math.min(received + 90, file.length))
      )
      // No clock is moved: whatever waited would never end.
      assert.isTrue((yield* all).equals(file))
      assert.deepStrictEqual(asked, [100, 190, 280, 370, 460, 550, 640, 730, 820, 910])
    }))

  it.effect("is never taken for the file: answers without bytes are broken ones, and four of them are all", () =>
    Effect.gen(function*() {
      const { all, asked } = yield* read(part(0, 300), (received) => part(received, received))
      assert.deepInclude(yield* outcome(Effect.flip(all)), {
        code: "SOURCE_UNREACHABLE",
        retryable: true,
        message: "The source ended after 300 of 1000 bytes."
      })
      // Once because the first answer brought bytes.
      assert.deepStrictEqual(asked, [300, 300, 300, 300, 300])
    }))

  it.effect("is mended where the next answer has the rest, and not where it has too much", () =>
    Effect.gen(function*() {
      const empty = yield* read(part(0, 0), () => part(0, file.length))
      assert.isTrue((yield* outcome(empty.all)).equals(file))
      const long = yield* read(part(0, 300), () => part(0, file.length))
      assert.deepInclude(yield* outcome(Effect.flip(long.all)), { code: "SOURCE_UNREACHABLE", retryable: true })
    }))

  it.effect("is the file where nobody has said how long that is", () =>
    Effect.gen(function*() {
      const { all, asked } = yield* read({ ...part(0, 300), total: undefined }, () => part(0, 0))
      assert.lengthOf(yield* all, 300)
      assert.deepStrictEqual(asked, [])
    }))
})
