import { spokenLabels } from "../candidates/EnumCandidates.ts"
import type { Material } from "../candidates/Mention.ts"
import { CURRENCIES, MINOR } from "../lexicon/Numbers.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { identifierWords } from "../text/Tokens.ts"

/** As sure as what follows its field's own words. */
const PLAINLY = 0.9

/** The sign or the word of a sum that says its currency; of cents nobody knows of what. */
const saidIn = ({ from, text }: Candidate): { readonly from: number; readonly text: string } | undefined => {
  const said = Array.from(text.matchAll(/[$€£¥]|\p{L}+/gu)).findLast(([word]) =>
    Object.hasOwn(CURRENCIES, word.toLowerCase()) && !MINOR.test(word.toLowerCase())
  )
  return said === undefined ? undefined : { from: from + said.index, text: said[0] }
}

const asksCurrency = ({ name, type }: Leaf): boolean =>
  (type === "string" || type === "enum") && /(?:^| )currency(?: code)?$/u.test(identifierWords(name).join(" "))

/** The code as its schema writes it: one of an enum's labels, or ISO 4217; undefined where no label is it. */
const written = ({ schema, type }: Leaf, code: string, said: string): string | undefined => {
  if (type !== "enum") return code
  const labels = Array.isArray(schema["enum"]) ? schema["enum"].filter((one) => typeof one === "string") : []
  return labels.find((label) =>
    label.toUpperCase() === code || spokenLabels(label).some((one) => CURRENCIES[one] === code) ||
    label === said
  )
}

/** The currency of a footage whose sums are, but for fewer than half, of one: by the first sum that says it. Of two as frequent ones neither. */
export const currencyFields = ({ reading }: Material, leaves: ReadonlyArray<Leaf>): ReadonlyArray<Ranked> => {
  const open = leaves.filter(asksCurrency)
  if (open.length === 0) return []
  const sums = reading.candidates.flatMap((candidate) => {
    const { kind, passage, unit } = candidate
    const said = kind === "money" && unit !== undefined && !reading.suspects.has(passage.index)
      ? saidIn(candidate)
      : undefined
    return said === undefined ? [] : [{ passage, unit: unit!, ...said }]
  })
  const [most] = Array.from(Map.groupBy(sums, ({ unit }) => unit).values()).toSorted((a, b) => b.length - a.length)
  if (most === undefined || most.length * 2 <= sums.length) return []
  const { from, passage, text, unit } = most[0]!
  return open.flatMap((leaf): ReadonlyArray<Ranked> => {
    const value = written(leaf, unit, text)
    const candidate: Candidate = { kind: "code", passage, from, to: from + text.length, text, value: text }
    return value === undefined ? [] : [{ leaf, candidate, value, score: PLAINLY, rule: "said-plainly" }]
  })
}
