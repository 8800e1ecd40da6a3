import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findMdEval, mdEval, type ScoredRecording } from "../../../bench/speech/MdEval.ts"
import { speakerErrors, type Turn } from "../../../bench/speech/SpeakerErrors.ts"

const script = findMdEval()
if (script === undefined) {
  process.stderr.write("md-eval is not installed (Debian: sctk): its agreement with our scores is not tested\n")
}

/** Turns to the millisecond, as the format has them, now and then of two people at once. */
const turns = (speakers: ReadonlyArray<string>) =>
  fc.array(
    fc.record({
      from: fc.nat(29_000),
      length: fc.integer({ min: 50, max: 6000 }),
      speaker: fc.constantFrom(...speakers)
    }),
    { minLength: 1, maxLength: 12 }
  ).map((all) =>
    all.map(({ from, length, speaker }): Turn => ({
      t_start: from / 1000,
      t_end: Math.min(30_000, from + length) / 1000,
      speaker
    }))
  )

const recordings: fc.Arbitrary<ScoredRecording> = fc.record({
  reference: turns(["ann", "bob", "cleo"]),
  found: turns(["S1", "S2", "S3", "S4"]),
  duration: fc.constant(30)
})

describe("mdEval", () => {
  it.skipIf(script === undefined)("says what our own scores say, with and without a collar", async () => {
    const all = fc.sample(recordings, { numRuns: 60, seed: 7 })
    for (const collar of [0, 0.25]) {
      const nist = await mdEval(script!, all, collar)
      const own = all.map(({ duration, found, reference }) => speakerErrors(reference, found, duration, collar))
      const sum = (pick: "missed_speakers" | "extra_speakers" | "confusion") =>
        own.reduce((seconds, errors) => seconds + errors[pick].errors, 0)
      // It prints hundredths of seconds.
      assert.closeTo(own.reduce((seconds, { diarization }) => seconds + diarization.total, 0), nist.scored, 0.02)
      assert.closeTo(sum("missed_speakers"), nist.missed, 0.02)
      assert.closeTo(sum("extra_speakers"), nist.false_alarm, 0.02)
      assert.closeTo(sum("confusion"), nist.confused, 0.02)
    }
  })

  it.skipIf(script === undefined)("rejects what it cannot score", async () => {
    const none: ScoredRecording = { reference: [], found: [], duration: 3 }
    const outcome = await mdEval(script!, [none], 0).then(() => "scored", () => "rejected")
    assert.strictEqual(outcome, "rejected")
  })
})
