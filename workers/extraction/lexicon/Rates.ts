import { identifierWords, stem } from "../text/Tokens.ts"

/** How often something is, in one word, where it is said of what. */
export const FREQUENCIES: Readonly<Record<string, number>> = { once: 1, twice: 2, thrice: 3 }

/** What so many come to in so long a time is told by. */
const PERIODS: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  nightly: "night",
  weekly: "week",
  monthly: "month",
  quarterly: "quarter",
  yearly: "year",
  annually: "year",
  annual: "year"
}

const AFTER = /^(?:\s+(?!(?:an?|per|each|every)\s)\p{L}+)?\s+(?:an?|per|each|every)\s+(\p{L}+)|^\s+(\p{L}+ly)\b/iu

/** What a number is reckoned by that these words stand behind: the stem of "day" for " tablets a day"; undefined where they say nothing of the kind. */
export const rateAfter = (text: string): string | undefined => {
  const [, noun, adverb = ""] = AFTER.exec(text) ?? []
  const period = PERIODS[adverb.toLowerCase()]
  return noun === undefined ? period : stem(noun.toLowerCase())
}

/** What a field is reckoned by, by its name: `tablets_per_day`, `daily_fee`, `day_rate`; undefined for any other. */
export const rateOfField = (name: string): string | undefined => {
  const words = identifierWords(name)
  const per = words.indexOf("per")
  if (per > 0 && words[per + 1] !== undefined) return stem(words[per + 1]!)
  const period = words.find((word) => Object.hasOwn(PERIODS, word))
  if (period !== undefined) return PERIODS[period]
  return words.at(-1) === "rate" && Object.values(PERIODS).includes(words.at(-2) ?? "") ? words.at(-2) : undefined
}

/** A field's words without those that say only what it is reckoned by: a `day_rate` is no length of time. */
export const withoutPeriod = (name: string): ReadonlyArray<string> => {
  const words = identifierWords(name)
  return rateOfField(name) === undefined || words.includes("per")
    ? words
    : words.filter((word) => !Object.hasOwn(PERIODS, word) && !Object.values(PERIODS).includes(word))
}
