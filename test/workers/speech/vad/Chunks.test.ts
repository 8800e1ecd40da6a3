import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Interval } from "../../../../workers/speech/dsp/Interval.ts"
import { chunkDefaults, planChunks } from "../../../../workers/speech/vad/Chunks.ts"
import type { Speech } from "../../../../workers/speech/vad/SpeechGate.ts"

/** Speech as the gate gives it: intervals apart from each other, pauses inside of them. */
const speeches: fc.Arbitrary<Speech> = fc
  .array(
    fc.record({
      gap: fc.double({ min: 0, max: 5, noNaN: true }),
      parts: fc.array(
        fc.tuple(fc.double({ min: 0.2, max: 30, noNaN: true }), fc.double({ min: 0.12, max: 0.5, noNaN: true })),
        { minLength: 1, maxLength: 8 }
      )
    }),
    { maxLength: 30 }
  )
  .map((shapes) => {
    const intervals: Array<Interval> = []
    const pauses: Array<Interval> = []
    let at = 0
    for (const { gap, parts } of shapes) {
      const t_start = at += gap
      parts.forEach(([speech, pause], i) => {
        at += speech
        if (i + 1 < parts.length) {
          pauses.push({ t_start: at, t_end: at + pause })
          at += pause
        }
      })
      intervals.push({ t_start, t_end: at })
    }
    return { intervals, pauses }
  })

const length = ({ t_end, t_start }: Interval) => t_end - t_start

describe("planChunks", () => {
  it("puts every moment of speech into exactly one piece and nothing else", () => {
    fc.assert(fc.property(speeches, (speech) => {
      const pieces = planChunks(speech).flatMap(({ slices }) => slices.flatMap(({ pieces }) => pieces))
      // Pieces that touch are joined again: what comes out must be the intervals that went in.
      const joined: Array<Interval> = []
      const starts = new Set(speech.intervals.map(({ t_start }) => t_start))
      for (const piece of pieces) {
        const last = joined.at(-1)
        if (last !== undefined && piece.t_start === last.t_end && !starts.has(piece.t_start)) {
          joined[joined.length - 1] = { t_start: last.t_start, t_end: piece.t_end }
        } else joined.push(piece)
      }
      assert.deepStrictEqual(joined, [...speech.intervals])
    }))
  })

  it("keeps slices apart from each other, in order, no longer than 20 s of speech and 0.6 s before and after it", () => {
    fc.assert(fc.property(speeches, (speech) => {
      let end = 0
      for (const slice of planChunks(speech).flatMap(({ slices }) => slices)) {
        assert.isAtLeast(slice.t_start, end)
        const speech = { t_start: slice.pieces[0]!.t_start, t_end: slice.pieces.at(-1)!.t_end }
        assert.isAtMost(length(speech), chunkDefaults.slice_seconds + 1e-9)
        assert.isAtMost(slice.t_start, speech.t_start)
        assert.isAtMost(speech.t_start - slice.t_start, chunkDefaults.context_seconds + 1e-9)
        assert.isAtLeast(slice.t_end, speech.t_end)
        assert.isAtMost(slice.t_end - speech.t_end, chunkDefaults.context_seconds + 1e-9)
        end = slice.t_end
      }
    }))
  })

  it("bounds what one task hears, and leaves no task without anything to hear", () => {
    fc.assert(fc.property(speeches, (speech) => {
      for (const { slices } of planChunks(speech)) {
        assert.isNotEmpty(slices)
        const heard = slices.reduce((sum, slice) => sum + length(slice), 0)
        assert.isAtMost(heard, chunkDefaults.chunk_seconds + 1e-6)
        for (const { pieces } of slices) {
          for (const piece of pieces) assert.isAtMost(length(piece), chunkDefaults.piece_seconds + 1e-9)
        }
      }
    }))
  })

  it("cuts long speech at its longest pause in reach", () => {
    const speech = {
      intervals: [{ t_start: 0, t_end: 30 }],
      pauses: [{ t_start: 12, t_end: 12.2 }, { t_start: 15, t_end: 15.4 }, { t_start: 18, t_end: 18.2 }]
    }
    const [slice] = planChunks(speech)[0]!.slices
    assert.closeTo(slice!.t_end, 15.2, 1e-9)
  })

  it("plans nothing for silence", () => {
    assert.deepStrictEqual(planChunks({ intervals: [], pauses: [] }), [])
  })
})
