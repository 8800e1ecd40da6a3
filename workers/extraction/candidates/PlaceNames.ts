import { subjectsOf } from "../lexicon/KnownValues.ts"

/** Countries and territories as CLDR names them. */
const COUNTRIES: ReadonlySet<string> = (() => {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  return new Set(letters.flatMap((one) => letters.flatMap((two) => names.of(one + two) ?? [])))
})()

/** Whether a text is the name of a country, a territory or a city that is known by itself. Pure. */
export const isPlaceName = (text: string): boolean => COUNTRIES.has(text) || subjectsOf(text).includes("city")
