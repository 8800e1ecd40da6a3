import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { diarize } from "../../../../workers/speech/diarization/Diarization.ts"
import type { VoicedPiece } from "../../../../workers/speech/diarization/VoicedPiece.ts"

/** A voice near one axis, turned a little towards another. */
const voice = (axis: number, turn = 0): Array<number> => {
  const vector = Array.from({ length: 8 }, () => 0)
  vector[axis] = Math.cos(turn)
  vector[(axis + 4) % 8] = Math.sin(turn)
  return vector
}

const piece = (t_start: number, seconds: number, of: ReadonlyArray<number> | null): VoicedPiece => ({
  t_start,
  t_end: t_start + seconds,
  voice: of
})

const talk = (speakers: ReadonlyArray<number>, seconds = 3) =>
  speakers.map((speaker, i) => piece(i * 4, seconds, voice(speaker, 0.3 * Math.sin(i))))

const conversations = fc
  .array(fc.record({ speaker: fc.nat(3), turn: fc.double({ min: -0.5, max: 0.5, noNaN: true }), mute: fc.boolean() }), {
    minLength: 1,
    maxLength: 25
  })
  .map((turns) => turns.map(({ mute, speaker, turn }, i) => piece(i * 3, 2, mute ? null : voice(speaker, turn))))

describe("diarize", () => {
  it("numbers speakers as they are first heard and knows them again", () => {
    assert.deepStrictEqual(diarize(talk([2, 0, 2, 1, 0])), [0, 1, 0, 2, 1])
  })

  it("does not depend on the order in which pieces are handed over", () => {
    fc.assert(fc.property(
      conversations.chain((pieces) =>
        fc.tuple(fc.constant(pieces), fc.shuffledSubarray(pieces.map((_, i) => i), { minLength: pieces.length }))
      ),
      ([pieces, order]) => {
        const straight = diarize(pieces)
        const shuffled = diarize(order.map((i) => pieces[i]!))
        order.forEach((i, k) => assert.strictEqual(shuffled[k], straight[i]))
      }
    ))
  })

  it("finds exactly as many speakers as the caller says there are, where enough pieces have a voice", () => {
    fc.assert(fc.property(conversations, fc.integer({ min: 1, max: 6 }), (pieces, num_speakers) => {
      const voiced = pieces.filter(({ voice }) => voice !== null).length
      const found = new Set(diarize(pieces, { num_speakers })).size
      assert.strictEqual(found, Math.max(1, Math.min(num_speakers, voiced)))
    }))
  })

  it("stays within bounds, and leaves a count inside of them as it is", () => {
    const pieces = talk([0, 1, 2, 0, 1, 2])
    assert.strictEqual(new Set(diarize(pieces, { max_speakers: 2 })).size, 2)
    assert.strictEqual(new Set(diarize(pieces, { min_speakers: 5 })).size, 5)
    assert.strictEqual(new Set(diarize(pieces, { min_speakers: 2, max_speakers: 4 })).size, 3)
  })

  it("gives a short answer to the nearest voice, and a piece without one to who speaks next to it", () => {
    const pieces = [...talk([0, 1]), piece(8, 0.5, voice(0, 0.9)), piece(30, 0.2, null), piece(31, 3, voice(1))]
    assert.deepStrictEqual(diarize(pieces), [0, 1, 0, 1, 1])
  })

  it("makes no speaker of a stray second", () => {
    assert.deepStrictEqual(diarize([...talk([0, 0, 0]), piece(20, 1.5, voice(2))]), [0, 0, 0, 0])
  })

  it("hears two people in a short exchange", () => {
    assert.deepStrictEqual(diarize([piece(0, 1.5, voice(0)), piece(2, 1.3, voice(1))]), [0, 1])
  })

  it("takes everything for one speaker where no voice can be told", () => {
    assert.deepStrictEqual(diarize([piece(0, 1, null), piece(2, 1, null)]), [0, 0])
    assert.deepStrictEqual(diarize([]), [])
  })
})

/** How far speakers differ where one varies by 1: much in two dimensions, less in the others. */
const spread = [40, 20, 10, 6, 4, 3, 2, 1]
/** Where some people are, as far apart as `spread` says. */
const people = [[8, 2, -3, 1, 2, 0, 1, 0], [-7, 3, 2, -2, 0, 2, 0, 1], [1, -6, 3, 3, -2, 1, 0, 0], [
  2,
  5,
  5,
  -1,
  3,
  -2,
  1,
  -1
]]
/** A voice of one of them on a certain day: off by a number for each dimension that the seed decides. */
const heard = (person: number, seed: number): Array<number> =>
  people[person]!.map((x, d) => x + 1.2 * Math.sin(12.9 * seed + 78.2 * d))

const later = (seconds: number) => ({ t_end, t_start, voice }: VoicedPiece): VoicedPiece => ({
  t_start: t_start + seconds,
  t_end: t_end + seconds,
  voice
})

const meeting = fc
  .array(
    fc.record({ person: fc.nat(3), seed: fc.nat(1000), mute: fc.boolean(), seconds: fc.constantFrom(0.6, 1.5, 3) }),
    {
      minLength: 1,
      maxLength: 25
    }
  )
  .map((turns) =>
    turns.map(({ mute, person, seconds, seed }, i) => piece(i * 3.2, seconds, mute ? null : heard(person, seed)))
  )

describe("diarize, by how voices are known to spread", () => {
  it("numbers speakers as they are first heard and knows them again", () => {
    const pieces = [2, 0, 2, 1, 0, 1, 2].map((person, i) => piece(i * 4, 3, heard(person, i)))
    assert.deepStrictEqual(diarize(pieces, {}, spread), [0, 1, 0, 2, 1, 2, 0])
  })

  it("does not depend on the order in which pieces are handed over", () => {
    fc.assert(fc.property(
      meeting.chain((pieces) =>
        fc.tuple(fc.constant(pieces), fc.shuffledSubarray(pieces.map((_, i) => i), { minLength: pieces.length }))
      ),
      ([pieces, order]) => {
        const straight = diarize(pieces, {}, spread)
        const shuffled = diarize(order.map((i) => pieces[i]!), {}, spread)
        order.forEach((i, k) => assert.strictEqual(shuffled[k], straight[i]))
      }
    ))
  })

  it("finds exactly as many speakers as the caller says there are, where enough pieces have a voice", () => {
    fc.assert(fc.property(meeting, fc.integer({ min: 1, max: 6 }), (pieces, num_speakers) => {
      const voices = pieces.filter(({ voice }) => voice !== null).length
      const found = new Set(diarize(pieces, { num_speakers }, spread)).size
      assert.strictEqual(found, Math.max(1, Math.min(num_speakers, voices)))
    }))
  })

  it("stays within bounds, and leaves a count inside of them as it is", () => {
    fc.assert(fc.property(meeting, fc.integer({ min: 1, max: 4 }), fc.nat(3), (pieces, min_speakers, more) => {
      const max_speakers = min_speakers + more
      const voices = pieces.filter(({ voice }) => voice !== null).length
      const free = new Set(diarize(pieces, {}, spread)).size
      const found = new Set(diarize(pieces, { min_speakers, max_speakers }, spread)).size
      assert.isAtMost(found, max_speakers)
      assert.isAtLeast(found, Math.max(1, Math.min(min_speakers, voices)))
      if (free >= min_speakers && free <= max_speakers) assert.strictEqual(found, free)
    }))
  })

  it("hears one person in a long talk, however the voice drifts", () => {
    const talk = Array.from({ length: 300 }, (_, i) => piece(i * 3, 2.8, heard(1, i).map((x) => x * (1 + i / 1000))))
    assert.deepStrictEqual([...new Set(diarize(talk, {}, spread))], [0])
  })

  it("hears nobody else in a recording that is played over and over", () => {
    fc.assert(fc.property(meeting, fc.integer({ min: 2, max: 12 }), (pieces, times) => {
      const once = diarize(pieces, {}, spread)
      fc.pre(pieces.every(({ voice }) => voice !== null))
      const played = Array.from({ length: times }, (_, pass) => pieces.map(later(100 * pass))).flat()
      assert.deepStrictEqual(diarize(played, {}, spread), Array.from({ length: times }, () => once).flat())
    }))
  })

  it("gives a piece that two voices fit alike to who speaks without a pause before it", () => {
    const between = people[0]!.map((x, d) => (x + people[1]![d]!) / 2)
    const pieces = [
      piece(0, 3, heard(0, 1)),
      piece(5, 3, heard(1, 2)),
      piece(8, 0.5, between),
      piece(12, 3, heard(0, 3))
    ]
    assert.deepStrictEqual(diarize(pieces, { num_speakers: 2 }, spread), [0, 1, 1, 0])
  })
})
