import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decode, fileBeside } from "./Sounds.ts"
import { lane, transcribeAll } from "./SpeechLane.ts"

const lecture = fileBeside("samples/lecture.mp4")

describe("the speech stages", () => {
  it.live.skipIf(lecture === null)(
    "gives the same bytes in any order, one or several tasks at a time",
    () =>
      Effect.gen(function*() {
        // Twice the lecture makes more than one chunk.
        const once = yield* Effect.promise(() => decode(lecture!))
        const pcm = Buffer.concat([once, once])
        const one = yield* transcribeAll(pcm, {})
        const two = yield* transcribeAll(pcm, { width: 3, backwards: true })
        assert.isAbove(one.found.chunks, 1)
        assert.strictEqual(two.bytes, one.bytes)
      }).pipe(Effect.provide(lane))
  )
})
