import { DATE_PATTERN, TIME_PATTERN } from "../../lexicon/Dates.ts"
import type { Candidate, Kind } from "../../text/Candidate.ts"
import { labelledValues } from "../../text/LabelledValues.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { STOP_WORDS } from "../../text/Tokens.ts"
import { NAME_STOP_WORDS, scanNames } from "./ScanNames.ts"
import { scanNumbers } from "./ScanNumbers.ts"

/** "E21", "DP-4471-B", "P/24/0317", "PHYS 142", "HL 7714 C", "DR-MV 208", "2.3.1", "88-2107": what things are numbered by. */
const CODE =
  /(?<![\p{L}\d.,$€£/-])(?:(?=[A-Z0-9/-]{0,24}\d)(?=[A-Z0-9/-]{0,24}[A-Z])[A-Z0-9]{1,16}(?:[-/][A-Z0-9]{1,16}){0,5}|(?:[A-Z]{2,5}|[A-Z]{1,3}-[A-Z]{1,3})\s\d{1,4}(?:\s[A-Z](?=[^\p{L}\d\s]|$))?(?![-/][A-Z\d])|\d+(?:\.\d+)+|\d{2,4}-\d{3,6})(?![\p{L}\d]|[.:,]\d)/gu

const PATTERNS: ReadonlyArray<readonly [Kind, RegExp]> = [
  ["email", /\b[\w.+'-]+@[\w-]+(?:\.[\w-]+)+\b/giu],
  ["email", /\b[\w.+-]+(?: dot [\w-]+)* at [\w-]+(?: dot [\w-]+)+\b/giu],
  [
    "url",
    /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,)!?]|\bwww\.[\w-]+(?:\.[\w-]+)+(?:\/[^\s]*)?|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|co\.uk|edu|gov|example|info|tv)(?:\/[^\s.,]*)?\b/giu
  ],
  ["phone", /(?<!\d)(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,5}\)|\d{2,5})[\s.-]\d{3,4}[\s.-]\d{3,4}\b|\b\d{3}-\d{4}\b/gu],
  // "0800 55 21 90", "Emergencies, 24 h: 555 0199".
  ["phone", /(?<![\d.,])0\d{2,4}(?:[\s-]\d{2,4}){2,4}(?!\d|[.,]\d)/gu],
  [
    "phone",
    /(?<=\b(?:call|ring|phone|telephone|hotline|helpline)(?:\sus)?(?:\son)?:?\s|:\s)\d{3}\s\d{4}(?!\d|[.,]\d|\s\d)/giu
  ],
  ["date", DATE_PATTERN],
  ["time", TIME_PATTERN],
  [
    "address",
    /\b\d{1,5}(?:\s+[A-Z0-9][\w.'-]*){1,5}\s+(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Way|Ct|Court|Pl|Place|Row|Hwy|Highway|Pkwy|Parkway|Sq|Square|Terrace|Circle|Cir)\b\.?(?:\s*#?\s*\d+\w?)?/gu
  ],
  ["code", CODE],
  ["quoted", /["“]([^"”]{2,80})["”]/gu]
]
const NAMED =
  /\b(?:called|named|titled|name (?:is|it|the alarm|should be)|known as|entitled)\s+(?:it\s+)?["'“]?([\p{L}\p{N}][\p{L}\p{N}' -]{1,40}?)["'”]?(?=[.,!?;]|$| at | for | on | by | in | please| (?:but|because|which|who)\b| and (?:i|my|we|our|he|she|it|they|this|that|there)\b)/giu
const NOT_A_DATE = /^(?:mar|may|jun|second|first|third)$/iu
/** "Start today", "Sign up today": whoever sees it is to do so, and no day is named. */
const CALL_TO_ACTION =
  /^\W*(?:get started|start|sign up|join(?: us)?|try(?: it)?|order|buy|shop|call(?: us)?|book|download|subscribe|register|apply|visit(?: us)?|contact us|enrol|enroll|donate|learn more)\b[\p{L}\s]*\b(?:today|tonight)\W*$/iu

const scanPatterns = (passage: Passage): ReadonlyArray<Candidate> => {
  const out: Array<Candidate> = []
  for (const [kind, pattern] of PATTERNS) {
    for (const match of passage.text.matchAll(pattern)) {
      const on = kind === "date" ? /^on /iu.exec(match[0]) : null
      const from = match.index + (kind === "quoted" ? 1 : on === null ? 0 : on[0].length)
      const text = kind === "quoted" ? match[1]! : match[0].slice(on === null ? 0 : on[0].length).trimEnd()
      if (
        kind === "date" &&
        (NOT_A_DATE.test(text) || (passage.modality === "visual" && CALL_TO_ACTION.test(passage.text)))
      ) continue
      // "Minus three at night" is no hour of it.
      if (kind === "time" && /\b(?:minus|plus|negative)\s$/iu.test(passage.text.slice(Math.max(0, from - 10), from))) {
        continue
      }
      if (kind === "url" && out.some((one) => one.kind === "email" && from >= one.from && from < one.to)) continue
      out.push({ kind, passage, from, to: from + text.length, text, value: text })
    }
  }
  return out
}

const content = (word: string): boolean => word.length > 2 && !STOP_WORDS.has(word) && !NAME_STOP_WORDS.has(word)

/** Ordinary words and pairs of them: what is neither a name nor a number can only be one of these. */
const scanPhrases = (passage: Passage): ReadonlyArray<Candidate> => {
  const out: Array<Candidate> = []
  const { text, tokens } = passage
  tokens.forEach((token, at) => {
    if (!/^\p{Ll}/u.test(token.text) && at !== 0 && !/^\p{Lu}\p{Ll}/u.test(token.text)) return
    if (!content(token.norm) || /^\d/u.test(token.norm)) return
    out.push({ kind: "phrase", passage, from: token.from, to: token.to, text: token.text, value: token.text })
    const next = tokens[at + 1]
    if (next !== undefined && next.from - token.to === 1 && /^\p{Ll}/u.test(next.text) && content(next.norm)) {
      const pair = text.slice(token.from, next.to)
      out.push({ kind: "phrase", passage, from: token.from, to: next.to, text: pair, value: pair })
    }
  })
  return out
}

const overlaps = (from: number, to: number, kinds: ReadonlyArray<Kind>, among: ReadonlyArray<Candidate>): boolean =>
  among.some((one) => kinds.includes(one.kind) && from < one.to && to > one.from)

/**
 * Every typed candidate of one passage. What the scanners miss nothing later can find, so they would rather give too many.
 */
export const scan = (passage: Passage, lower: ReadonlyMap<string, number>): ReadonlyArray<Candidate> => {
  const typed = scanPatterns(passage)
  const numbers = scanNumbers(
    passage,
    (from, to, kind) =>
      overlaps(from, to, kind === "date" ? ["date"] : ["date", "time", "phone", "address", "email", "url"], typed) ||
      (kind === "any" &&
        typed.some((one) =>
          one.kind === "code" && /^[A-Z]|[-/]/u.test(one.text) && !/\s/u.test(one.text) && from < one.to &&
          to > one.from
        ))
  )
  const names = scanNames(passage, lower).filter((name) =>
    !overlaps(name.from, name.to, ["date", "email", "url"], typed)
  )
  const named = Array.from(passage.text.matchAll(NAMED), (match): Candidate => {
    const from = match.index + match[0].lastIndexOf(match[1]!)
    return { kind: "named", passage, from, to: from + match[1]!.length, text: match[1]!, value: match[1]! }
  })
  const all = [...typed, ...numbers, ...names, ...named, ...scanPhrases(passage)]

  const pairs = passage.modality === "visual" ? labelledValues(passage.text) : []
  return [
    // What runs on into the next label is no value.
    ...all.filter((one) => !pairs.some(({ start }) => one.from < start && start < one.to)).map((one): Candidate => {
      const pair = pairs.find(({ from, to }) => one.from >= from - 1 && one.from < to)
      return pair === undefined ? one : Object.assign(one, { label: pair.label })
    }),
    ...pairs.flatMap(({ from, label, value }): ReadonlyArray<Candidate> =>
      value === null
        ? []
        : [{ kind: "label", passage, from, to: from + value.length, text: value, value, label }]
    )
  ]
}
