import type { Plan } from "../text/Plan.ts"
import { momentOf, type Passage, type Span } from "../text/SourceDocument.ts"
import { calibration } from "./CalibrationWeights.ts"

/** What of a video and its schema tells how far the judge may be believed there. */
export interface Footing {
  /** Words that are spoken. */
  readonly words: number
  /** How far the schema has its fields in the order in which the footage answers them: from -1 to 1. */
  readonly order: number
}

/** Values by field, and where they are cited from. */
type Placed = ReadonlyArray<{ readonly pointer_template: string; readonly span: Span }>

/** Pairs of values that count as much as no order at all: a few say little (the best of 0, 1, 5 and 10 over the writers). */
const SHRINKAGE = 5

/**
 * Kendall's rank correlation (Kendall 1938) of single fields, as the schema has them, with the moments that they are cited from, shrunk towards 0 where
 * there are few. A value from a list counts for nothing.
 */
const orderAgreement = ({ leaves }: Plan, found: Placed): number => {
  const at = new Map(leaves.map(({ template }, index) => [template, index]))
  const placed = found.flatMap(({ pointer_template, span }) => {
    const field = at.get(pointer_template)
    return field === undefined ? [] : [{ field, second: momentOf(span).t_start }]
  })
  let [alike, pairs] = [0, 0]
  for (const [index, a] of placed.entries()) {
    for (const b of placed.slice(index + 1)) {
      const sign = Math.sign((a.field - b.field) * (a.second - b.second))
      alike += sign
      pairs += Math.abs(sign)
    }
  }
  return alike / (pairs + SHRINKAGE)
}

const wordsOf = (text: string): number => text.split(/\s+/u).length

/** The footing of values that were found for a plan and are not held back. */
export const footingOf = (plan: Plan, passages: ReadonlyArray<Passage>, found: Placed): Footing => ({
  words: passages.reduce((sum, { modality, text }) => sum + (modality === "audio" ? wordsOf(text) : 0), 0),
  order: orderAgreement(plan, found)
})

/** Of footage that is shorter or longer than what the fit has seen, nothing is known beyond its edges. */
const [fewest, most] = [150, 600]

/** What the calibration is linear in: the judge's log odds, the length of the speech, and the order. */
export const calibrationTerms = (answers: number, { order, words }: Footing): readonly [number, number, number] => {
  const chance = Math.max(0.001, Math.min(0.999, answers))
  return [Math.log(chance / (1 - chance)), Math.log(Math.max(fewest, Math.min(most, words))), order]
}

/**
 * How often values are right of which the judge says `answers`, in footage like this: logistic calibration (Platt 1999), with terms for what the judge
 * does not see. It makes no value likelier than another of the same footage. A balanced result has what the judge's own word reaches; a strict one has
 * also what reaches its threshold here (`heldFromStrict`). What balanced holds back was not fitted on.
 */
export const calibrated = (answers: number, footing: Footing): number => {
  const terms = calibrationTerms(answers, footing)
  const odds = terms.reduce((sum, term, at) => sum + term * calibration.weights[at]!, calibration.base)
  return 1 / (1 + Math.exp(-odds))
}
