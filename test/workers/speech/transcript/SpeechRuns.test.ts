import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeCasing } from "../../../../workers/speech/transcript/Casing.ts"
import { runsOf, type SpeechRun } from "../../../../workers/speech/transcript/SpeechRuns.ts"

/** Words of 0.3 s from `t_start` on; a bar after a word stands for a second of silence. */
const said = (t_start: number, text: string, speaker = 0): SpeechRun => {
  let at = t_start
  return {
    speaker,
    words: text.split(" ").map((word) => {
      const t = at
      at += word.endsWith("|") ? 1.3 : 0.32
      return { t_start: t, t_end: t + 0.3, text: word.replace("|", ""), confidence: 1 }
    })
  }
}
const texts = (runs: ReadonlyArray<SpeechRun>) => runs.map(({ words }) => words.map(({ text }) => text).join(" "))
const casing = makeCasing([])

describe("runsOf", () => {
  it("keeps every word, its times and its order, speakers apart and runs within 20 s", () => {
    const piece = fc.record({
      speaker: fc.nat(2),
      gap: fc.double({ min: 0, max: 5, noNaN: true }),
      words: fc.array(fc.constantFrom("i", "see", "what", "is|", "the", "plan|", "London"), {
        minLength: 1,
        maxLength: 60
      })
    })
    fc.assert(fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (shapes, cased) => {
      let at = 0
      const pieces = shapes.map(({ gap, speaker, words }) => {
        const run = said(at + gap, words.join(" "), speaker)
        at = run.words.at(-1)!.t_end
        return run
      })
      const runs = runsOf(pieces, cased ? null : casing)
      assert.deepStrictEqual(
        runs.flatMap(({ speaker, words }) => words.map(({ t_end, t_start }) => [speaker, t_start, t_end])),
        pieces.flatMap(({ speaker, words }) => words.map(({ t_end, t_start }) => [speaker, t_start, t_end]))
      )
      for (const { words } of runs) {
        assert.isNotEmpty(words)
        assert.isAtMost(words.at(-1)!.t_end - words[0]!.t_start, 20)
      }
    }))
  })

  it("cuts what a recogniser wrote itself at its own full stops, and changes none of its letters", () => {
    assert.deepStrictEqual(
      texts(runsOf([said(0, "So the| answer is NO.| Next question?")], null)),
      ["So the answer is NO.", "Next question?"]
    )
  })

  it("cuts words without any marks by silence alone", () => {
    assert.deepStrictEqual(texts(runsOf([said(0, "guten tag| wie geht es")], null)), ["guten tag", "wie geht es"])
  })

  it("cuts a long monologue where a sentence ends", () => {
    const sentence = "Now this one has exactly ten words and then ends."
    const runs = texts(runsOf([said(0, Array.from({ length: 12 }, () => sentence).join(" "))], null))
    assert.isAbove(runs.length, 1)
    for (const run of runs) assert.isTrue(run.endsWith("ends."), run)
  })
})
