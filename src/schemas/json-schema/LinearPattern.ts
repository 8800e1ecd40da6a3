import { RE2JS } from "re2js"
import { PatternUnsupported, translate, type Translated } from "./EcmaPattern.ts"

export interface LinearPattern {
  readonly test: (text: string) => boolean
}

/**
 * What is kept of patterns: a schema has some 3,000 at most, of 60,000 steps together. By their size, not only their number: 42,000 steps
 * hold 6 MB compiled, and 27 schemas with one such pattern each filled a thread of 192 MB.
 */
const most = { patterns: 4096, size: 300_000 } as const

const kept = <A>(work: (source: string) => A, sizeOf: (source: string) => number) => {
  const cache = new Map<string, A>()
  let size = 0
  return (source: string): A => {
    const known = cache.get(source)
    if (known !== undefined) return known
    const made = work(source)
    cache.set(source, made)
    size += sizeOf(source)
    // The oldest first: a schema asks for its own again and again, and finds what was dropped by making it anew.
    for (const oldest of cache.keys()) {
      if (oldest === source || (cache.size <= most.patterns && size <= most.size)) break
      cache.delete(oldest)
      size -= sizeOf(oldest)
    }
    return made
  }
}

/** A pattern in RE2's words with what compiling it costs, which nobody has done yet. Throws as `linearPattern` does. */
export const translated: (source: string) => Translated = kept(translate, (source) => source.length)

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
}, (source) => translated(source).steps)
