import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findMdEval, mdEval, type ScoredRecording } from "../../../bench/speech/MdEval.ts"
import { joinTurns, speakerErrors, type Turn } from "../../../bench/speech/SpeakerErrors.ts"

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

/** Milliseconds that two people of one recording speak at once. */
const together = (some: ReadonlyArray<Turn>, others: ReadonlyArray<Turn>) =>
  Math.round(
    some.flatMap((a) => others.map((b) => Math.min(a.t_end, b.t_end) - Math.max(a.t_start, b.t_start)))
      .reduce((sum, seconds) => sum + Math.max(0, seconds), 0) * 1000
  )

const voicesOf = (turns: ReadonlyArray<Turn>) => [...Map.groupBy(joinTurns(turns), ({ speaker }) => speaker)]
type Voices = ReturnType<typeof voicesOf>

/** Whether names can be matched in two ways that share the most time: scorers choose either, and tell other confusion. */
const tied = ({ found, reference }: ScoredRecording): boolean => {
  type Naming = { readonly shared: number; readonly pairs: string }
  const namings = ([first, ...others]: Voices, free: Voices): Array<Naming> =>
    first === undefined ? [{ shared: 0, pairs: "" }] : [
      ...namings(others, free),
      ...free.flatMap((name) => {
        const own = together(first[1], name[1])
        return own === 0 ? [] : namings(others, free.filter((other) => other !== name)).map(({ pairs, shared }) => ({
          shared: shared + own,
          pairs: `${pairs} ${first[0]}=${name[0]}`
        }))
      })
    ]
  const all = namings(voicesOf(reference), voicesOf(found))
  const most = Math.max(...all.map(({ shared }) => shared))
  return all.filter(({ shared }) => shared === most).length > 1
}

describe("mdEval", () => {
  it.skipIf(script === undefined)("says what our own scores say, with and without a collar", async () => {
    const all = fc.sample(recordings.filter((recording) => !tied(recording)), 60)
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
