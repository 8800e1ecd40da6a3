import type { Leaf } from "../../text/Plan.ts"
import { tokenise } from "../../text/Tokens.ts"

/** Fields whose two letters stand for a country or a language. */
const ASKS_CODE = /\b(?:countr(?:y|ies)|nations?|nationality|markets?|regions?|lang|languages?|locale|iso)\b/iu

/** Names of ISO 3166-1 and ISO 639-1 as Unicode's CLDR gives them in English. */
const regions = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })

/** What people say instead. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  US: /\b(?:USA|U\.S\.A?\.|America|the States)(?![\p{L}\d])/u,
  GB: /\b(?:UK|U\.K\.|Britain|Great Britain)(?![\p{L}\d])/u,
  CZ: /\bCzech Republic\b/u,
  NL: /\bHolland\b/u,
  TR: /\bTurkey\b/u
}

const nameOf = (value: string): string | undefined => {
  if (/^[A-Z]{2}$/u.test(value)) return regions.of(value)
  return /^[a-z]{2}$/u.test(value) ? languages.of(value) : undefined
}

/** Whether some words name the country or the language that a code of ISO 3166-1 or 639-1 stands for. */
export const namesCode = (words: string, value: string, leaf: Leaf): boolean => {
  if (!ASKS_CODE.test(leaf.words)) return false
  const name = nameOf(value)
  if (name === undefined) return false
  const said = new Set(tokenise(words).map(({ norm }) => norm))
  return tokenise(name).every(({ norm }) => said.has(norm)) || (OTHERS[value]?.test(words) ?? false)
}

/** "R. Achterberg" of one line and "Rosamund" of another are one person's name. */
export const namesByInitial = (texts: ReadonlyArray<string>, value: string): boolean => {
  const [, first, last] = /^(\p{Lu}[\p{L}'’-]+) (\p{Lu}[\p{L}'’-]+)$/u.exec(value) ?? []
  if (first === undefined) return false
  const short = new RegExp(`(?<![\\p{L}.])${first[0]}\\.? ${last}(?![\\p{L}])`, "u")
  const given = new RegExp(`(?<![\\p{L}])${first}(?![\\p{L}])`, "u")
  return texts.some((text) => short.test(text)) && texts.some((text) => given.test(text))
}
