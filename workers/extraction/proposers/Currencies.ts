import { spokenLabels } from "../candidates/EnumCandidates.ts"
import type { Material } from "../candidates/Mention.ts"
import { CURRENCIES, MINOR } from "../lexicon/Numbers.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords } from "../text/Tokens.ts"

/** As sure as what follows its field's own words; where nothing in the footage says another currency, as a label on the screen. */
const SCORES = { most: 0.9, only: 0.95 } as const

/** The sign or the word of a sum that says its currency; of cents nobody knows of what. */
const saidIn = ({ from, text }: Candidate): { readonly from: number; readonly text: string } | undefined => {
  const said = Array.from(text.matchAll(/[$€£¥]|\p{L}+/gu)).findLast(([word]) =>
    Object.hasOwn(CURRENCIES, word.toLowerCase()) && !MINOR.test(word.toLowerCase())
  )
  return said === undefined ? undefined : { from: from + said.index, text: said[0] }
}

/** Where a source names a currency. */
interface Said {
  readonly passage: Passage
  readonly unit: string
  readonly from: number
  readonly text: string
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

/** A currency by its own name or code: "pounds" without a number may be a weight, "dollars" are of many countries. */
const BARE = /\b(?:US dollars|[Ee]uros?|EUR|USD|GBP|CHF|JPY|[Yy]en|[Ff]rancs)\b/gu

/** The one currency that a source names beside no number at all, "all prices in euros": where it counts no sum that says one. */
const bare = ({ passages, suspects }: Material["reading"]): ReadonlyArray<Said> => {
  const named = passages.filter(({ index }) => !suspects.has(index)).flatMap((passage) =>
    Array.from(passage.text.matchAll(BARE), ({ 0: text, index: from }): Said => {
      const code = text.split(" ").at(-1)!.toLowerCase()
      return { passage, unit: CURRENCIES[code]!, from, text }
    })
  )
  return new Set(named.map(({ unit }) => unit)).size === 1 ? named : []
}

/** The currency of a footage whose sums are, but for fewer than half, of one: by the first sum that says it. Of two as frequent ones neither. */
export const currencyFields = ({ reading }: Material, leaves: ReadonlyArray<Leaf>): ReadonlyArray<Ranked> => {
  const open = leaves.filter(asksCurrency)
  if (open.length === 0) return []
  const sums = reading.candidates.flatMap((candidate): ReadonlyArray<Said> => {
    const { kind, passage, unit } = candidate
    const said = kind === "money" && unit !== undefined && !reading.suspects.has(passage.index)
      ? saidIn(candidate)
      : undefined
    return said === undefined ? [] : [{ passage, unit: unit!, ...said }]
  })
  const told = sums.length > 0 ? sums : bare(reading)
  const [most] = Array.from(Map.groupBy(told, ({ unit }) => unit).values()).toSorted((a, b) => b.length - a.length)
  if (most === undefined || most.length * 2 <= told.length) return []
  const isOnly = most.length === told.length
  const { from, passage, text, unit } = most[0]!
  return open.flatMap((leaf): ReadonlyArray<Ranked> => {
    const value = written(leaf, unit, text)
    const candidate: Candidate = { kind: "code", passage, from, to: from + text.length, text, value: text }
    return value === undefined
      ? []
      : [{
        leaf,
        candidate,
        value,
        score: isOnly ? SCORES.only : SCORES.most,
        rule: isOnly ? "only-currency" : "said-plainly"
      }]
  })
}
