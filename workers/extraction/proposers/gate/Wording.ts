import { alignmentIndex, canonicalUnits } from "../../grounding/Align.ts"
import { numbersIn } from "../../lexicon/Numbers.ts"
import { type Passage, type Span, trimSpan } from "../../text/SourceDocument.ts"
import { stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { amountsIn, sameNumber } from "./Amounts.ts"

/** What a model adds to a value in brackets is no part of it. */
const bare = (value: string): string => value.replaceAll(/\s*\([^)]*\)\s*$/gu, "").trim()

/**
 * The source's own words for a text that has the same words in another order: the shortest stretch of the span with nearly all
 * of them and little else.
 */
export const ownWords = (span: Span, value: string): Span | undefined => {
  const wanted = canonicalUnits(tokenise(bare(value))).map(({ key }) => key)
  if (wanted.length < 2) return undefined
  const units = alignmentIndex([span.passage]).units.filter(({ first, last }) =>
    span.passage.tokens[first]!.from >= span.from && span.passage.tokens[last]!.to <= span.to
  )
  let best: { readonly from: number; readonly to: number; readonly size: number } | undefined
  for (let from = 0; from < units.length; from++) {
    const left = Array.from(wanted)
    for (let to = from; to < Math.min(units.length, from + Math.ceil(wanted.length * 1.4)); to++) {
      const at = left.indexOf(units[to]!.key)
      if (at >= 0) left.splice(at, 1)
      if (left.length > wanted.length * 0.15) continue
      const size = to - from + left.length
      if (best === undefined || size < best.size) best = { from, to, size }
      break
    }
  }
  if (best === undefined) return undefined
  const [first, last] = [units[best.from]!, units[best.to]!]
  return trimSpan({
    passage: span.passage,
    from: span.passage.tokens[first.first]!.from,
    to: span.passage.tokens[last.last]!.to
  })
}

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

const DIGITS = "zero one two three four five six seven eight nine".split(" ")

/** The international spelling alphabet (ICAO, Annex 10, volume II, 5.2.1.3). */
const SPELLING =
  "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu"
    .split(" ")
const LETTERS = new RegExp(`\\b(?:${SPELLING.join("|")}|alpha|juliet|whisky|xray)\\b`, "gu")

/** Words as their letters and figures: "oh-four-twenty", "K R four" and "Charlie X-ray five" as they are spelled. */
const spelled = (text: string): string =>
  text.toLowerCase().replaceAll(/\bdouble[ -](\p{L}+)/gu, "$1 $1").replaceAll(/\boh\b/gu, "0")
    .replaceAll(/\b(?:zero|one|two|three|four|five|six|seven|eight|nine)\b/gu, (word) => String(DIGITS.indexOf(word)))
    .replaceAll(LETTERS, (word) => word[0]!).replaceAll(
      /\b(?:dash|hyphen|slash|dot|point|underscore|digit|then)\b/gu,
      ""
    )

/** A dot within a value parts it: "10.4" is not what "104" spells. */
const partsOf = (value: string): ReadonlyArray<string> => value.split(/(?<=\d)\.(?=\d)/u).map(squeezed)

/** Whether some words run together are a value, which begins and ends where a word does, and is parted where one ends. */
const runsTogether = (words: string, value: string): boolean => {
  const pieces = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const ends = new Set([0])
  let all = ""
  for (const piece of pieces) {
    all += piece
    ends.add(all.length)
  }
  const parts = partsOf(value)
  const wanted = parts.join("")
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    let end = at
    if (ends.has(at) && parts.every((part) => ends.has(end += part.length))) return true
  }
  return false
}

/** Whether some words spell a text letter by letter. */
const isLettered = (words: string, wanted: string): boolean => {
  const letters = (spelled(words).match(/[\p{L}\p{N}]+/gu) ?? []).map((piece) => piece.length === 1 ? piece : " ").join(
    ""
  )
  return letters.split(" ").some((run) => run.endsWith(wanted) || run.startsWith(wanted))
}

/** Whether a text is spelled out or written apart in some words: a code, a number plate, a telephone number. */
export const isSpelled = (words: string, value: string): boolean => {
  const wanted = squeezed(value)
  if (!/\d/u.test(wanted)) return wanted.length >= 3 && isLettered(words, wanted)
  return wanted.length >= 3 &&
    (runsTogether(words, value) || runsTogether(spelled(words), value) ||
      (/^[1-9]\d*$/u.test(wanted) && partsOf(value).length === 1 && hasNumber(words, Number(wanted), false)))
}

const content = (text: string): ReadonlyArray<string> =>
  tokenise(text).map(({ norm }) => norm).filter((word) => /\p{L}/u.test(word) && !STOP_WORDS.has(word)).map(stem)

/** Names in a text: capitalised words that do not only begin a sentence. */
const namesIn = (text: string): ReadonlyArray<string> =>
  tokenise(text).filter(({ from, text: word }) =>
    /^\p{Lu}/u.test(word) && word !== "I" && !/(?:^|[.!?:]\s*["“]?)$/u.test(text.slice(0, from))
  )
    .map(({ norm }) => norm.replace(/'.*$/u, ""))

const quotedIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/["“]([^"”]{2,})["”]/gu), (match) => match[1]!)

const has = (words: string, name: string): boolean => {
  const wanted = stem(name)
  return tokenise(words).some(({ norm }) => norm.replace(/'.*$/u, "") === name || stem(norm) === wanted)
}

/** `inScale`: whether thousands and millions may be counted by the thousand and the million. */
const hasNumber = (words: string, value: number, inScale: boolean): boolean =>
  amountsIn(words, undefined, inScale).some(({ values }) => values.some((one) => sameNumber(one, value)))

/** "418m" and "3 k": a number that is counted in something larger. */
const SCALED = /^\s?(?:k|m|b|bn|mn|mio)\b/iu

/** Numbers that a text gives in figures or in words of its own, from two on: "one" and "first" are often none. */
const numbersOf = (
  text: string
): ReadonlyArray<{ readonly text: string; readonly values: ReadonlyArray<number>; readonly scaled: boolean }> => {
  const tokens = tokenise(text)
  const words = new Map(
    numbersIn(tokens).filter(({ ordinal, value }) => !ordinal && value >= 2).map(({ at }) => [tokens[at]!.from, true])
  )
  return amountsIn(text).filter(({ from, to }) => /\d/u.test(text.slice(from, to)) || words.has(from))
    .map(({ from, to, values }) => ({ text: text.slice(from, to), values, scaled: SCALED.test(text.slice(to)) }))
}

/** What in a text of a model's own wording is nowhere in some words: its numbers, its names and what it quotes. */
export const unbacked = (value: string, words: string): ReadonlyArray<string> => [
  ...numbersOf(value).filter(({ scaled, values }) => !values.some((one) => hasNumber(words, one, scaled)))
    .map(({ text }) => text),
  ...namesIn(value).filter((name) => !has(words, name)),
  ...quotedIn(value).filter((quote) => !squeezed(words).includes(squeezed(quote)))
]

/** Share of a text's own words that some other words have. */
export const sharedWords = (value: string, words: string): number => {
  const wanted = content(value)
  const said = new Set(content(words))
  return wanted.length === 0 ? 0 : wanted.filter((word) => said.has(word)).length / wanted.length
}

/** The lines nearest to some others that hold what these lack, each once; undefined where one thing is nowhere near. */
export const linesWith = (
  missing: ReadonlyArray<string>,
  near: Passage,
  passages: ReadonlyArray<Passage>,
  seconds: number
): ReadonlyArray<Span> | undefined => {
  const out = new Set<Passage>()
  const close = passages.filter(({ t_end, t_start }) =>
    t_start <= near.t_end + seconds && t_end >= near.t_start - seconds
  )
    .toSorted((a, b) => Math.abs(a.t_start - near.t_start) - Math.abs(b.t_start - near.t_start))
  for (const one of missing) {
    const [number] = amountsIn(one)
    const line = close.find(({ text }) =>
      number !== undefined && number.from === 0
        ? number.values.some((value) => hasNumber(text, value, false))
        : has(text, one) || squeezed(text).includes(squeezed(one))
    )
    if (line === undefined) return undefined
    out.add(line)
  }
  return Array.from(out, (passage): Span => trimSpan({ passage, from: 0, to: passage.text.length }))
}
