import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import type { Reading } from "./candidates/Reading.ts"
import { templateOf } from "./text/InstanceLeaves.ts"
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

/** Whether nobody looked for a leaf because a job's work is bounded. */
export const beyondPlan = ({ beyond }: Plan): (pointer: string) => boolean => {
  if (beyond.size === 0) return () => false
  const above = partly(beyond)
  return (pointer) =>
    above.has(pointer) ||
    [pointer, templateOf(pointer)].some((one) => prefixes(one.split("/").slice(1)).some((part) => beyond.has(part)))
}
