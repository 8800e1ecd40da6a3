import { sourceConfidence, type Span } from "../text/SourceDocument.ts"
import { reliabilityOf } from "./Reliability.ts"

/** Left-out dialogues: what was said with 0.95 and more, 0.97 in the mean, was right in 0.96 of 246 cases. */
const CEILING = 0.97

const three = (value: number): number => Math.round(value * 1000) / 1000

/**
 * How sure a leaf is, from 0 to 1: the ranker's probability, capped, or the reliability of the rule or model whose score only
 * ranks, times what the recogniser thought of the quoted words.
 */
export const confidenceOf = (
  { calibrated, proposed_by, score }: {
    readonly score: number
    readonly calibrated: boolean
    readonly proposed_by: string
  },
  span: Span
): number => {
  const own = calibrated ? score : reliabilityOf(proposed_by)
  return three(Math.max(0, Math.min(CEILING, own) * Math.min(1, sourceConfidence(span))))
}

/** How sure a judged leaf is: what the judge says, times what the recogniser thought of the quoted words. */
export const confidenceIn = (answers: number, span: Span): number =>
  three(Math.min(CEILING, answers) * Math.min(1, sourceConfidence(span)))

/** Mean over the leaves that have a confidence; null where none has. */
export const resultConfidence = (confidences: ReadonlyArray<number | null>): number | null => {
  const known = confidences.filter((one) => one !== null)
  return known.length === 0 ? null : three(known.reduce((sum, one) => sum + one, 0) / known.length)
}
