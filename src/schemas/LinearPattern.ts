import { RE2JS } from "re2js"
import { PatternUnsupported, toRe2 } from "./EcmaPattern.ts"

export interface LinearPattern {
  readonly test: (text: string) => boolean
}

const cache = new Map<string, LinearPattern>()

/**
 * Compiles a JSON Schema pattern (ECMA-262, unanchored) to RE2, which matches in time linear in the text, whatever the
 * pattern: `^(a+)+$` costs 1 ms where a backtracking engine takes minutes. Throws `PatternUnsupported` for look-around, back
 * references, over 1,000 repeats and for what is no regular expression.
 */
export const linearPattern = (source: string): LinearPattern => {
  const known = cache.get(source)
  if (known !== undefined) return known
  const translated = toRe2(source)
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(translated)
  } catch {
    throw new PatternUnsupported("repeats too often to run in linear time")
  }
  const pattern = { test: (text: string) => compiled.matcher(text).find() }
  if (cache.size >= 2048) cache.clear()
  cache.set(source, pattern)
  return pattern
}
