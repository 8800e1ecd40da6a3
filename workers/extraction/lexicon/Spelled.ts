import type { Token } from "../text/Tokens.ts"
import { numberAt } from "./Numbers.ts"

/** The spelling alphabet of ICAO and NATO, with the spellings that people use. */
const ALPHABET: ReadonlyMap<string, string> = new Map(
  "alpha alfa bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu"
    .split(" ").map((word) => [word, word[0]!.toUpperCase()])
)
/** Whether a word stands for a letter. */
export const isLetterWord = (norm: string): boolean => ALPHABET.has(norm)

const SIGNS: Readonly<Record<string, string>> = { dash: "-", hyphen: "-", slash: "/", hash: "#", zed: "Z" }
const TIMES: Readonly<Record<string, number>> = { double: 2, triple: 3, treble: 3 }
const GAP = /^(?:,?\s?|[–-])(?:(?:and )?then,?\s)?$/u

/** Right after what is spelled: it is taken back, or goes on beyond what is understood; a key that is pressed then is none of it. */
const UNDONE =
  /^[\s.,;:!…–—-]*(?:(?:oh|er|um|uh|erm|ah),?\s)*(?:(?:sorry|no|correction|i mean|wait|scratch that|rather)\b|(?:and )?then\b(?!,?\s(?:press|hit|push|tap|(?:the )?(?:hash|star|pound|enter|green|key))\b))/iu

/** Letters and digits said one after the other. */
export interface Spelled {
  readonly from: number
  readonly to: number
  /** The place of its first token. */
  readonly at: number
  readonly value: string
  /** Whether it reads as well as several numbers in a row: "forty, fifty, sixty", "seven, eight hundred, nine". */
  readonly counted: boolean
}

interface Piece {
  readonly value: string
  readonly end: number
}

/** As many words as a number below a thousand has at most, and more. */
const LONGEST_NUMBER = 12

/** The number that begins at a token and ends before the next comma: "nine hundred, four" are two. */
const numberUntilComma = (text: string, tokens: ReadonlyArray<Token>, at: number) => {
  const [start, most] = [Math.max(0, at - 1), Math.min(tokens.length, at + LONGEST_NUMBER)]
  let end = at + 1
  while (end < most && /^[\s-]*$/u.test(text.slice(tokens[end - 1]!.to, tokens[end]!.from))) end++
  const number = numberAt(tokens.slice(start, end), at - start)
  return number === undefined ? undefined : { ...number, end: start + number.end }
}

const digitsOf = (spelled: string, tokens: ReadonlyArray<Token>, at: number): Piece | undefined => {
  const { norm, text } = tokens[at]!
  if (/^(?:oh|o|nought|zero)$/u.test(norm) && text !== "O") return { value: "0", end: at + 1 }
  if (/^\d{1,12}$/u.test(text)) return { value: text, end: at + 1 }
  const times = TIMES[norm]
  if (times !== undefined) {
    const next = tokens[at + 1] === undefined ? undefined : digitsOf(spelled, tokens, at + 1)
    return next?.value.length === 1 ? { value: next.value.repeat(times), end: next.end } : undefined
  }
  const number = numberUntilComma(spelled, tokens, at)
  if (number === undefined || number.ordinal || !Number.isInteger(number.value) || /^\d/u.test(text)) return undefined
  // "Nine hundred" and "forty-one" are three figures and two; nobody spells in thousands.
  return number.value < 1000 ? { value: String(number.value), end: number.end } : undefined
}

const pieceAt = (spelled: string, tokens: ReadonlyArray<Token>, at: number): Piece | undefined => {
  const { norm, text } = tokens[at]!
  const digits = digitsOf(spelled, tokens, at)
  if (digits !== undefined) return digits
  if (Object.hasOwn(SIGNS, norm)) return { value: SIGNS[norm]!, end: at + 1 }
  const letter = /^\p{Lu}$/u.test(text) ? text : ALPHABET.get(norm)
  if (letter === undefined) return /^\p{Lu}{2,3}$/u.test(text) ? { value: text, end: at + 1 } : undefined
  // "H as in hotel", "P, for papa": one letter.
  const [link, into, word] = tokens.slice(at + 1, at + 4).map((token) => token.norm)
  const explained = link === "as" && into === "in" ? word : link === "for" || link === "like" ? into : undefined
  const skipped = explained?.[0]?.toUpperCase() === letter ? (link === "as" ? 3 : 2) : 0
  return { value: letter, end: at + 1 + skipped }
}

/** Whether pieces are more than one character each and stand there in letters and figures: they are written so and not spelled. */
const isWritten = (texts: ReadonlyArray<string>): boolean =>
  texts.every((text) => /^(?:\d+|\p{Lu}+)$/u.test(text)) && texts.some((text) => text.length > 1)

/**
 * Whether figures go up or down in equal steps, as who counts says them, or are several numbers with commas between, of which one is
 * more than a figure: "oh seven seven, nine hundred" has figures together.
 */
const isCounted = (values: ReadonlyArray<string>, apart: boolean): boolean => {
  if (values.length < 3 || !values.every((value) => /^\d+$/u.test(value))) return false
  const step = Number(values[1]) - Number(values[0])
  const even = step !== 0 && values.every((value, at) => at === 0 || Number(value) - Number(values[at - 1]) === step)
  return even || (apart && values.some((value) => value.length > 1))
}

/** "7B, seven B": the same twice. */
const isRepeated = (value: string): boolean => value.length > 2 && /\p{L}/u.test(value) && /^(.+)\1$/u.test(value)

/**
 * What a text spells, letter by letter and figure by figure ("K V, then three, zero, seven, one", "oh seven double oh, nine hundred"), as it
 * would be written without blanks. Two pieces at least, and letters beside figures where there are no more. What is written in letters and
 * figures ("27-0318-B") stays as it stands; what is taken back, or goes on in words that write nothing, is left out.
 */
export const spelledIn = (text: string, tokens: ReadonlyArray<Token>): ReadonlyArray<Spelled> => {
  const out: Array<Spelled> = []
  for (let at = 0; at < tokens.length;) {
    let [value, end, apart] = ["", at, true]
    const values: Array<string> = []
    while (end < tokens.length) {
      // "then" stands in the gap.
      const next = values.length > 0 && tokens[end]!.norm === "then" ? end + 1 : end
      if (tokens[next] === undefined) break
      const gap = values.length === 0 ? "," : text.slice(tokens[end - 1]!.to, tokens[next]!.from)
      if (values.length > 0 && !GAP.test(gap)) break
      const piece = pieceAt(text, tokens, next)
      // "Three, I think": nobody is spelled with an I after a figure.
      if (piece === undefined || (tokens[next]!.text === "I" && !/\p{Lu}$/u.test(value))) break
      value += piece.value
      end = piece.end
      apart &&= gap.startsWith(",")
      values.push(piece.value)
    }
    const pieces = values.length
    const mixed = /\p{Lu}/u.test(value) && /\d/u.test(value)
    // "November 2024" is a month.
    const month = pieces === 2 && /^november\b/iu.test(tokens[at]!.norm)
    const enough = pieces >= 3 || (pieces === 2 && mixed)
    if (enough && !month && !isRepeated(value)) {
      const [from, to] = [tokens[at]!.from, tokens[end - 1]!.to]
      const said = text.slice(from, to)
      const written = isWritten(tokens.slice(at, end).map((token) => token.text))
      if (!UNDONE.test(text.slice(to)) && !(written && /,/u.test(said))) {
        out.push({
          from,
          to,
          at,
          value: written ? said : value.replace(/^[-/]+|[-/]+$/gu, ""),
          counted: isCounted(values, apart)
        })
      }
    }
    at = Math.max(end, at + 1)
  }
  return out
}
