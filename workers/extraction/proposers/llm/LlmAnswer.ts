import type { Schema } from "effect"

/** One statement of a model about one field, as it came: types are right, nothing else is known of it. */
export interface WireProposal {
  readonly path: string
  /** What tells the entries of a list apart, or the key of a map. */
  readonly item: string | null
  readonly value: Schema.Json
  readonly quote: string
  /** Numbers of the lines that it cites. */
  readonly refs: ReadonlyArray<number>
}

/** More is no answer. */
const MOST_PROPOSALS = 500

const nullable = (type: string) => ({ type: [type, "null"] })

/**
 * The one shape that a model answers in, whatever the caller's schema is. It keeps to what strict modes take: every member
 * required, none besides, types and enumerations alone.
 */
export const wireSchema = (paths: ReadonlyArray<string>): object => ({
  type: "object",
  additionalProperties: false,
  required: ["proposals"],
  properties: {
    proposals: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["path", "item", "value", "quote", "refs"],
        properties: {
          path: { type: "string", enum: paths },
          item: nullable("string"),
          value: { type: ["string", "number", "boolean", "null"] },
          quote: { type: "string" },
          refs: { type: "array", items: { type: "integer" } }
        }
      }
    }
  }
})

/** The outermost JSON value of a text that may stand in a code fence or between sentences. */
const jsonIn = (text: string): unknown => {
  const starts = ["{", "["].map((mark) => text.indexOf(mark)).filter((at) => at >= 0)
  const from = Math.min(...starts)
  const to = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"))
  if (!Number.isFinite(from) || to < from) return undefined
  try {
    return JSON.parse(text.slice(from, to + 1))
  } catch {
    return undefined
  }
}

const keyed = (item: unknown): string | null =>
  typeof item === "string" && item !== "" ? item : typeof item === "number" ? String(item) : null

/** A pointer as models write them, `/actions/2/owner`, as the template of its list and the entry 2. */
const templated = (path: string, item: string | null, paths: ReadonlySet<string>) => {
  if (paths.has(path)) return { path, item }
  const index = /\/(\d+)(?=\/|$)/u.exec(path)
  if (index === null) return { path, item }
  const template = `${path.slice(0, index.index)}/*${path.slice(index.index + index[0].length)}`
  return paths.has(template) ? { path: template, item: item ?? index[1]! } : { path, item }
}

/**
 * Reads a model's answer, which may be anything: the well-formed proposals in it, without those that say nothing (null),
 * or undefined where there is no answer in the shape that was asked for.
 */
export const readAnswer = (text: string, asked: ReadonlyArray<string>): ReadonlyArray<WireProposal> | undefined => {
  const parsed = jsonIn(text)
  const list = Array.isArray(parsed) ? parsed : (parsed as { readonly proposals?: unknown } | undefined)?.proposals
  if (!Array.isArray(list)) return undefined
  const paths = new Set(asked)
  return list.slice(0, MOST_PROPOSALS).flatMap((one): ReadonlyArray<WireProposal> => {
    const { item, path, quote, refs, value } = (one ?? {}) as Readonly<Record<string, unknown>>
    if (typeof path !== "string" || value === null || value === undefined) return []
    return [{
      ...templated(path, keyed(item), paths),
      value: value as Schema.Json,
      quote: typeof quote === "string" ? quote : "",
      refs: Array.isArray(refs) ? refs.map(Number).filter((ref) => Number.isSafeInteger(ref)) : []
    }]
  })
}
