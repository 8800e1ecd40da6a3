import type { Unfilled } from "../../src/artifacts/Evidence.ts"
import { type JsonSchema, pointerTokens } from "../../src/schemas/json-schema/JsonSchema.ts"
import type { Reading } from "./candidates/Reading.ts"
import { type Plan, planOf } from "./text/Plan.ts"

/**
 * Pairs of a leaf and a candidate that a job may hold the extraction slot for, about a second of a processor; the largest
 * template makes 20,000 of ten minutes of speech. They are counted and never timed: one input is cut at one leaf everywhere.
 */
const MOST_PAIRS = 100_000

/** Leaves that are looked for however much is said. */
const LEAST_LEAVES = 300

/** As much of a schema as a job may have looked for in a source that says so much, in the order of its properties. */
export const planWithin = (schema: JsonSchema, { candidates }: Reading): Plan =>
  planOf(schema, Math.max(LEAST_LEAVES, Math.floor(MOST_PAIRS / Math.max(1, candidates.length))))

/** Templates of which a leaf is beyond the plan, without those of whole lists: their other leaves were looked for. */
const partly = (beyond: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    Array.from(beyond).filter((template) => !template.includes("/*")).flatMap((template) => {
      const parts = template.split("/")
      return parts.slice(1, -1).map((_, at) => parts.slice(0, at + 2).join("/"))
    })
  )

const prefixes = (tokens: ReadonlyArray<string>) => tokens.map((_, at) => `/${tokens.slice(0, at + 1).join("/")}`)

/** The same leaves, those that nobody looked for with the reason `budget`. */
export const toldByBudget = (unfilled: ReadonlyArray<Unfilled>, { beyond }: Plan): ReadonlyArray<Unfilled> => {
  if (beyond.size === 0) return unfilled
  const above = partly(beyond)
  const isBeyond = (pointer: string): boolean => {
    const parts = pointer.split("/")
    const indexed = pointerTokens(pointer).map((token, at) => /^\d+$/u.test(token) ? "*" : parts[at + 1]!)
    return above.has(pointer) || [...prefixes(parts.slice(1)), ...prefixes(indexed)].some((one) => beyond.has(one))
  }
  return unfilled.map(({ pointer, reason }) =>
    (reason === "not_found" || reason === "placeholder") && isBeyond(pointer)
      ? { pointer, reason: "budget" }
      : { pointer, reason }
  )
}
