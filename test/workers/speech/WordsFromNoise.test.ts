import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { makeSounds } from "../../../bench/speech/MadeSounds.ts"
import { transcribeChunk } from "../../../workers/speech/asr/Transcription.ts"
import { openSpeechModels } from "../../../workers/speech/drivers/OpenSpeechModels.ts"
import { planChunks } from "../../../workers/speech/vad/Chunks.ts"
import { breadth } from "../../support/Breadth.ts"
import { decode, fileBeside, pcmOf, samplesOf, soundsWithoutSpeech } from "./Sounds.ts"

const models = await openSpeechModels()
const recorded = fileBeside("../shared/assets/audio/dev/nonspeech")

const wordsIn = async (samples: Float32Array) => {
  const pcm = pcmOf(samples)
  const words: Array<string> = []
  for (const chunk of planChunks(await models.vad.detect(pcm))) {
    const { pieces } = await transcribeChunk(models, pcm, chunk, { terms: [], recognises: true })
    words.push(...pieces.flatMap(({ words }) => words.map(({ text }) => text)))
  }
  return words
}

describe("where nobody speaks, no word is heard", () => {
  it("in silence, noise, tones, machines, music, animals, weather and vowels that nobody says", async () => {
    const heard: Array<string> = []
    for (const [name, samples] of Object.entries(soundsWithoutSpeech)) {
      heard.push(...(await wordsIn(samples)).map((word) => `${name}: ${word}`))
    }
    for (const { name, samples } of breadth(makeSounds(4, 5, [-3]))) {
      heard.push(...(await wordsIn(samples)).map((word) => `${name}: ${word}`))
    }
    assert.deepStrictEqual(heard, [])
  })

  it.skipIf(recorded === null)("in recorded music and animals", async () => {
    const heard: Array<string> = []
    const files = readdirSync(recorded!).filter((file) => file.endsWith(".ogg")).toSorted()
    for (const name of breadth(files)) {
      heard.push(...(await wordsIn(samplesOf(await decode(join(recorded!, name))))).map((word) => `${name}: ${word}`))
    }
    assert.deepStrictEqual(heard, [])
  })
})
