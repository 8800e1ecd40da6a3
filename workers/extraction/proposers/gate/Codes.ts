import { CURRENCIES } from "../../lexicon/Numbers.ts"
import type { Leaf } from "../../text/Plan.ts"
import { tokenise } from "../../text/Tokens.ts"

/** Fields whose two or three letters stand for a country, a language or a currency. */
const ASKS_CODE =
  /\b(?:countr(?:y|ies)|nations?|nationality|markets?|regions?|lang|languages?|locale|iso|currency|currencies)\b/iu

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

/** Whether some words name the country, the language or the currency that a code of ISO 3166-1, 639-1 or 4217 stands for. */
export const namesCode = (words: string, value: string, leaf: Leaf): boolean => {
  if (!ASKS_CODE.test(leaf.words)) return false
  if (/^[A-Z]{3}$/u.test(value)) {
    return tokenise(words).some(({ norm }) => Object.hasOwn(CURRENCIES, norm) && CURRENCIES[norm] === value) ||
      Object.entries(CURRENCIES).some(([sign, code]) => code === value && !/\p{L}/u.test(sign) && words.includes(sign))
  }
  const name = nameOf(value)
  if (name === undefined) return false
  const said = new Set(tokenise(words).map(({ norm }) => norm))
  return tokenise(name).every(({ norm }) => said.has(norm)) || (OTHERS[value]?.test(words) ?? false)
}

/** "Liv dot domingo, at, harbourpost dot example", as it is written. */
const writtenMail = (words: string): string =>
  words.toLowerCase().replaceAll(
    /[,;]?\s{1,3}(dot|at|underscore|dash|hyphen|minus)[,;]?\s{1,3}/gu,
    (_, sign: string) => sign === "dot" ? "." : sign === "at" ? "@" : sign === "underscore" ? "_" : "-"
  )

const isWordAround = (text: string, at: number, length: number): boolean =>
  /[\p{L}\d_@.-]/u.test(text[at - 1] ?? "") ||
  /^(?:[\p{L}\d_@-]|\.[\p{L}\d])/u.test(text.slice(at + length, at + length + 2))

/** Whether some words say an e-mail address, sign by sign. */
export const saysMail = (words: string, value: string): boolean => {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(value)) return false
  const [text, wanted] = [writtenMail(words), value.toLowerCase()]
  const at = text.indexOf(wanted)
  return at >= 0 && !isWordAround(text, at, wanted.length)
}

/** "R. Achterberg" of one line and "Rosamund" of another are one person's name. */
export const namesByInitial = (texts: ReadonlyArray<string>, value: string): boolean => {
  const [, first, last] = /^(\p{Lu}[\p{L}'’-]+) (\p{Lu}[\p{L}'’-]+)$/u.exec(value) ?? []
  if (first === undefined) return false
  const short = new RegExp(`(?<![\\p{L}.])${first[0]}\\.? ${last}(?![\\p{L}])`, "u")
  const given = new RegExp(`(?<![\\p{L}])${first}(?![\\p{L}])`, "u")
  return texts.some((text) => short.test(text)) && texts.some((text) => given.test(text))
}
