import type { EvidenceSpan } from "../../../src/artifacts/Evidence.ts"
import { spokenLabels } from "../candidates/EnumCandidates.ts"
import { factorOf, measured, measureOf } from "../candidates/Measures.ts"
import { MINUS, scanNumbers } from "../candidates/scan/ScanNumbers.ts"
import { speaksOf } from "../candidates/YesOrNo.ts"
import { answerOf } from "../lexicon/Answers.ts"
import { saysClock } from "../lexicon/ClockTimes.ts"
import { DATE_PATTERN, toIsoDate } from "../lexicon/Dates.ts"
import { inScale } from "../lexicon/FieldScales.ts"
import { CURRENCIES, DURATIONS, numbersIn } from "../lexicon/Numbers.ts"
import { FREQUENCIES } from "../lexicon/Rates.ts"
import { spelledIn } from "../lexicon/Spelled.ts"
import { converted, isOtherUnit, type Unit, unitAfter } from "../lexicon/Units.ts"
import { weekdayWritten } from "../lexicon/Weekdays.ts"
import { spacedFor } from "../text/FieldForms.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"
import { alignmentIndex, canonicalUnits, findFuzzy } from "./Align.ts"
import { isCutOut } from "./CutQuotes.ts"

export type Support = EvidenceSpan["support"]

/** A quote as a passage of its own: verification sees the quoted words and nothing around them. */
const alone = (quote: string): Passage => ({
  index: 0,
  source_ref: "",
  channel: "asr",
  modality: "audio",
  speaker: null,
  t_start: 0,
  t_end: 0,
  text: quote,
  tokens: tokenise(quote),
  timings: [],
  line: null
})

/** Seconds of the units in which a field may want a duration that was said in another. */
const UNIT_SECONDS = [1, 60, 3600, 86400]

/** None are 0: "nobody", "no complaints", "no joining fee", and no longer words, in which something else may be denied. */
const NONE =
  /^(?:nobody|no[ -]one|not a (?:single )?(?:soul|person)|(?:no|not (?:a single|one))(?: (?:more|further|new|other))? \p{L}+|no(?: \p{L}+){1,2} (?:fee|charge|deposit|surcharge|cost|price|fare|penalty|toll|premium|rent|interest)s?)$/iu

/** What a number in a quote measures, and the words from its unit on. */
const unitIn = (quote: string, from: number, to: number): readonly [unit: Unit | undefined, words: string] => {
  const sign = CURRENCIES[quote.slice(0, from).trimEnd().at(-1) ?? ""]
  const words = quote.slice(to, to + 40)
  return [sign === undefined ? unitAfter(words) : { dimension: "money", unit: sign }, words]
}

/** How near two numbers are that are the same: binary fractions of large ones lie further apart. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b))

/** Whether a number that is said is the value, in the field's scale and unit. `words` begin with the number's unit. */
const isValue = (
  value: number,
  said: number,
  own: string,
  [unit, words]: readonly [unit: Unit | undefined, words: string],
  leaf: Leaf
): boolean => {
  const [factor, wanted] = [factorOf(leaf), measureOf(leaf)]
  const amounts = factor === undefined
    ? [said]
    : [inScale(factor, said, own, true), inScale(factor, said, own, false)]
  return amounts.some((amount) => {
    const other = converted(amount, unit, words, wanted)
    return other === undefined ? isSame(amount, value) && !isOtherUnit(unit, words, wanted) : isSame(other, value)
  })
}

const numberSupport = (value: number, quote: string, leaf: Leaf): Support | undefined => {
  if (value === 0 && NONE.test(quote)) return "normalised"
  if (FREQUENCIES[quote.toLowerCase()] === value) return "normalised"
  const passage = alone(quote)
  const wanted = measureOf(leaf)
  const own = numbersIn(passage.tokens).find((one) => {
    const [from, to] = [passage.tokens[one.at]!.from, passage.tokens[one.end - 1]!.to]
    const signed = MINUS.test(quote.slice(Math.max(0, from - 12), from)) ? -one.value : one.value
    return !/(?:^|[^\p{L}\d.])\.$/u.test(quote.slice(Math.max(0, from - 2), from)) &&
      isValue(value, signed, quote.slice(from, to), unitIn(quote, from, to), leaf) &&
      // The nine of "two hours and nine seconds" is a part of what is said.
      !isCutOut(leaf, value, { passage, from, to })
  })
  if (own !== undefined) {
    return /^\d/u.test(passage.tokens[own.at]!.text) && isSame(Math.abs(value), own.value) ? "verbatim" : "normalised"
  }
  const seconds = wanted?.dimension === "time" ? DURATIONS[wanted.unit] : undefined
  const measures = scanNumbers(passage, () => false).some((one) => {
    if (one.kind !== "duration") {
      const inside = unitAfter(quote.slice(one.to)) === undefined && one.unit !== undefined
      return isValue(
        value,
        one.value as number,
        one.text,
        [measured(one), inside ? one.unit! : quote.slice(one.to)],
        leaf
      )
    }
    return (seconds === undefined ? UNIT_SECONDS : [seconds]).some((factor) =>
      isSame((one.value as number) / factor, value)
    )
  })
  return measures ? "normalised" : undefined
}

/** A statement of the field's own words, or an answer whose polarity is plain. */
const booleanSupport = (value: boolean, quote: string, leaf: Leaf): Support | undefined =>
  speaksOf(quote, leaf) || answerOf(quote) === value ? "inferred" : undefined

const singular = (word: string): string => word.replace(/s$/u, "")

/** `inflected`: whether one or two words may stand in another form; "Brown" is not what "Browning" is called. */
const contains = (quote: string, value: string, inflected: boolean): boolean => {
  const [wanted, said] = [value, quote].map((text) => canonicalUnits(tokenise(text)))
  if (wanted!.length === 0) return false
  return said!.some((_, at) =>
    wanted!.every(({ key, plain }, offset) => {
      const unit = said![at + offset]
      return unit?.key === key && (inflected || wanted!.length > 2 || singular(unit.plain) === singular(plain))
    })
  )
}

/** "O+", "C#", "A-": the sign is no punctuation there. */
const ENDS_IN_SIGN = /[\p{L}\d][+#−-](?![\p{L}\d])/u

const SIGNS: ReadonlyMap<string, string> = new Map([["at", "@"], ["dot", "."], ["underscore", "_"], ["dash", "-"], [
  "hyphen",
  "-"
]])

/** "anna at example dot org", "anna, at, example dot org" and "example dot org" as they are written. */
const written = (quote: string): string =>
  quote.toLowerCase().replaceAll(
    /[,;]?\s{1,3}(at|dot|underscore|dash|hyphen)[,;]?\s{1,3}/gu,
    (_, sign: string) => SIGNS.get(sign)!
  )

/** An address stands whole: "lind@fernhill.example" is not "ada.lind@fernhill.example". */
const isWholeIn = (text: string, address: string): boolean => {
  const at = text.indexOf(address)
  return at >= 0 && !(address.includes("@") && /[\p{L}\d_.+-]/u.test(text[at - 1] ?? ""))
}

const formatSupport = (value: string, quote: string, format: unknown, recordedAt: string | undefined): boolean => {
  const found = (pattern: RegExp): ReadonlyArray<string> => Array.from(quote.matchAll(pattern), (match) => match[0])
  if (format === "date" || /^\d{4}-\d{2}-\d{2}$/u.test(value)) {
    return found(DATE_PATTERN).some((date) => toIsoDate(date, recordedAt) === value)
  }
  if (format === "time" || /^\d{2}:\d{2}$/u.test(value)) return saysClock(quote, value)
  if (/^[A-Z]{3}$/u.test(value)) {
    return tokenise(quote).some(({ norm, text }) => (CURRENCIES[text] ?? CURRENCIES[norm]) === value)
  }
  if (weekdayWritten(quote.trim()) === value) return true
  const bare = value.toLowerCase().replace(/^[a-z][a-z0-9+.-]*:\/\//u, "").replace(/\/$/u, "")
  return /[.@]/u.test(bare) && /^\S+$/u.test(bare) && isWholeIn(written(quote), bare)
}

const inWord = (text: string): boolean => /^[\p{L}\p{N}]$/u.test(text)

/** The very characters, and no part of a longer word: "art" is not in "smart". */
const standsIn = (quote: string, value: string): boolean => {
  for (let at = quote.indexOf(value); at >= 0; at = quote.indexOf(value, at + 1)) {
    const before = inWord(quote[at - 1] ?? "") && inWord(value[0]!)
    const after = inWord(quote[at + value.length] ?? "") && inWord(value.at(-1)!)
    if (!before && !after) return true
  }
  return false
}

const stringSupport = (leaf: Leaf, value: string, quote: string): Support | undefined => {
  if (standsIn(quote, value)) return "verbatim"
  if (spelledIn(quote, tokenise(quote)).some((one) => spacedFor(leaf, one.value) === value)) return "normalised"
  if (ENDS_IN_SIGN.test(value)) return standsIn(quote.toLowerCase(), value.toLowerCase()) ? "normalised" : undefined
  if (contains(quote, value, false)) return "normalised"
  const near = findFuzzy(alignmentIndex([alone(quote)]), value)
  return near.some((hit) => hit.similarity >= 0.8) ? "fuzzy" : undefined
}

const enumSupport = (value: string, quote: string): Support | undefined => {
  for (const label of spokenLabels(value)) {
    if (contains(quote, label, true)) {
      return quote.includes(value)
        ? "verbatim"
        : "normalised"
    }
  }
  const stems = new Set(tokenise(quote).map((token) => stem(token.norm)))
  const telling = spokenLabels(value)[0]!.split(" ").map(stem).filter((word) =>
    word.length > 3 && !STOP_WORDS.has(word)
  )
  return telling.some((word) => stems.has(word)) ? "inferred" : undefined
}

/**
 * How a quote carries a value, or undefined where the value cannot be derived again from these very
 * words.
 */
export const verify = (value: unknown, quote: string, leaf: Leaf, recordedAt?: string): Support | undefined => {
  if (typeof value === "number") return numberSupport(value, quote, leaf)
  if (typeof value === "boolean") return booleanSupport(value, quote, leaf)
  if (typeof value !== "string" || value === "") return undefined
  return stringSupport(leaf, value, quote) ??
    (formatSupport(value, quote, leaf.schema["format"], recordedAt) ? "normalised" : undefined) ??
    (leaf.type === "enum" ? enumSupport(value, quote) : undefined)
}
