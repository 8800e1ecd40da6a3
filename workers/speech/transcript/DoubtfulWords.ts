import type { Word } from "../../../src/artifacts/Transcript.ts"

/** Obscenities that nobody wants to read where nobody said them, with their usual endings. */
const VULGAR =
  /^(?:(?:mother)?fuck(?:er|ers|ing|ed|s)?|(?:bull)?shit(?:s|ty|ting)?|cunts?|cocks?|pussy|bitch(?:es)?|whores?|sluts?|(?:ass|arse)holes?|wank(?:er|ers|ing)?|twats?|tits?|piss(?:ed|ing)?|penis|vaginas?|dildos?|porno?|blowjobs?|nigg(?:er|ers|a|as)|faggots?|cum|bastards?)$/u

/** Of words with this confidence 0.95 are right in speech that is well heard, and fewer below. */
const sure = 0.9

/** What stands for a word that was hardly heard. */
const unsaid = "…"

/** The word, or an ellipsis for an obscenity that the recogniser is not sure of: of what noise sounds like, it is never what was said. */
export const seemly = (word: Word): Word => {
  if (word.confidence >= sure || !VULGAR.test(word.text.toLowerCase().replaceAll(/[^\p{L}]/gu, ""))) return word
  return { ...word, text: word.text.replace(/\p{L}.*\p{L}|\p{L}/u, unsaid) }
}
