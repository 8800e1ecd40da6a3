import type { Leaf } from "../text/Plan.ts"
import type { Span } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"

/** A field's words as they would be spoken, as stems: of its own name, and with their weights of all that is said about it. */
export interface FieldWords {
  readonly name: ReadonlySet<string>
  readonly all: ReadonlyMap<string, number>
}

export const fieldWords = (leaf: Leaf): FieldWords => ({
  name: new Set(identifierWords(leaf.name).filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(stem)),
  all: leaf.terms
})

export const stemsIn = (text: string): ReadonlySet<string> => new Set(tokenise(text).map(({ norm }) => stem(norm)))

/** The part of a field's own words that a text has, from 0 to 1. */
export const namedIn = ({ name }: FieldWords, stems: ReadonlySet<string>): number => {
  let hits = 0
  for (const word of name) if (stems.has(word)) hits++
  return name.size === 0 ? 0 : hits / name.size
}

/** How much of what is said about a field a text has: more words count for more, the field's length for less. */
export const describedIn = ({ all }: FieldWords, stems: ReadonlySet<string>): number => {
  let [hits, whole] = [0, 0]
  for (const [word, weight] of all) {
    whole += weight
    if (stems.has(word)) hits += weight
  }
  return whole === 0 ? 0 : hits / Math.sqrt(whole)
}

const farthest = 20

/** How near the closest of a field's own words stands to a value, from 1 for beside it down to 0.13. */
export const nearnessOf = ({ name }: FieldWords, { from, passage: { tokens }, to }: Span): number => {
  const first = tokens.findIndex((token) => token.to > from)
  let nearest = farthest
  tokens.forEach((token, at) => {
    if (token.from < to && token.to > from) return
    if (name.has(stem(token.norm))) nearest = Math.min(nearest, Math.abs(at - first))
  })
  return 1 / (1 + nearest / 3)
}

/** The words of the objects and lists that a field is in. */
export const parentWords = (template: string): ReadonlyArray<string> =>
  template.split("/").slice(1, -1).filter((part) => part !== "*").flatMap(identifierWords).map(stem)
