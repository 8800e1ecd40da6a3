import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { beamSearch, type Scorer } from "../../../workers/speech/BeamSearch.ts"
import { parseWordCounts } from "../../../workers/speech/WordCounts.ts"
import { makeWordScorer, spellable } from "../../../workers/speech/WordScorer.ts"
import { letters, posteriors, spelled, textOf } from "./Posteriors.ts"

const impartial: Scorer<null> = { start: null, extend: () => ({ state: null, score: 0 }), finish: () => 0 }

const counts = parseWordCounts(
  ("100\t<s>|100\t</s>|5\t<unk>|40\tthe|30\tsea|1\tc|20\tred|2\tbare|20\tbear|" +
    "20\tthe sea|15\tthe bear|10\tred bear|9\t<s> the").replaceAll("|", "\n")
)

const search = (heard: Parameters<typeof beamSearch>[0], terms: ReadonlyArray<string> = []) =>
  textOf(beamSearch(heard, letters.blank, makeWordScorer(counts, letters, terms)))

describe("beamSearch", () => {
  it("sums over the ways to say the same, where the best single way is another", () => {
    // Greedy reads nothing (0.6 × 0.6); the ways to say `a` have 0.64 together.
    const heard = posteriors([{ a: 0.4, "-": 0.6 }, { a: 0.4, "-": 0.6 }])
    assert.strictEqual(textOf(beamSearch(heard, letters.blank, impartial)), "a")
  })

  it("finds the exact best sequence of any short sound, against trying every path", () => {
    const probability = fc.double({ min: 0.05, max: 1, noNaN: true })
    const frame = fc.tuple(probability, probability, probability).map(([a, b, blank]) => {
      const sum = a + b + blank
      return { a: (0.999 * a) / sum, b: (0.999 * b) / sum, "-": (0.999 * blank) / sum }
    })
    fc.assert(fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), (frames) => {
      const sums = new Map<string, number>()
      const walk = (t: number, path: string, p: number) => {
        if (t < frames.length) {
          return (["a", "b", "-"] as const).forEach((x) => walk(t + 1, path + x, p * frames[t]![x]))
        }
        const said = path.replaceAll(/(.)\1+/gu, "$1").replaceAll("-", "")
        sums.set(said, (sums.get(said) ?? 0) + p)
      }
      walk(0, "", 1)
      const found = textOf(beamSearch(posteriors(frames), letters.blank, impartial))
      assert.isAtLeast(sums.get(found)!, Math.max(...sums.values()) * (1 - 1e-6))
    }))
  })

  it("lets counts decide between words that sound alike", () => {
    const heard = posteriors([
      ...[..."_the_b"].map((letter) => ({ [letter]: 0.95 })),
      { e: 0.45, a: 0.5 },
      { "-": 0.99 },
      { a: 0.45, r: 0.5 },
      { "-": 0.99 },
      { r: 0.45, e: 0.5 }
    ])
    assert.strictEqual(textOf(beamSearch(heard, letters.blank, impartial)), "_the_bare")
    assert.strictEqual(search(heard), "_the_bear")
  })

  it("hears a term that the caller expects where the sound leaves room for it, and only there", () => {
    const heard = posteriors([
      ...[..."_the_"].map((letter) => ({ [letter]: 0.95 })),
      { k: 0.4, c: 0.5 },
      ...[..."ubernetes"].map((letter) => ({ [letter]: 0.9 }))
    ])
    assert.strictEqual(search(heard), "_the_cubernetes")
    assert.strictEqual(search(heard, ["Kubernetes"]), "_the_kubernetes")
    assert.strictEqual(search(spelled("_the_sea"), ["Kubernetes"]), "_the_sea")
  })

  it("gives the same answer every time", () => {
    const flat = posteriors(Array.from({ length: 30 }, () => ({ a: 0.2, b: 0.2, _: 0.2, "-": 0.2 })))
    assert.strictEqual(search(flat), search(flat))
  })

  it("hears nothing in no frames", () => {
    assert.deepStrictEqual(beamSearch(spelled(""), letters.blank, impartial), [])
  })
})

describe("parseWordCounts", () => {
  it("backs off from three words to two and to one, 0.4 each time", () => {
    assert.closeTo(counts.score("<s>", "the", "sea"), Math.log(0.4 * (20 / 40)), 1e-9)
    assert.closeTo(counts.score("red", "the", "bare"), Math.log((0.16 * 2) / 318), 1e-9)
  })

  it("charges an unknown word more than any known one, and more for every letter", () => {
    assert.isBelow(counts.score("", "", "zyx"), counts.score("", "", "c"))
    assert.isBelow(counts.score("", "", "zyxw"), counts.score("", "", "zyx"))
  })
})

describe("spellable", () => {
  it("writes terms as the recogniser spells them and leaves out what it cannot", () => {
    assert.deepStrictEqual(spellable(["Ada Lovelace", "O’Neill", "top-down", "Q3", "数"]), [
      "ada lovelace",
      "o'neill",
      "top down"
    ])
  })
})
