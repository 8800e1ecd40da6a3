import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { InferenceSession, Tensor } from "onnxruntime-node"
import { afterAll, describe, expect, it } from "vitest"
import { openRecogniserOf } from "../../../../workers/speech/drivers/SpeechDrivers.ts"
import { openTdtRecogniser } from "../../../../workers/speech/drivers/TdtRecogniser.ts"
import { logMel, normalise } from "../../../../workers/speech/dsp/FeatureExtractor.ts"
import { soundSlice } from "../../../../workers/speech/dsp/SoundSlice.ts"
import { oneTone, spokenTones } from "./ToyModels.ts"
import { noise, TDT, writeToyTdt } from "./ToyTdt.ts"

const root = mkdtempSync(join(tmpdir(), "footnote-tdt-"))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(root, { recursive: true })

const files = writeToyTdt(root)
const options = { languages: ["en"], bins: TDT.bins, state_layers: TDT.layers, state_width: TDT.width }
const open = () => openTdtRecogniser(files, { name: "toy-tdt", options })

const zero = () => new Tensor("float32", new Float32Array(TDT.layers * TDT.width), [TDT.layers, 1, TDT.width])

/** Greedy decoding as the paper has it, in plain loops over the files themselves: what is said at which frame of 80 ms. */
const reference = async (samples: Float32Array) => {
  const [encoder, decoder] = [
    await InferenceSession.create(files.encoder),
    await InferenceSession.create(files.decoder)
  ]
  const { data, frames } = normalise(logMel(samples, TDT.bins), TDT.bins)
  const { encoded_lengths, outputs } = await encoder.run({
    audio_signal: new Tensor("float32", data, [1, TDT.bins, frames]),
    length: new Tensor("int64", BigInt64Array.of(BigInt(frames)), [1])
  })
  const [, rows, columns] = outputs!.dims as [number, number, number]
  const said: Array<readonly [id: number, frame: number]> = []
  let [h, c, token, t, emitted] = [zero(), zero(), TDT.blank as number, 0, 0]
  while (t < Number(encoded_lengths!.data[0])) {
    const column = Float32Array.from({ length: rows }, (_, row) => (outputs!.data as Float32Array)[row * columns + t]!)
    const out = await decoder.run({
      encoder_outputs: new Tensor("float32", column, [1, rows, 1]),
      targets: new Tensor("int32", Int32Array.of(token), [1, 1]),
      target_length: new Tensor("int32", Int32Array.of(1), [1]),
      input_states_1: h,
      input_states_2: c
    })
    const logits = Array.from(out["outputs"]!.data as Float32Array)
    const [texts, durations] = [logits.slice(0, TDT.blank + 1), logits.slice(TDT.blank + 1)]
    const best = texts.indexOf(Math.max(...texts))
    const duration = durations.indexOf(Math.max(...durations))
    if (best !== TDT.blank) {
      said.push([best, t])
      h = out["output_states_1"] as typeof h
      c = out["output_states_2"] as typeof c
      token = best
      emitted += 1
    }
    if (duration > 0) [t, emitted] = [t + duration, 0]
    else if (best === TDT.blank || emitted === 10) [t, emitted] = [t + 1, 0]
  }
  return said
}

describe("openTdtRecogniser", () => {
  it("says what greedy decoding by plain loops says, token by token and frame by frame", async () => {
    await using recogniser = await open()
    for (const samples of [spokenTones(), oneTone(1, 2), noise(3)]) {
      const [heard] = await recogniser.recognise([soundSlice(samples, 10)], { terms: [], language: null })
      const said = await reference(samples)
      const joined = said.map(([id]) => TDT.tokens[id]!).join("").replaceAll("\u2581", " ").trim()
      expect(heard!.words.map(({ text }) => text).join(" ")).toBe(joined)
      const starts = said.filter(([id], at) => at === 0 || TDT.tokens[id]!.startsWith("\u2581"))
        .map(([, frame]) => 10 + frame * 0.08)
      const words = heard!.words.map(({ t_start }) => t_start)
      for (const [at, start] of starts.entries()) expect(words[at]).toBeGreaterThanOrEqual(start - 1e-3)
      expect(words).toEqual(words.toSorted((a, b) => a - b))
      expect(heard!.language).toBe("en")
    }
    expect((await reference(noise(3))).length).toBeGreaterThan(3)
  })

  it("says of a slice the same whatever stands beside it, and nothing of one that is too short", async () => {
    await using recogniser = await open()
    const hints = { terms: [], language: null }
    const alone = await recogniser.recognise([soundSlice(noise(2), 0)], hints)
    const among = await recogniser.recognise(
      [soundSlice(new Float32Array(100), 0), soundSlice(noise(2), 0), soundSlice(noise(1), 5)],
      hints
    )
    expect(among[1]).toEqual(alone[0])
    expect(among[0]!.words).toEqual([])
  })

  it("stops when it is cancelled", async () => {
    await using recogniser = await open()
    const controller = new AbortController()
    const heard = recogniser.recognise([soundSlice(noise(6), 0)], {
      terms: [],
      language: null,
      signal: controller.signal
    })
    setImmediate(() => controller.abort(new Error("the job was cancelled")))
    await expect(heard).rejects.toThrow("the job was cancelled")
  })

  it("is what a stack's driver `tdt` opens, by name and hash, and refuses a network of another layout", async () => {
    const role = { driver: "tdt", name: "toy-tdt", files, sha256: {}, options }
    await using recogniser = await openRecogniserOf(role)
    expect(recogniser.name).toMatch(/^toy-tdt@[0-9a-f]{12}$/u)
    const other = join(root, "other.onnx")
    writeFileSync(other, "no network")
    await expect(openRecogniserOf({ ...role, files: { ...files, decoder: other } })).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE"
    })
  })
})
