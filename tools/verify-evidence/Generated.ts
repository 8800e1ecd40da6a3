import { numbersSaid, saysNumber } from "./Numerals.ts"

const plain = (text: string): string => text.normalize("NFKC").replaceAll(/[’`]/gu, "'").replaceAll(/\s+/gu, " ")
const lettersOf = (text: string): ReadonlyArray<string> => plain(text).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Words with a capital that no sentence begins with: names, as far as letters tell. */
const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(
    plain(text).matchAll(/(?<=[\p{L}\p{N},;:)'] )\p{Lu}[\p{L}\p{N}]*(?:[-'][\p{L}\p{N}]+)*/gu),
    ([name]) => name
  )
    .filter((name) => name !== "I" && !name.startsWith("I'"))

/**
 * What of a generated text stands in none of its citations: numbers by their value, names letter by letter, and quoted words.
 * Whether a citation says what a sentence says is no matter of rules.
 */
export const madeUp = (text: string, quotes: ReadonlyArray<string>): ReadonlyArray<string> => {
  const cited = quotes.map(plain).join(" \n ")
  const said = new Set(lettersOf(cited))
  const numbers = numbersSaid(text).filter((number) => !saysNumber(cited, number)).map(String)
  const names = namesIn(text).filter((name) => !lettersOf(name).every((part) => said.has(part)))
  const quoted = Array.from(plain(text).matchAll(/["“]([^"”]+)["”]/gu), ([, words]) => words!)
  return [...numbers, ...names, ...quoted.filter((words) => !cited.includes(words))]
}
