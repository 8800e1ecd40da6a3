import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { resegment } from "../../../../workers/speech/diarization/Resegmentation.ts"
import type { VoicedPiece } from "../../../../workers/speech/diarization/VoicedPiece.ts"

const at = (angle: number) => [Math.cos(angle), Math.sin(angle)]
const piece = (t_start: number, seconds: number, voice: ReadonlyArray<number> | null): VoicedPiece => ({
  t_start,
  t_end: t_start + seconds,
  voice
})
const [ann, bob] = [at(0), at(Math.PI / 2)]

describe("resegment", () => {
  it("takes a doubtful piece within a breath for the same speaker, and believes the voice after a silence", () => {
    const between = at(Math.PI / 4 + 0.1)
    const talk = (gap: number) => [
      piece(0, 3, ann),
      piece(3 + gap, 0.8, between),
      piece(3.8 + 2 * gap, 3, ann),
      piece(20, 3, bob)
    ]
    assert.deepStrictEqual(resegment(talk(0.1), [0, 1, 0, 1]), [0, 0, 0, 1])
    assert.deepStrictEqual(resegment(talk(2), [0, 1, 0, 1]), [0, 1, 0, 1])
  })

  it("corrects a piece whose voice is clearly another's", () => {
    const pieces = [ann, bob, ann, bob, ann].map((voice, i) => piece(i * 5, 3, voice))
    assert.deepStrictEqual(resegment(pieces, [0, 1, 0, 1, 1]), [0, 1, 0, 1, 0])
  })

  it("never loses a speaker", () => {
    const pieces = fc.array(
      fc.record({
        gap: fc.double({ min: 0, max: 2, noNaN: true }),
        seconds: fc.double({ min: 0.2, max: 6, noNaN: true }),
        angle: fc.option(fc.double({ min: 0, max: 3, noNaN: true })),
        speaker: fc.nat(2)
      }),
      { minLength: 3, maxLength: 20 }
    )
    fc.assert(fc.property(pieces, (shapes) => {
      let end = 0
      const built = shapes.map(({ angle, gap, seconds }) => {
        const made = piece(end + gap, seconds, angle === null ? null : at(angle))
        end = made.t_end
        return made
      })
      const speakers = shapes.map(({ speaker }, i) => i < 3 ? i : speaker)
      assert.strictEqual(new Set(resegment(built, speakers)).size, 3)
    }))
  })
})
