import type { Draft } from "../../workers/extraction/grounding/Draft.ts"
import { proposalTrees } from "../../workers/extraction/judge/ProposalWeights.ts"
import { chanceBy } from "../../workers/extraction/judge/Trees.ts"
import { judgeDrafts, objection } from "../../workers/extraction/proposers/llm/LlmJudge.ts"
import type { FootageRecord } from "../extraction/FootageRecord.ts"
import { playTrials, type Swap, SWAPS } from "./SwapTrials.ts"

/** As many as one prompt holds by default. */
const JUDGE_TOKENS = 12_000

interface Outcome {
  readonly swap: Swap | null
  /** Null where the gate did not take it. */
  readonly score: number | null
  readonly draft: Draft | null
}

const three = (value: number): number => Math.round(value * 1000) / 1000
const share = (some: ReadonlyArray<Outcome>, taken: (one: Outcome) => boolean): number | null =>
  some.length === 0 ? null : three(some.filter(taken).length / some.length)

/** Rates by sort of wrong value, where a draft is taken. */
const ratesOf = (outcomes: ReadonlyArray<Outcome>, taken: (one: Outcome) => boolean) => ({
  true_accepts: share(outcomes.filter(({ swap }) => swap === null), taken),
  false_accepts: share(outcomes.filter(({ swap }) => swap !== null), taken),
  by_swap: Object.fromEntries(
    SWAPS.map((sort) => [sort, share(outcomes.filter(({ swap }) => swap === sort), taken)])
  )
})

/** Numbers from 0 to 1 that are the same every time (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

const ERRORS = [0.02, 0.05, 0.1]

/** What has to be reached for 95 of a hundred right values to be taken. */
const leastOf = (some: ReadonlyArray<number>): number => some[Math.ceil(some.length * 0.95) - 1] ?? -Infinity

/**
 * What wrong values with true quotes come through: by the gate alone, by rules beside it at 95 % of the right ones, and by a
 * judge in a call of its own that is itself wrong in so many of a hundred cases.
 */
export const swapBench = async (records: ReadonlyArray<FootageRecord>) => {
  const all: Array<Outcome> = []
  const judged = new Map<number, { readonly kept: Set<Outcome> }>(ERRORS.map((error) => [error, { kept: new Set() }]))
  const draw = random(20)
  for (const record of records) {
    const { played, task } = playTrials(record)
    const outcomes = played.map(({ draft, features, swap }): Outcome => ({
      swap,
      draft,
      score: features === null ? null : chanceBy(proposalTrees, features)
    }))
    all.push(...outcomes)
    const taken = outcomes.filter(({ draft }) => draft !== null)
    for (const [error, { kept }] of judged) {
      let asked = 0
      const verdicts = await judgeDrafts(task, taken.map(({ draft }) => draft!), JUDGE_TOKENS, async ({ messages }) => {
        const claims = Array.from(messages.at(-1)!.content.matchAll(/^Claim (\d+)$/gmu), ([, number]) => Number(number))
        const text = JSON.stringify({
          verdicts: claims.map((claim) => {
            const right = taken[asked++]!.swap === null
            const says = draw() < error ? !right : right
            return { claim, verdict: says ? "supports" : "other field", score: says ? 0.9 : 0.1 }
          })
        })
        return { text, finish: "stop", input_tokens: 1, output_tokens: 1 }
      })
      for (const outcome of taken) {
        const verdict = verdicts.get(outcome.draft!)
        if (verdict === undefined || objection(verdict) === undefined) kept.add(outcome)
      }
    }
  }
  const scores = all.filter(({ swap }) => swap === null).map(({ score }) => score ?? -Infinity).toSorted((a, b) =>
    b - a
  )
  const byRules = (least: number) => ratesOf(all, ({ score }) => score !== null && score >= least)
  return {
    trials: all.length,
    gate: ratesOf(all, ({ score }) => score !== null),
    rules: byRules(leastOf(scores)),
    // Where the gate itself refuses more than five of a hundred, no judge after it reaches 95.
    rules_of_taken: byRules(leastOf(scores.filter((score) => score > -Infinity))),
    judges: Object.fromEntries(
      Array.from(judged, ([error, { kept }]) => [`${error * 100} %`, ratesOf(all, (one) => kept.has(one))])
    )
  }
}
