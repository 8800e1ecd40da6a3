import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import type { SpeakerEmbedding } from "../../../../workers/speech/asr/SpeakerEmbedding.ts"
import { openEmbeddingOf } from "../../../../workers/speech/drivers/SpeechDrivers.ts"
import { soundSlice } from "../../../../workers/speech/dsp/SoundSlice.ts"
import { oneTone, writeToySpeaker } from "./ToyModels.ts"

const folder = mkdtempSync(join(tmpdir(), "footnote-voices-"))
afterAll(() => rmSync(folder, { recursive: true }))

const open = (framework: "wespeaker" | "nemo"): Promise<SpeakerEmbedding> =>
  openEmbeddingOf({
    driver: "sherpa-embedding",
    name: `toy-${framework}`,
    files: writeToySpeaker(join(folder, framework), framework),
    sha256: {},
    options: {}
  })

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0)

describe.each(["wespeaker", "nemo"] as const)("SherpaEmbedding: %s", (framework) => {
  it("gives vectors of length one by which voices are told apart, the same every time", async () => {
    await using embedding = await open(framework)
    const voices: Array<Float32Array> = []
    for (const index of [0, 1, 2, 3]) {
      const voice = (await embedding.embed(soundSlice(oneTone(index, 2), 50), 20, 180))!
      assert.approximately(cosine(voice, voice), 1, 1e-5)
      assert.deepStrictEqual(await embedding.embed(soundSlice(oneTone(index, 2), 0), 20, 180), voice)
      voices.push(voice)
    }
    for (const [i, a] of voices.entries()) for (const b of voices.slice(i + 1)) assert.isBelow(cosine(a, b), 0.98)
  })

  it("hears only the frames that it is asked about", async () => {
    await using embedding = await open(framework)
    const both = Float32Array.from([...oneTone(0, 2), ...oneTone(1, 2)])
    const first = (await embedding.embed(soundSlice(oneTone(0, 2), 0), 0, 200))!
    const part = (await embedding.embed(soundSlice(both, 0), 0, 200))!
    const other = (await embedding.embed(soundSlice(both, 0), 200, 400))!
    assert.approximately(cosine(first, part), 1, 1e-6)
    assert.isBelow(cosine(first, other), 0.95)
  })

  it("knows no voice of less than 0.4 s", async () => {
    await using embedding = await open(framework)
    assert.isNull(await embedding.embed(soundSlice(oneTone(0, 2), 0), 100, 139))
    assert.isNotNull(await embedding.embed(soundSlice(oneTone(0, 2), 0), 100, 140))
  })
})
