import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { comparable } from "../../../../bench/speech/ErrorRates.ts"
import type { RecognisedPiece } from "../../../../workers/speech/asr/RecognisedChunk.ts"
import { transcribeChunk } from "../../../../workers/speech/asr/Transcription.ts"
import { diarize } from "../../../../workers/speech/diarization/Diarization.ts"
import { openSpeechModels } from "../../../../workers/speech/drivers/OpenSpeechModels.ts"
import { planChunks } from "../../../../workers/speech/vad/Chunks.ts"
import { decode, fileBeside, pcmOf, samplesOf } from "../Sounds.ts"

interface Truth {
  readonly turns: ReadonlyArray<{ readonly speaker: string; readonly t_start: number; readonly t_end: number }>
  readonly sentences: ReadonlyArray<{ readonly text: string; readonly t_start: number; readonly t_end: number }>
}

const models = await openSpeechModels()
const options = { terms: [], recognises: true }
const demo = fileBeside("samples/product-demo.mp4")
const lecture = fileBeside("samples/lecture.mp4")

const hear = async (file: string) => {
  const pcm = pcmOf(samplesOf(await decode(file)))
  const pieces: Array<RecognisedPiece> = []
  for (const chunk of planChunks(await models.vad.detect(pcm))) {
    pieces.push(...(await transcribeChunk(models, pcm, chunk, options)).pieces)
  }
  const truth: Truth = JSON.parse(readFileSync(file.replace(".mp4", ".truth.json"), "utf8"))
  return { pieces, truth }
}

describe("transcribeChunk", () => {
  it.skipIf(demo === null)("hears the same in a slice whatever is transcribed before or beside it", async () => {
    const pcm = pcmOf(samplesOf(await decode(demo!)))
    const slices = planChunks(await models.vad.detect(pcm)).flatMap((chunk) => chunk.slices).slice(0, 3)
    const together = await transcribeChunk(models, pcm, { slices }, options)
    const backwards = await Promise.all(
      slices.toReversed().map((slice) => transcribeChunk(models, pcm, { slices: [slice] }, options))
    )
    assert.deepStrictEqual(backwards.toReversed().flatMap(({ pieces }) => pieces), [...together.pieces])
  })

  it.skipIf(demo === null || lecture === null)(
    "finds nine of ten of the samples' words in their own sentences",
    async () => {
      for (const file of [demo!, lecture!]) {
        const { pieces, truth } = await hear(file)
        const words = pieces.flatMap((piece) => piece.words)
        let [found, total] = [0, 0]
        for (const { t_end, t_start, text } of truth.sentences) {
          const said = new Set(
            words.filter((word) => word.t_end > t_start && word.t_start < t_end).flatMap(({ text }) => comparable(text))
          )
          for (const word of comparable(text)) {
            total++
            if (said.has(word)) found++
          }
        }
        assert.isAbove(found / total, 0.9, file)
      }
    }
  )

  it.skipIf(demo === null)("gives voices by which the two speakers of the product demo are told apart", async () => {
    const { pieces, truth } = await hear(demo!)
    const speakers = diarize(pieces)
    assert.strictEqual(new Set(speakers).size, 2)
    const heard = new Map<string, Set<number>>()
    pieces.forEach((piece, i) => {
      const middle = (piece.t_start + piece.t_end) / 2
      const turn = truth.turns.find(({ t_end, t_start }) => middle >= t_start && middle <= t_end)
      if (turn !== undefined) heard.set(turn.speaker, (heard.get(turn.speaker) ?? new Set()).add(speakers[i]!))
    })
    assert.deepStrictEqual([...heard.values()].map((own) => own.size), [1, 1])
  })

  it("stops between two slices when it is told to", async () => {
    const stop = new AbortController()
    stop.abort(new Error("enough"))
    const chunk = { slices: [{ t_start: 0, t_end: 1, pieces: [{ t_start: 0, t_end: 1 }] }] }
    const error = await transcribeChunk(models, pcmOf(new Float32Array(16_000)), chunk, {
      ...options,
      signal: stop.signal
    })
      .then(() => null, (error: unknown) => error)
    assert.strictEqual((error as Error).message, "enough")
  })
})
