import { RE2JS } from "re2js"

/** A pattern that RE2 cannot run (look-around, back references, over 1,000 repeats) or that is no regular expression. */
export class PatternUnsupported extends Error {}

export interface LinearPattern {
  readonly test: (text: string) => boolean
}

const categories: Readonly<Record<string, string>> = {
  Letter: "L",
  Lowercase_Letter: "Ll",
  Uppercase_Letter: "Lu",
  Titlecase_Letter: "Lt",
  Mark: "M",
  Number: "N",
  Decimal_Number: "Nd",
  Punctuation: "P",
  Symbol: "S",
  Currency_Symbol: "Sc",
  Separator: "Z",
  Space_Separator: "Zs",
  Control: "Cc"
}

const propertyName = /(\\[pP]\{)(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=)?([A-Za-z_]+)\}/gu

const compiles = (source: string, flags: string): boolean => {
  try {
    return Boolean(new RegExp(source, flags))
  } catch {
    return false
  }
}

const cache = new Map<string, LinearPattern>()

/**
 * Compiles a JSON Schema pattern (ECMA-262, unanchored) to RE2, which matches in time linear in the text, whatever the
 * pattern: `^(a+)+$` costs 1 ms where a backtracking engine takes minutes. Throws `PatternUnsupported` otherwise.
 */
export const linearPattern = (source: string): LinearPattern => {
  const known = cache.get(source)
  if (known !== undefined) return known
  if (!compiles(source, "u") && !compiles(source, "")) throw new PatternUnsupported("is not a regular expression")
  if (/\\k</u.test(source)) throw new PatternUnsupported("uses a back reference, which cannot run in linear time")
  let compiled: RE2JS
  try {
    const portable = source.replaceAll(
      propertyName,
      (_, open: string, name: string) => `${open}${categories[name] ?? name}}`
    )
    compiled = RE2JS.compile(RE2JS.translateRegExp(portable))
  } catch (error) {
    throw new PatternUnsupported(`cannot run in linear time (${(error as Error).message})`)
  }
  const pattern = { test: (text: string) => compiled.matcher(text).find() }
  if (cache.size >= 2048) cache.clear()
  cache.set(source, pattern)
  return pattern
}
