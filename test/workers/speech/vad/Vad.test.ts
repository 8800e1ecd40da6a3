import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { OnnxModelError } from "../../../../workers/onnx/OnnxSession.ts"
import { openVad, vadModelPath } from "../../../../workers/speech/vad/Vad.ts"
import { decode, fileBeside, pcmOf, samplesOf, soundsWithoutSpeech } from "../Sounds.ts"

const vad = await openVad()
const lecture = fileBeside("samples/lecture.mp4")
const meeting = fileBeside("../shared/assets/audio/dev/ami-mini/dev01.flac")

const sixth = fileBeside("../shared/assets/models/dev/silero_vad_v6_16k_op15.onnx")
const length = (list: ReadonlyArray<{ readonly t_start: number; readonly t_end: number }>) =>
  list.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)

describe("Vad", () => {
  for (const [name, samples] of Object.entries(soundsWithoutSpeech)) {
    it(`hears no speech in ${name}`, async () => {
      assert.deepStrictEqual(await vad.detect(pcmOf(samples)), { intervals: [], pauses: [] })
    })
  }

  it.skipIf(lecture === null)("feeds version 4 as it wants to be fed, and finds the same speech", async () => {
    const legacy = vadModelPath().replace("_v6", "_legacy")
    await using older = await openVad(legacy)
    assert.strictEqual(older.step_seconds, 0.096)
    const speech = pcmOf(samplesOf(await decode(lecture!)).subarray(0, 20 * 16_000))
    assert.approximately(
      length((await older.detect(speech)).intervals),
      length((await vad.detect(speech)).intervals),
      3
    )
  })

  it.skipIf(lecture === null || sixth === null)("feeds version 6, and finds the same speech", async () => {
    await using newer = await openVad(sixth!)
    assert.strictEqual(newer.step_seconds, 0.032)
    const speech = pcmOf(samplesOf(await decode(lecture!)).subarray(0, 20 * 16_000))
    assert.approximately(
      length((await newer.detect(speech)).intervals),
      length((await vad.detect(speech)).intervals),
      2
    )
  })

  it("refuses a model that is no such detector", async () => {
    const speaker = fileURLToPath(new URL("../../../../models/footnote-speaker.onnx", import.meta.url))
    const error = await openVad(speaker).then(() => null, (error: unknown) => error)
    assert.instanceOf(error, OnnxModelError)
  })

  it.skipIf(lecture === null)(
    "finds nine tenths of what is spoken in the sample lecture, and nothing else but its short breaks",
    async () => {
      const truth: { readonly sentences: ReadonlyArray<{ readonly t_start: number; readonly t_end: number }> } = JSON
        .parse(
          readFileSync(lecture!.replace(".mp4", ".truth.json"), "utf8")
        )
      const { intervals } = await vad.detect(pcmOf(samplesOf(await decode(lecture!))))
      const shared = truth.sentences.flatMap((turn) =>
        intervals.map(({ t_end, t_start }) => ({
          t_start: Math.max(t_start, turn.t_start),
          t_end: Math.max(Math.max(t_start, turn.t_start), Math.min(t_end, turn.t_end))
        }))
      )
      assert.isAbove(length(shared), 0.9 * length(truth.sentences))
      assert.isBelow(length(intervals), length(shared) + 0.6 * truth.sentences.length)
    }
  )

  it.skipIf(meeting === null)("finds the turns of a real meeting and leaves its silences out", async () => {
    const { intervals } = await vad.detect(pcmOf(samplesOf(await decode(meeting!))))
    const inside = (moment: number) => intervals.some(({ t_end, t_start }) => moment >= t_start && moment <= t_end)
    for (const moment of [5, 6, 8, 10, 11, 17, 19, 20, 22, 23]) assert.isTrue(inside(moment), `speech at ${moment} s`)
    for (const moment of [1, 2, 3, 13, 14, 26, 27, 28]) assert.isFalse(inside(moment), `silence at ${moment} s`)
  })

  it("gives the same intervals again, whatever it heard before", async () => {
    const noise = soundsWithoutSpeech["loud white noise"]!
    const first = await vad.detect(pcmOf(noise), undefined)
    await vad.detect(pcmOf(soundsWithoutSpeech["clicks"]!))
    assert.deepStrictEqual(await vad.detect(pcmOf(noise)), first)
  })

  it("stops when it is told to", async () => {
    const stop = new AbortController()
    stop.abort(new Error("enough"))
    const error = await vad.detect(pcmOf(new Float32Array(16_000)), stop.signal).then(() => null, (e: unknown) => e)
    assert.strictEqual((error as Error).message, "enough")
  })
})
