import { RE2JS } from "re2js"
import { PatternUnsupported, translate, type Translated } from "./EcmaPattern.ts"

export interface LinearPattern {
  readonly test: (text: string) => boolean
}

/** Patterns kept; a schema has at most some 3,000. */
const most = 4096

const kept = <A>(work: (source: string) => A) => {
  const cache = new Map<string, A>()
  return (source: string): A => {
    const known = cache.get(source)
    if (known !== undefined) return known
    const made = work(source)
    if (cache.size >= most) cache.clear()
    cache.set(source, made)
    return made
  }
}

/** A pattern in RE2's words with what compiling it costs, which nobody has done yet. Throws as `linearPattern` does. */
export const translated: (source: string) => Translated = kept(translate)

/**
 * Compiles a JSON Schema pattern (ECMA-262, unanchored) to RE2, which matches in time linear in the text, whatever the
 * pattern: `^(a+)+$` costs 1 ms where a backtracking engine takes minutes. Throws `PatternUnsupported` for look-around, back
 * references, over 1,000 repeats and for what is no regular expression.
 */
export const linearPattern: (source: string) => LinearPattern = kept((source) => {
  const { re2 } = translated(source)
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(re2)
  } catch {
    throw new PatternUnsupported("repeats too often to run in linear time")
  }
  return { test: (text: string) => compiled.matcher(text).find() }
})
