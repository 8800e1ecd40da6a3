import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { RecognisedChunk, RecognisedPiece } from "../../../../workers/speech/asr/RecognisedChunk.ts"
import { saidPieces, turnsOf } from "../../../../workers/speech/diarization/SpeakerTurns.ts"

const voices = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
const [ADA, BOB, MUSIC] = [0, 1, 2] as const

/** Four seconds of one voice, with a word unless it is not understood. */
const piece = (t_start: number, voice: number, understood = true, seconds = 4): RecognisedPiece => ({
  t_start,
  t_end: t_start + seconds,
  voice: voices[voice]!,
  words: understood ? [{ t_start, t_end: t_start + 0.5, text: "word", confidence: 1 }] : []
})

/** One slice of each list of pieces. */
const chunk = (...slices: ReadonlyArray<ReadonlyArray<RecognisedPiece>>): RecognisedChunk => ({
  model: "m",
  recognised: true,
  language: "en",
  cased: false,
  voice_spread: null,
  pieces: slices.flat(),
  slices: slices.map(({ length }) => ({ pieces: length }))
})

const wordsOf = (pieces: ReadonlyArray<RecognisedPiece>) => pieces.flatMap(({ words }) => words)

const told = (chunks: ReadonlyArray<RecognisedChunk>, bounds = {}) =>
  saidPieces(chunks, bounds).map(({ speaker, t_start }) => [t_start, speaker])

describe("saidPieces", () => {
  it("gives a slice that nobody understood to the voice that is understood elsewhere", () => {
    const heard = chunk([piece(0, ADA)], [piece(5, BOB)], [piece(10, ADA, false)], [piece(15, BOB, false)])
    assert.deepStrictEqual(told([heard]), [[0, 0], [5, 1], [10, 0], [15, 1]])
  })

  it("counts who is never understood for nobody, and tells the others apart without them", () => {
    const talk = [[piece(5, ADA)], [piece(10, BOB)]]
    const music = [[piece(0, MUSIC, false)], [piece(20, MUSIC, false)], [piece(30, MUSIC, false)]]
    for (const bounds of [{}, { num_speakers: 2 }]) {
      assert.deepStrictEqual(told([chunk(...talk, ...music)], bounds), [[5, 0], [10, 1]])
    }
    assert.deepStrictEqual(told([chunk(...music)]), [])
  })

  it("takes a short piece without a word for a breath beside words, and for speech where there are none", () => {
    const breath = piece(4, ADA, false, 0.4)
    assert.deepStrictEqual(told([chunk([piece(0, ADA), breath])]), [[0, 0]])
    assert.deepStrictEqual(told([chunk([piece(0, ADA)], [breath])]), [[0, 0], [4, 0]])
  })

  it("asks for no word of a language that the recogniser does not know", () => {
    const heard = { ...chunk([piece(0, ADA, false)], [piece(5, BOB, false)]), recognised: false, language: null }
    assert.deepStrictEqual(told([heard]), [[0, 0], [5, 1]])
  })

  it("leaves out no piece with a word, whatever the order of the chunks", () => {
    const shapes = fc.array(fc.tuple(fc.nat(2), fc.boolean(), fc.double({ min: 0.2, max: 3, noNaN: true })), {
      maxLength: 12
    })
    fc.assert(fc.property(shapes, fc.integer({ min: 1, max: 4 }), (shapes, size) => {
      const pieces = shapes.map(([voice, understood, seconds], i) => piece(i * 4, voice, understood, seconds))
      const chunks = Array.from(
        { length: Math.ceil(pieces.length / size) },
        (_, i) => chunk(pieces.slice(i * size, (i + 1) * size))
      )
      const found = saidPieces(chunks, {})
      assert.deepStrictEqual(saidPieces(chunks.toReversed(), {}), found)
      assert.deepStrictEqual(wordsOf(found), wordsOf(pieces))
      const understood = new Set(found.flatMap(({ speaker, words }) => words.length > 0 ? [speaker] : []))
      for (const { speaker } of found) assert.isTrue(understood.has(speaker))
    }))
  })
})

const said = (t_start: number, t_end: number, speaker: number) => ({ ...piece(t_start, speaker), t_end, speaker })

describe("turnsOf", () => {
  it("joins pieces of one speaker that touch, and ends where nobody follows at once by how late the detector is", () => {
    assert.deepStrictEqual(turnsOf([said(0, 2, 0), said(2, 3, 0), said(3, 4, 1), said(5, 6, 1)]), [
      { speaker: 0, t_start: 0, t_end: 3 },
      { speaker: 1, t_start: 3, t_end: 3.9 },
      { speaker: 1, t_start: 5, t_end: 5.9 }
    ])
  })

  it("never turns a short piece around", () => {
    const [turn] = turnsOf([said(1, 1.125, 0)])
    assert.isAbove(turn!.t_end, turn!.t_start)
  })
})
