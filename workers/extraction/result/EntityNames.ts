import { numberAt } from "../lexicon/Numbers.ts"
import { isLetterWord } from "../lexicon/Spelled.ts"
import { quoteOf, type Span } from "../text/SourceDocument.ts"
import { STOP_WORDS, tokenise } from "../text/Tokens.ts"

/** Two sentences of one word each are no name; "Dr. Holt" is one. */
const ACROSS_SENTENCES = /(?<!\b(?:dr|mr|mrs|ms|prof|st|no))[.!?]\s/iu

/** Whether a capital opens the sentence or the line, and so tells nothing. */
export const opensSentence = ({ from, passage }: Span): boolean =>
  passage.modality === "visual" || /(?:^|[.?!:;…"“]\s*)$/u.test(passage.text.slice(0, from))

const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|new year)$/u
/** Words with which a clause or a phrase begins, and no name: "While Radek", "Only the Down". */
const OPENING = new Set([
  ...STOP_WORDS,
  ..."while because before after until since during every both even still though although nearly only mostly unless perhaps almost tonight"
    .split(" ")
])
OPENING.delete("the")

/** A line in capitals that only the screen has is a heading or a label: "FULL TIME", "RATED CAPACITY 2500". */
const isHeading = (mentions: ReadonlyArray<Span>): boolean =>
  mentions.every(({ passage }) => passage.channel === "ocr") &&
  mentions.every((mention) => /^[\p{Lu}\p{N}\s&.:–-]+\s[\p{Lu}\p{N}\s&.:–-]+$/u.test(quoteOf(mention)))

/** Words that stand somewhere in the source without a capital. */
export const uncapitalisedIn = (
  passages: ReadonlyArray<Span["passage"]>
): ReadonlySet<string> =>
  new Set(passages.flatMap(({ tokens }) => tokens.filter(({ text }) => /^\p{Ll}/u.test(text)).map(({ norm }) => norm)))

/**
 * Whether a capitalised run may name something at all: "Saturdays" are days, "Kilo Romeo Four" is spelled, "While Radek" begins a clause, and two
 * sentences of one word each are no name.
 */
export const mayName = (mention: Span): boolean => {
  const text = quoteOf(mention)
  const tokens = tokenise(text)
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined || text.length < 2 || ACROSS_SENTENCES.test(text)) return false
  if (CALENDAR.test(last.norm)) return false
  return tokens.length === 1 || (!OPENING.has(first.norm) &&
    !tokens.every(({ norm }, at) => isLetterWord(norm) || numberAt(tokens, at) !== undefined))
}

/**
 * Whether something is a name and not a word with a capital: "Because" opens a sentence, "Beginners" is a heading, "twelve" a number. Of
 * several words one is not enough; a single one has to be written like that within a sentence, and nowhere without its capital. `typed` says that
 * something else tells what it is.
 */
export const isName = (
  mentions: ReadonlyArray<Span>,
  typed: boolean,
  uncapitalised: ReadonlySet<string>
): boolean => {
  if (typed) return true
  if (isHeading(mentions)) return false
  const texts = mentions.map(quoteOf)
  if (texts.some((text) => /\p{L}\S*\s+\S*\p{L}/u.test(text))) return true
  const tokens = tokenise(texts[0]!)
  return tokens.length > 0 && numberAt(tokens, 0) === undefined &&
    tokens.some(({ norm }) => !uncapitalised.has(norm)) && mentions.some((mention) => !opensSentence(mention))
}
