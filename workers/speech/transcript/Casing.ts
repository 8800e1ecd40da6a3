import { punctuate } from "./Punctuation.ts"
import { builtInPunctuation, type PunctuationModel } from "./PunctuationModel.ts"

/** Always capitalised in English; `may` and `march` are left to the model because they are mostly no months. */
const PROPER = new Set(
  ("monday tuesday wednesday thursday friday saturday sunday january february april june july august september " +
    "october november december").split(" ")
)

/** Names whose capitals no rule gives, and acronyms that are no word in small letters. */
const MIXED: ReadonlyMap<string, string> = new Map(
  ("GitHub GitLab YouTube LinkedIn JavaScript TypeScript PostgreSQL MySQL SQLite PayPal eBay iPhone iPad MacBook OpenAI WhatsApp " +
    "PowerPoint WordPress TensorFlow PyTorch GraphQL MongoDB WebRTC WiFi API GPU CPU SQL HTML CSS JSON XML HTTP URL PDF USB VPN DNS " +
    "AWS IBM NASA FBI CIA BBC CNN CEO CTO CFO UK USA EU ATM GPS TV DVD PC UI UX AI SDK CLI LED LCD DNA RNA MRI KPI FAQ")
    .split(" ")
    .flatMap((name) => name === name.toUpperCase() ? [name, `${name}s`] : [name])
    .map((name) => [name.toLowerCase(), name])
)

const bare = (word: string): string => word.toLowerCase().replaceAll("’", "'")
const capital = (word: string): string => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

const asName = (word: string): string =>
  capital(word).replace(
    /^(Mc|O')(\p{Ll})(?=\p{Ll}{2})/u,
    (_, start: string, letter: string) => start + letter.toUpperCase()
  )

/** A word in capitals but for what is added to it: "APIs" stays as said, "api's" is "API's". */
const inCapitals = (word: string): string => word.replace(/^[^']+/u, (letters) => letters.toUpperCase())

const written = (word: string, letters: "small" | "capital" | "capitals"): string => {
  const plain = word.replace(/'s$/u, "")
  if (MIXED.has(plain)) return MIXED.get(plain)! + word.slice(plain.length)
  if (/^i(?:'|$)/u.test(word) || PROPER.has(plain)) return capital(word)
  return letters === "capitals" ? inCapitals(word) : letters === "capital" ? asName(word) : word
}

/**
 * Writes what one speaker says without a break as text: capitals where sentences start, on names and in acronyms, commas, full
 * stops and question marks as the model puts them, and the caller's own terms in the caller's spelling where all their
 * words follow each other. It changes letters' case and adds marks at the ends of words, nothing else, and gives as many words as
 * it was given. `pauses` are the seconds of silence after each word, null where they are not known.
 */
export const makeCasing = (terms: ReadonlyArray<string>, model: PunctuationModel = builtInPunctuation()) => {
  const spellings = Map.groupBy(
    terms.map((term) => term.split(/\s+/u).filter((word) => word !== "")).filter((words) => words.length > 0)
      .toSorted((a, b) => a.length - b.length),
    ([first]) => bare(first!)
  )
  return (heard: ReadonlyArray<string>, pauses: ReadonlyArray<number> | null): Array<string> => {
    const words = heard.map(bare)
    const decided = punctuate(model, words, pauses)
    const texts = words.map((word, i) => written(word, decided[i]!.letters))
    words.forEach((word, at) => {
      for (const spelling of spellings.get(word) ?? []) {
        if (spelling.every((part, i) => bare(part) === words[at + i])) texts.splice(at, spelling.length, ...spelling)
      }
    })
    return texts.map((text, i) => {
      const starts = i === 0 || /[.?]/u.test(decided[i - 1]!.mark)
      // "iPhone" and "eBay" keep their small letter at the start of a sentence too.
      return `${starts && text === text.toLowerCase() ? capital(text) : text}${decided[i]!.mark}`
    })
  }
}
