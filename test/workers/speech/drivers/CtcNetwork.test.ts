import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { padByQuarters } from "../../../../workers/onnx/BatchQueue.ts"
import { type CtcNetwork, openCtcNetwork, SUBSAMPLING } from "../../../../workers/speech/drivers/CtcNetwork.ts"
import { type LogMel, logMel } from "../../../../workers/speech/dsp/FeatureExtractor.ts"

const model = fileURLToPath(new URL("../../../../models/footnote-ctc-en.onnx", import.meta.url))

/** A tone that glides, of its own pitch for each `seed`; `seconds` of it as features. */
const glide = (seed: number, seconds: number): LogMel =>
  logMel(
    Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, i) =>
      0.3 * Math.sin(i * (0.05 + 0.01 * seed) + Math.sin(i / 900) * 9))
  )

const sounds = [[1, 0.4], [2, 3.2], [3, 1.1], [4, 3.1], [5, 0.9], [6, 3.3]].map(([seed, seconds]) =>
  glide(seed!, seconds!)
)

const oneByOne = async (network: CtcNetwork) => {
  const answers: Array<Float32Array> = []
  for (const sound of sounds) answers.push((await network.posteriors(sound)).data)
  return answers
}

describe("CtcNetwork", () => {
  it("answers to the last bit the same on the CPU, however many ask at once and whoever they are", async () => {
    await using network = await openCtcNetwork(model)
    assert.strictEqual(network.execution_provider, "cpu")
    const alone = await oneByOne(network)
    const together = await Promise.all(
      sounds.map((sound, i) => network.posteriors(sound, { tenant_id: i % 2 === 0 ? "even" : "odd" }))
    )
    assert.deepStrictEqual(together.map(({ data }) => data), alone)
  })

  it("gives every caller of a padded batch the answer to its own sound, as long as it would be alone", async () => {
    await using network = await openCtcNetwork(model)
    const alone = await oneByOne(network)
    await using batched = await openCtcNetwork(model, { limits: { items: 3, frames: 1e6, pad: padByQuarters } })
    const together = await Promise.all(sounds.map((sound) => batched.posteriors(sound)))
    for (const [i, { data, frames, tokens }] of together.entries()) {
      assert.strictEqual(frames, Math.ceil(sounds[i]!.frames / SUBSAMPLING))
      assert.strictEqual(data.length, frames * tokens)
      assert.strictEqual(data.length, alone[i]!.length)
      const apart = data.reduce((most, value, at) => Math.max(most, Math.abs(value - alone[i]![at]!)), 0)
      assert.isBelow(apart, 1e-3)
    }
  })

  it("does not hear a sound whose caller has gone, and answers the others", async () => {
    await using network = await openCtcNetwork(model)
    const cancel = new AbortController()
    const gone = network.posteriors(sounds[0]!, { signal: cancel.signal })
    const stays = network.posteriors(sounds[1]!)
    cancel.abort(new Error("cancelled"))
    assert.strictEqual((await gone.then(() => undefined, (error: Error) => error))?.message, "cancelled")
    assert.isAbove((await stays).frames, 0)
  })
})
