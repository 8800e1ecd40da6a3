import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { openSpeakerEmbedding } from "../../../../workers/speech/asr/SpeakerEmbedding.ts"
import { SAMPLE_RATE } from "../../../../workers/speech/dsp/FeatureExtractor.ts"
import { soundSlice } from "../../../../workers/speech/dsp/SoundSlice.ts"

const model = fileURLToPath(new URL("../../../../models/footnote-speaker.onnx", import.meta.url))
const tone = soundSlice(Float32Array.from({ length: SAMPLE_RATE }, (_, i) => 0.3 * Math.sin(0.1 * i)), 0)

describe("openSpeakerEmbedding", () => {
  it("tells how far speakers differ in each dimension of a voice, the widest first", async () => {
    await using embedding = await openSpeakerEmbedding(model)
    const voice = await embedding.embed(tone, 0, 100)
    assert.strictEqual(embedding.spread!.length, voice!.length)
    assert.deepStrictEqual(embedding.spread, embedding.spread!.toSorted((a, b) => b - a))
    assert.isTrue(embedding.spread!.every((x) => x > 0))
  })

  it("hears the same voice in the same frames, and none in fewer than 40", async () => {
    await using embedding = await openSpeakerEmbedding(model)
    assert.deepStrictEqual(await embedding.embed(tone, 10, 90), await embedding.embed(tone, 10, 90))
    assert.strictEqual(await embedding.embed(tone, 10, 49), null)
  })

  it("refuses a file that is not there", async () => {
    const outcome = await openSpeakerEmbedding(`${model}.none`).then(() => "opened", ({ code }) => code)
    assert.strictEqual(outcome, "MODEL_UNAVAILABLE")
  })
})
