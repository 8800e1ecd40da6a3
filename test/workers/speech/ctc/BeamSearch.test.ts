import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { beamSearch, type Scorer } from "../../../../workers/speech/ctc/BeamSearch.ts"
import { makeWordScorer, spellable } from "../../../../workers/speech/ctc/WordScorer.ts"
import { letters, posteriors, spelled, textOf } from "../Posteriors.ts"
import { wordModel } from "../WordModels.ts"

const impartial: Scorer<null> = { start: null, extend: () => ({ state: null, score: 0 }), finish: () => 0 }

const model = wordModel([
  { words: "<s>", score: -15 },
  { words: "the", score: -1 },
  { words: "sea", score: -2 },
  { words: "red", score: -3 },
  { words: "bear", score: -3 },
  { words: "bare", score: -6 },
  { words: "c", score: -8 },
  { words: "<s> the", score: -0.5 },
  { words: "the sea", score: -1 },
  { words: "the bear", score: -1 }
])

const search = (heard: Parameters<typeof beamSearch>[0], terms: ReadonlyArray<string> = []) =>
  textOf(beamSearch(heard, letters.blank, makeWordScorer(model, letters, terms)))

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

  it("lets the words before decide between words that sound alike", () => {
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

  it("follows one of the prefixes that will be scored alike, so that few places find what needs many", () => {
    // A b at the start is worth a lot at the end, and until then looks worse than any of the ways to say a or c.
    const flat = posteriors([
      { b: 0.1, c: 0.45, a: 0.45 },
      ...Array.from({ length: 6 }, () => ({ a: 0.45, c: 0.45, "-": 0.1 }))
    ])
    interface Began {
      readonly b: boolean
      readonly last: number
    }
    const began: Scorer<Began> = {
      start: { b: false, last: -1 },
      extend: ({ b, last }, token) => ({
        state: { b: last === -1 ? letters.texts[token] === "b" : b, last: token },
        score: 0
      }),
      finish: ({ b }) => b ? 20 : 0,
      key: ({ b, last }) => last === -1 ? null : 2 * last + (b ? 1 : 0)
    }
    const narrow = { width: 8, token_margin: 7, prefix_margin: Infinity }
    const { key: _, ...unmerged } = began
    assert.match(textOf(beamSearch(flat, letters.blank, began, narrow)), /^b/u)
    assert.notMatch(textOf(beamSearch(flat, letters.blank, unmerged, narrow)), /^b/u)
  })

  it("gives the same answer every time", () => {
    const flat = posteriors(Array.from({ length: 30 }, () => ({ a: 0.2, b: 0.2, _: 0.2, "-": 0.2 })))
    assert.strictEqual(search(flat), search(flat))
  })

  it("hears nothing in no frames", () => {
    assert.deepStrictEqual(beamSearch(spelled(""), letters.blank, impartial), [])
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
