import type { Posteriors } from "../ctc/CtcAlignment.ts"
import type { DecodedWord } from "../ctc/CtcDecoder.ts"

/** What tells a slice in which somebody speaks from one in which a sound was taken for a few words. */
const FEATURES = ["confidence", "clearness", "letters", "blanks"] as const

/** Weights of what is felt of a slice; `bias` is such that words below 0 are not believed. */
export type RejectionWeights = Readonly<Record<"bias" | (typeof FEATURES)[number], number>>

/**
 * Of a slice with words: mean confidence over letters, mean probability of the best letter where that is none, logarithm
 * of the number of letters (chance makes short words), share of frames without one.
 */
export const rejectionFeatures = (
  { data, frames, tokens }: Posteriors,
  blank: number,
  words: ReadonlyArray<Pick<DecodedWord, "confidence" | "text">>
): Readonly<Record<(typeof FEATURES)[number], number>> => {
  let [heard, clear] = [0, 0]
  for (let t = 0; t < frames; t++) {
    let best = 0
    for (let v = 1; v < tokens; v++) if (data[t * tokens + v]! > data[t * tokens + best]!) best = v
    if (best === blank) continue
    heard++
    clear += Math.exp(data[t * tokens + best]!)
  }
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  const confidence = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return {
    confidence: confidence / Math.max(1, letters),
    clearness: clear / Math.max(1, heard),
    letters: Math.log(Math.max(1, letters)),
    blanks: 1 - heard / Math.max(1, frames)
  }
}

/** Accepts or rejects the words of a slice (out-of-vocabulary sound): at least 0 where they are to be believed. */
export const rejectionScoreOf = (weights: RejectionWeights, features: ReturnType<typeof rejectionFeatures>): number =>
  FEATURES.reduce((sum, feature) => sum + weights[feature] * features[feature], weights.bias)

/** The option `sureness` of a stack. Null where it has none or not all of it: each network is sure in its own way. */
export const rejectionWeightsIn = ({ sureness }: Readonly<Record<string, unknown>>): RejectionWeights | null => {
  if (typeof sureness !== "object" || sureness === null) return null
  const given = ["bias", ...FEATURES].map((key) => [key, Reflect.get(sureness, key)] as const)
  return given.every(([, value]) => typeof value === "number") ? Object.fromEntries(given) as RejectionWeights : null
}
