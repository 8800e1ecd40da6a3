import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { openVad } from "../../../workers/speech/Vad.ts"
import { decode, fileBeside, pcmOf, samplesOf, soundsWithoutSpeech } from "./Sounds.ts"

const vad = await openVad()
const lecture = fileBeside("samples/lecture.mp4")
const meeting = fileBeside("../shared/assets/audio/dev/ami-mini/dev01.flac")

const length = (list: ReadonlyArray<{ readonly t_start: number; readonly t_end: number }>) =>
  list.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)

describe("Vad", () => {
  for (const [name, samples] of Object.entries(soundsWithoutSpeech)) {
    it(`hears no speech in ${name}`, async () => {
      assert.deepStrictEqual(await vad.detect(pcmOf(samples)), { intervals: [], pauses: [] })
    })
  }

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
