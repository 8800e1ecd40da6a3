import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { RecognisedChunk, RecognisedPiece } from "../../../../workers/speech/asr/RecognisedChunk.ts"
import type { SpeakerActivity } from "../../../../workers/speech/asr/SpeakerActivity.ts"
import { tellSpeakers, tracksSpeakers } from "../../../../workers/speech/diarization/ChannelSpeakers.ts"
import { saidPieces } from "../../../../workers/speech/diarization/SpeakerTurns.ts"

const FRAME = 0.1

/** Nobody but these channels, each from a moment to another, as sure as it says. */
const heardBy = (
  seconds: number,
  turns: ReadonlyArray<readonly [channel: number, t_start: number, t_end: number, p?: number]>,
  channels = 4
): SpeakerActivity => {
  const probabilities = new Float32Array(Math.round(seconds / FRAME) * channels)
  for (const [channel, t_start, t_end, p = 0.9] of turns) {
    for (let frame = Math.round(t_start / FRAME); frame < Math.round(t_end / FRAME); frame++) {
      probabilities[frame * channels + channel] = p
    }
  }
  return { channels, frame_seconds: FRAME, probabilities }
}

/** A piece whose words last 0.4 s of each half second; every piece has the same voice, so that voices tell nothing. */
const piece = (t_start: number, words: ReadonlyArray<string>, seconds = words.length / 2): RecognisedPiece => ({
  t_start,
  t_end: t_start + seconds,
  voice: [1, 0, 0],
  words: words.map((text, i) => ({ t_start: t_start + i / 2, t_end: t_start + i / 2 + 0.4, text, confidence: 1 }))
})

const inVoice = (own: RecognisedPiece, voice: ReadonlyArray<number>): RecognisedPiece => ({ ...own, voice })

const chunkOf = (pieces: ReadonlyArray<RecognisedPiece>, recognised = true): RecognisedChunk => ({
  model: "m",
  recognised,
  language: "en",
  cased: false,
  voice_spread: null,
  pieces,
  slices: pieces.map(() => ({ pieces: 1 }))
})

const told = (pieces: ReadonlyArray<RecognisedPiece>, activity: SpeakerActivity, bounds = {}, recognised = true) => {
  const { overlaps, pieces: said } = tellSpeakers([chunkOf(pieces, recognised)], bounds, activity)
  return {
    overlaps,
    said: said.map(({ speaker, words }) => [speaker, words.map(({ text }) => text).join(" ")]),
    pieces: said
  }
}

describe("tellSpeakers", () => {
  it("gives each word to the channel that is the likeliest over it, and cuts pieces between two words", () => {
    const own = heardBy(4, [[2, 0, 1], [0, 1, 2.5], [2, 2.5, 4]])
    const { overlaps, pieces, said } = told([piece(0, ["so", "yes", "no", "why"]), piece(2.5, ["because"])], own)
    assert.deepStrictEqual(said, [[0, "so yes"], [1, "no why"], [0, "because"]])
    assert.deepStrictEqual(pieces.map(({ t_end, t_start }) => [t_start, t_end]), [[0, 0.95], [0.95, 2], [2.5, 3]])
    assert.deepStrictEqual(overlaps, [])
  })

  it("says where two are heard at once, and gives a word in it to the likelier", () => {
    const own = heardBy(4, [[0, 0, 2], [1, 1, 3, 0.95]])
    const { overlaps, said } = told([piece(0, ["one", "two", "three", "four", "five", "six"])], own)
    assert.deepStrictEqual(said, [[0, "one two"], [1, "three four five six"]])
    assert.deepStrictEqual(overlaps, [{ t_start: 1, t_end: 2, speakers: [0, 1] }])
  })

  it("takes no change of turns for two at once, nor a channel that has no word for somebody", () => {
    const own = heardBy(4, [[0, 0, 1.2], [1, 1, 3], [3, 0, 4, 0.6]])
    const { overlaps } = told([piece(0, ["one", "two", "three", "four"])], own)
    assert.deepStrictEqual(overlaps, [])
  })

  it("gives a piece without words to a speaker whom the network hears in it, and drops one in which it hears nobody with words", () => {
    const own = heardBy(9, [[0, 0, 1], [1, 1, 2], [1, 3, 4], [2, 5, 6]])
    const talk = [piece(0, ["one", "two"]), piece(1, ["three", "four"])]
    const { pieces } = told([...talk, piece(3, [], 1), piece(5, [], 1), piece(7, [], 1)], own)
    assert.deepStrictEqual(pieces.map(({ speaker, t_start }) => [t_start, speaker]), [[0, 0], [1, 1], [3, 1]])
  })

  it("tells speakers of a language that no recogniser knows apart by their pieces", () => {
    const own = heardBy(4, [[0, 0, 1], [1, 1, 2]])
    const { pieces } = told([piece(0, [], 1), piece(1, [], 1), piece(2.5, [], 1)], own, {}, false)
    assert.deepStrictEqual(pieces.map(({ speaker }) => speaker), [0, 1, 1])
  })

  it("keeps of too many channels those that speak the most, and gives words to them", () => {
    const own = heardBy(6, [[0, 0, 2], [1, 2, 2.5], [2, 2, 2.5, 0.3], [2, 2.5, 5]])
    const pieces = [piece(0, ["a", "b", "c", "d", "e", "f", "g", "h"])]
    assert.deepStrictEqual(told(pieces, own).said, [[0, "a b c d"], [1, "e"], [2, "f g h"]])
    for (const bounds of [{ num_speakers: 2 }, { max_speakers: 2 }]) {
      assert.deepStrictEqual(told(pieces, own, bounds).said, [[0, "a b c d"], [1, "e f g h"]])
    }
  })

  it("tells voices apart by themselves where fewer are heard than are known of, or nobody at all", () => {
    const voices = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    const pieces = voices.map((voice, i) => inVoice(piece(4 * i, ["word"], 4), voice))
    const alone = saidPieces([chunkOf(pieces)], { num_speakers: 3 })
    const two = heardBy(12, [[0, 0, 8], [1, 8, 12]])
    const known = tellSpeakers([chunkOf(pieces)], { num_speakers: 3 }, two)
    assert.deepStrictEqual(known, { pieces: alone, overlaps: null })
    assert.isNull(tellSpeakers([chunkOf(pieces)], { min_speakers: 3 }, two).overlaps)
    assert.isNull(tellSpeakers([chunkOf(pieces)], {}, heardBy(12, [])).overlaps)
    assert.isNull(tellSpeakers([chunkOf(pieces)], {}, null).overlaps)
  })

  it("asks voices themselves how many there are once no channel is left", () => {
    const voices = Array.from({ length: 5 }, (_, i) => Array.from({ length: 5 }, (_, d) => Number(d === i)))
    const pieces = voices.map((voice, i) => inVoice(piece(5 * i, ["word", "and", "word"], 5), voice))
    const all = heardBy(25, [[0, 0, 5], [1, 5, 10], [2, 10, 15], [3, 15, 25]])
    assert.strictEqual(new Set(told(pieces, all).pieces.map(({ speaker }) => speaker)).size, 5)
    // Four voices for four channels: as the network hears them.
    const four = pieces.with(4, inVoice(pieces[4]!, voices[3]!))
    assert.isNotNull(told(four, all).overlaps)
    // A channel is left: the network would have used it.
    assert.isNotNull(told(pieces, heardBy(25, [[0, 0, 5], [1, 5, 10], [2, 10, 25]])).overlaps)
  })

  it("loses and moves no word, whatever the network hears", () => {
    const turns = fc.array(
      fc.tuple(
        fc.nat(3),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 9 })
      ),
      { maxLength: 12 }
    )
    const shapes = fc.array(fc.tuple(fc.nat(4), fc.nat(10)), { maxLength: 8 })
    fc.assert(fc.property(turns, shapes, fc.boolean(), (turns, shapes, recognised) => {
      let at = 0
      const pieces = shapes.map(([words, gap]) => {
        const own = piece(
          at + gap / 10,
          Array.from({ length: recognised ? words : 0 }, (_, i) => `w${i}`),
          1 + words / 2
        )
        at = own.t_end
        return own
      })
      const own = heardBy(
        at + 1,
        turns.map(([channel, from, length, p]) => [channel, from / 2, from / 2 + length / 2, p / 10])
      )
      const { pieces: said } = tellSpeakers([chunkOf(pieces, recognised)], {}, own)
      assert.deepStrictEqual(said.flatMap(({ words }) => words), pieces.flatMap(({ words }) => words))
      said.forEach(({ t_end, t_start }, i) => {
        assert.isAtLeast(t_end, t_start)
        if (i > 0) assert.isAtLeast(t_start, said[i - 1]!.t_end - 1e-9)
      })
      const numbers = said.map(({ speaker }) => speaker)
      assert.deepStrictEqual([...new Set(numbers)], Array.from(new Set(numbers), (_, i) => i))
    }))
  })
})

describe("tracksSpeakers", () => {
  it("asks a network of eight channels but of one speaker, or of more than eight", () => {
    for (const bounds of [{}, { num_speakers: 8 }, { min_speakers: 2 }, { max_speakers: 20 }, { min_speakers: 8 }]) {
      assert.isTrue(tracksSpeakers(bounds))
    }
    for (const bounds of [{ num_speakers: 1 }, { max_speakers: 1 }, { num_speakers: 9 }, { min_speakers: 9 }]) {
      assert.isFalse(tracksSpeakers(bounds))
    }
  })
})
