import { assert, describe, it } from "@effect/vitest"
import { rate } from "../../../bench/speech/ErrorRates.ts"
import { equalErrorRate, speakerErrors } from "../../../bench/speech/SpeakerErrors.ts"

const turn = (t_start: number, t_end: number, speaker: string) => ({ t_start, t_end, speaker })
const truth = [turn(0, 4, "ann"), turn(4, 8, "bob")]

describe("SpeakerErrors", () => {
  it("does not care what the speakers are called", () => {
    const { confusion, diarization } = speakerErrors(truth, [turn(0, 4, "2"), turn(4, 8, "1")], 10)
    assert.deepStrictEqual([rate(diarization), rate(confusion)], [0, 0])
  })

  it("tells missed, false and confused speech apart", () => {
    const found = speakerErrors(truth, [turn(0, 3, "1"), turn(4, 6, "1"), turn(6, 9, "2")], 10)
    assert.closeTo(rate(found.missed), 1 / 8, 1e-9)
    assert.closeTo(rate(found.false_alarm), 1 / 8, 1e-9)
    assert.closeTo(rate(found.confusion), 2 / 8, 1e-9)
    assert.closeTo(rate(found.diarization), 4 / 8, 1e-9)
  })

  it("counts everybody who speaks at once", () => {
    const both = [turn(0, 4, "ann"), turn(0, 4, "bob")]
    assert.strictEqual(rate(speakerErrors(both, [turn(0, 4, "1")], 4).diarization), 1 / 2)
  })
})

describe("equalErrorRate", () => {
  it("is nothing for scores that part and a half for scores that say nothing", () => {
    assert.strictEqual(equalErrorRate([0.8, 0.9], [0.1, 0.2]), 0)
    assert.closeTo(equalErrorRate([0.1, 0.3, 0.5, 0.7], [0.2, 0.4, 0.6, 0.8]), 0.5, 0.26)
  })
})
