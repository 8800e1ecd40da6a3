import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { composePanel, type Utterance } from "../../../bench/speech/Panels.ts"
import { SAMPLE_RATE } from "../../../workers/speech/dsp/FeatureExtractor.ts"

/** Samples that tell who speaks and which of their seconds it is. */
const utterances: ReadonlyArray<Utterance> = ["ann", "bob", "cleo", "dan", "eve"].flatMap((speaker, person) =>
  Array.from({ length: 5 }, (_, k) => ({
    speaker,
    samples: Float32Array.from(
      { length: 2 * SAMPLE_RATE },
      (_, i) => ((i % 2 === 0 ? 1 : -1) * (1 + person * 10 + k + i / (20 * SAMPLE_RATE))) / 100
    )
  }))
)
/** Short panels are composed by the same rules. */
const short = { turn_seconds: [0.4, 3], panel_seconds: 12 } as const
const options = fc.record({ speakers: fc.integer({ min: 2, max: 5 }), seed: fc.nat(1000) })
const power = (samples: Float32Array) => samples.reduce((sum, x) => sum + x * x, 0)
const panelOf = (given: { readonly speakers: number; readonly seed: number }) =>
  composePanel(utterances, { ...given, ...short })!

describe("composePanel", () => {
  it("gives the same panel for the same seed, and another one for another", () => {
    const [a, b, c] = [
      panelOf({ speakers: 3, seed: 1 }),
      panelOf({ speakers: 3, seed: 1 }),
      panelOf({ speakers: 3, seed: 2 })
    ]
    assert.deepStrictEqual(a, b)
    assert.notDeepEqual(a.spans, c.spans)
  })

  it("lets everybody speak twice and nobody follow themselves", () => {
    fc.assert(
      fc.property(options, (given) => {
        const { spans } = panelOf(given)
        for (const [i, { speaker }] of spans.entries()) assert.notStrictEqual(speaker, spans[i + 1]?.speaker)
        const turns = Map.groupBy(spans, ({ speaker }) => speaker)
        assert.strictEqual(turns.size, given.speakers)
        for (const own of turns.values()) assert.isAtLeast(own.length, 2)
      }),
      { numRuns: 8, examples: [[{ speakers: 4, seed: 942 }]] }
    )
  })

  it("plays no sample twice", () => {
    fc.assert(
      fc.property(options, (given) => {
        const sounding = panelOf(given).samples.filter((x) => x > 0)
        assert.strictEqual(new Set(sounding).size, sounding.length)
      }),
      { numRuns: 3 }
    )
  })

  it("says that somebody speaks within their spans alone", () => {
    fc.assert(
      fc.property(options, (given) => {
        const { spans, turns } = panelOf(given)
        for (const { speaker, t_end, t_start } of turns) {
          assert.isTrue(
            spans.some((span) =>
              span.speaker === speaker && span.t_start <= t_start + 1e-9 && t_end <= span.t_end + 0.011
            )
          )
        }
      }),
      { numRuns: 4 }
    )
  })

  it("is undefined where there are too few people", () => {
    assert.strictEqual(composePanel(utterances, { speakers: 6, seed: 1 }), undefined)
  })

  it("adds noise as far below the speech as is asked for", () => {
    const [clean, noisy] = [{}, { noise_decibels: 15 }].map((more) =>
      composePanel(utterances, { speakers: 2, seed: 5, ...short, ...more })!.samples
    )
    const noise = noisy!.map((x, i) => x - clean![i]!)
    const spoken = clean!.reduce((count, x) => count + (x === 0 ? 0 : 1), 0)
    const ratio = (power(clean!) / spoken) / (power(noise) / noise.length)
    assert.closeTo(10 * Math.log10(ratio), 15, 0.1)
  })
})
