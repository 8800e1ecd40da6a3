import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFile } from "node:fs/promises"
import { align, comparable } from "../../../../bench/speech/ErrorRates.ts"
import type { Word } from "../../../../src/artifacts/Transcript.ts"
import type { HeardChunk } from "../../../../workers/speech/asr/RecognisedChunk.ts"
import type { Recogniser } from "../../../../workers/speech/asr/Recogniser.ts"
import { rescoreChunk } from "../../../../workers/speech/asr/Rescoring.ts"
import { screenTerms } from "../../../../workers/speech/ctc/HotWords.ts"
import { packPosteriors, unpackPosteriors } from "../../../../workers/speech/ctc/PackedPosteriors.ts"
import { openSpeechModels } from "../../../../workers/speech/drivers/OpenSpeechModels.ts"
import { SAMPLE_RATE } from "../../../../workers/speech/dsp/FeatureExtractor.ts"
import { soundSlice } from "../../../../workers/speech/dsp/SoundSlice.ts"
import { planChunks } from "../../../../workers/speech/vad/Chunks.ts"
import { spelled } from "../Posteriors.ts"
import { decode, fileBeside, pcmOf, samplesOf } from "../Sounds.ts"

interface Truth {
  readonly slides: ReadonlyArray<{ readonly t_start: number; readonly lines: ReadonlyArray<string> }>
  readonly sentences: ReadonlyArray<{ readonly t_start: number; readonly t_end: number; readonly text: string }>
}

const word = (text: string, t_start: number): Word => ({ text, t_start, t_end: t_start + 0.5, confidence: 1 })

const recogniser: Recogniser = {
  name: "ctc@1",
  cased: false,
  execution_provider: "cpu",
  recognise: () => Promise.reject(new Error("Nothing is heard twice")),
  again: ({ t_start }, terms) => terms.map((term, i) => word(term, t_start + i)),
  [Symbol.asyncDispose]: () => Promise.resolve()
}

const posteriors = packPosteriors(spelled("_see"))
const piece = (t_start: number, ...words: ReadonlyArray<Word>) => ({ t_start, t_end: t_start + 1, voice: null, words })
const chunk: HeardChunk = {
  model: "ctc@1",
  recognised: true,
  language: "en",
  cased: false,
  voice_spread: null,
  pieces: [piece(0, word("see", 0)), piece(1), piece(10, word("tea", 10)), piece(20, word("bee", 20))],
  slices: [
    { pieces: 2, heard: { t_start: 0, t_end: 2, posteriors } },
    { pieces: 1, heard: { t_start: 10, t_end: 11, posteriors } },
    { pieces: 1, heard: null }
  ]
}
const textOf = ({ pieces }: Pick<HeardChunk, "pieces">) =>
  pieces.map(({ words }) => words.map(({ text }) => text).join(" "))

describe("rescoreChunk", () => {
  it("searches again only where there is something new, and gives each piece its words", async () => {
    const again = await rescoreChunk(chunk, recogniser, (t_start) => t_start === 0 ? ["sea", "bear"] : null)
    assert.deepStrictEqual(textOf(again), ["sea", "bear", "tea", "bee"])
    assert.deepStrictEqual(again.pieces.map(({ t_start }) => t_start), [0, 1, 10, 20])
  })

  it("leaves alone what another model heard, and what a driver cannot search again", async () => {
    const other = await rescoreChunk(chunk, { ...recogniser, name: "ctc@2" }, () => ["sea"])
    assert.deepStrictEqual(textOf(other), textOf(chunk))
    const { again: _, ...deaf } = recogniser
    assert.deepStrictEqual(textOf(await rescoreChunk(chunk, deaf, () => ["sea"])), textOf(chunk))
  })

  it("stops with the signal's reason", async () => {
    const reason = new Error("cancelled")
    let caught: unknown
    await rescoreChunk(chunk, recogniser, () => ["sea"], AbortSignal.abort(reason)).catch((error: unknown) =>
      caught = error
    )
    assert.strictEqual(caught, reason)
  })
})

const demo = fileBeside("samples/product-demo.mp4")

describe("a second search", () => {
  it.skipIf(demo === null)(
    "hears more of a demo's words when its slides have been read, and the same again",
    async () => {
      const truth: Truth = JSON.parse(await readFile(demo!.replace(/mp4$/u, "truth.json"), "utf8"))
      const pcm = pcmOf(samplesOf(await decode(demo!)))
      await using models = await openSpeechModels()
      const shown = truth.slides.map(({ lines, t_start }) => ({
        timestamp: t_start,
        text: lines.map((text) => ({ text, box: [0, 0, 1, 1] as const, confidence: 1 }))
      }))
      const once: Array<string> = []
      const again: Array<string> = []
      for (const { t_end, t_start } of planChunks(await models.vad.detect(pcm)).flatMap(({ slices }) => slices)) {
        const from = Math.round(t_start * SAMPLE_RATE)
        const sound = soundSlice(await pcm.read(from, Math.round(t_end * SAMPLE_RATE)), from / SAMPLE_RATE)
        const [said] = await models.recogniser.recognise([sound], { terms: [], language: "en" })
        const heard = { ...said!.heard!, posteriors: unpackPosteriors(packPosteriors(said!.heard!.posteriors)) }
        const search = () => models.recogniser.again!(heard, screenTerms(shown, t_start, t_end), said!.words)
        const found = search()
        assert.deepStrictEqual(search(), found)
        once.push(...said!.words.map(({ text }) => text))
        again.push(...found.map(({ text }) => text))
      }
      const reference = comparable(truth.sentences.map(({ text }) => text).join(" "))
      const errorsOf = (texts: ReadonlyArray<string>) => align(reference, comparable(texts.join(" "))).errors
      assert.isBelow(errorsOf(again), errorsOf(once))
    }
  )
})

describe("packPosteriors", () => {
  it("keeps what a search looks at to within 1/32", () => {
    const value = fc.float({ min: -15, max: 0, noNaN: true })
    fc.assert(fc.property(fc.array(fc.tuple(value, value, value), { maxLength: 20 }), (rows) => {
      const data = Float32Array.from(rows.flat())
      const kept = unpackPosteriors(packPosteriors({ data, frames: rows.length, tokens: 3 }))
      assert.deepStrictEqual([kept.frames, kept.tokens], [rows.length, 3])
      for (const [t, row] of rows.entries()) {
        for (const [v, value] of row.entries()) {
          const found = kept.data[3 * t + v]!
          if (value > Math.max(...row) - 12) assert.closeTo(found, value, 1 / 32 + 1e-6)
          else assert.strictEqual(found, -255 / 16)
        }
      }
    }))
  })

  it("refuses data of another length", () => {
    assert.throws(() => unpackPosteriors({ ...posteriors, frames: 3 }), RangeError)
  })
})
