import type { FrameDescription } from "../../../src/artifacts/Vision.ts"
import type { JobSpec } from "../../../src/jobs/model/JobSpec.ts"

/** So that neither a large schema nor a wall of text slows the search or drowns the words themselves. */
const MOST_TERMS = 300
const MOST_WORDS_A_TERM = 12
/** Slides are talked about while they are shown, before as an outlook and after as what was seen. */
const NEAR_SECONDS = 120

/**
 * What the caller lets us expect, most certain first: vocabulary and participants as they are to be spelt, and what the schema names.
 */
export const expectedTerms = ({ hints, json_schema }: Pick<JobSpec, "hints" | "json_schema">): Array<string> => [
  ...(hints.vocabulary ?? []),
  ...(hints.participants ?? []),
  ...schemaTerms(json_schema)
]

const values = new Set(["const", "enum", "examples", "default"])
const names = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])

/**
 * Words that a schema names: strings that it allows or gives as examples, its titles, and its property names taken apart
 * at underscores and capitals. Each once, in the order of the schema, `MOST_TERMS` at most.
 */
export const schemaTerms = (schema: unknown): Array<string> => {
  const found = new Set<string>()
  const add = (text: string) => {
    const apart = text.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[_\-.]+/gu, " ")
    for (const term of phrases(apart)) if (found.size < MOST_TERMS && /\p{L}{3}/u.test(term)) found.add(term)
  }
  /** Strings anywhere inside of a value. */
  const takeStrings = (value: unknown): void => {
    if (typeof value === "string") add(value)
    else if (typeof value === "object" && value !== null) {
      for (const inner of Object.values(value)) {
        takeStrings(inner)
      }
    }
  }
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (values.has(key)) takeStrings(value)
      else if (key === "title" && typeof value === "string") add(value)
      else if (names.has(key) && typeof value === "object" && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          // A pattern is no name, and a definition's is not said.
          if (key === "properties") add(name)
          walk(inner)
        }
      } else walk(value)
    }
  }
  walk(schema)
  return [...found]
}

/**
 * A heading in capitals says nothing about a sentence, nor does the capital with which a line of several words begins.
 */
const inSentence = (phrase: string): string =>
  phrase === phrase.toUpperCase() || /^\p{Lu}[^\p{Lu}]* [^\p{Lu}]*$/u.test(phrase) ? phrase.toLowerCase() : phrase

/** Runs of words without digits or signs between them, short enough to be said in one breath, as a sentence has them. */
const phrases = (text: string): Array<string> =>
  text
    .replaceAll("’", "'")
    .split(/[^\p{L}' -]+/u)
    .map((part) => part.replaceAll("-", " ").trim().split(/\s+/u).slice(0, MOST_WORDS_A_TERM).join(" "))
    .filter((part) => /\p{L}{2}/u.test(part))
    .map(inSentence)

/**
 * What can be read on the screen while a stretch of speech is said, or up to two minutes before or after: each phrase
 * once as a sentence has it, those shown nearest in time first, `MOST_TERMS` at most. Descriptions are in time order; each is shown until the
 * next.
 */
export const screenTerms = (
  descriptions: ReadonlyArray<Pick<FrameDescription, "timestamp" | "text">>,
  t_start: number,
  t_end: number
): Array<string> => {
  const near = descriptions
    .map(({ text, timestamp }, i) => {
      const until = descriptions[i + 1]?.timestamp ?? Infinity
      return { text, apart: Math.max(0, timestamp - t_end, t_start - until) }
    })
    .filter(({ apart }) => apart <= NEAR_SECONDS)
    .toSorted((a, b) => a.apart - b.apart)
  const found = new Map<string, string>()
  for (const { text } of near) {
    for (const line of text) {
      for (const phrase of phrases(line.text)) {
        if (found.size === MOST_TERMS) return [...found.values()]
        const lower = phrase.toLowerCase()
        if (!found.has(lower)) found.set(lower, phrase)
      }
    }
  }
  return [...found.values()]
}
