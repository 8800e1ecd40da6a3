import { type ListedObjects, listedObjects, type ListShape, listStretches } from "./JsonInText.ts"

/** One statement of a model about one field, as it came: types are right, nothing else is known of it. */
export interface WireProposal {
  readonly path: string
  /** What tells the entries of a list apart, or the key of a map. */
  readonly item: string | null
  readonly value: string | number | boolean
  readonly quote: string
  /** Numbers of the lines that it cites. */
  readonly refs: ReadonlyArray<number>
  /** How it was worked out from numbers of these lines, as `31.4 - 30`. */
  readonly formula?: string
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
        required: ["path", "item", "value", "quote", "refs", "formula"],
        properties: {
          path: { type: "string", enum: paths },
          item: nullable("string"),
          value: { type: ["string", "number", "boolean", "null"] },
          quote: { type: "string" },
          refs: { type: "array", items: { type: "integer" } },
          formula: nullable("string")
        }
      }
    }
  }
})

/** What a model thinks aloud is no answer, closed or cut off. */
const TAG = /<(\/?)(think|thinking|thought|reasoning|scratchpad)>/giu

/**
 * A text without what is thought aloud in it: between two tags, or before one that closes what was never opened. Each tag is looked
 * at once: searched for its end from each of 40,000 that nothing closes, 280 KB took 8.6 s. What quotes a tag is no thought.
 */
const withoutThoughts = (said: string, shape: ListShape): string => {
  const all = Array.from(said.matchAll(TAG), ({ 0: tag, 1: slash, 2: name, index }) => ({
    name: name!.toLowerCase(),
    closes: slash !== "",
    from: index,
    to: index + tag.length
  }))
  if (all.length === 0) return said
  const quoting = listStretches(said, shape)
  let next = 0
  const tags = all.filter((tag) => {
    while (next < quoting.length && quoting[next]!.to <= tag.from) next++
    return next === quoting.length || tag.from < quoting[next]!.from
  })
  const closing = Map.groupBy(tags.filter(({ closes }) => closes), ({ name }) => name)
  for (const ends of closing.values()) ends.reverse()
  let [out, at] = ["", 0]
  for (const { closes, from, name, to } of tags) {
    if (from < at) continue
    if (closes) {
      ;[out, at] = [" ", to]
      continue
    }
    const ends = closing.get(name) ?? []
    while ((ends.at(-1)?.from ?? to) < to) ends.pop()
    const end = ends.at(-1)
    if (end === undefined) continue
    out += `${said.slice(at, from)} `
    at = end.to
  }
  return out + said.slice(at)
}

const objectsIn = (said: string, shape: ListShape): ListedObjects | undefined =>
  listedObjects(withoutThoughts(said, shape), shape)

/** Verdicts of a judge's answer, as they came; none where it gives none. */
export const verdictObjectsIn = (said: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  objectsIn(said, { list: "verdicts", key: "claim" })?.objects ?? []

/** Halves of characters, control characters, and marks that hide or turn what stands after them: no database takes the first two. */
const UNWRITABLE = /\p{Cs}|(?![\n\t])\p{Cc}|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** A text of a model's as it may stand in a result. */
const writable = (text: string): string => text.replaceAll(UNWRITABLE, "")

/** Text of a text or number, and of nothing else: `String` of an array 20,000 deep is a stack overflow. */
const plainly = (one: unknown): ReadonlyArray<string> =>
  typeof one === "string" || typeof one === "number" ? [String(one)] : []

const keyed = (item: unknown): string | null =>
  typeof item === "string" && item !== ""
    ? item
    : typeof item === "number"
    ? String(item)
    : Array.isArray(item) && item.length > 0
    ? item.flatMap(plainly).join("/")
    : null

/** A pointer as models write them: `price`, `$.price`, and `/actions/2/owner`, the template of its list with the entry 2. */
const templated = (path: string, item: string | null, paths: ReadonlySet<string>) => {
  if (paths.has(path)) return { path, item }
  const pointer = /^[/$]/u.test(path) || path.includes("/") ? path : path.replaceAll(".", "/")
  const rooted = pointer.startsWith("$")
    ? pointer.slice(1).replaceAll(/\[(\d+|\*)\]/gu, ".$1").replaceAll(".", "/")
    : pointer.startsWith("/")
    ? pointer
    : `/${pointer}`
  if (paths.has(rooted)) return { path: rooted, item }
  const entries: Array<string> = []
  const template = rooted.replaceAll(/\/(\d+)(?=\/|$)/gu, (_, index: string) => {
    entries.push(index)
    return "/*"
  })
  return paths.has(template) ? { path: template, item: item ?? entries.join("/") } : { path, item }
}

/** The values that a result has in its leaves: `String` of anything else may throw, or never end. */
const isScalar = (value: unknown): value is WireProposal["value"] =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)

/** A number of a line: the empty text would be line 0. */
const lineNumbers = (refs: unknown): ReadonlyArray<number> =>
  [refs].flat().flatMap(plainly).filter((ref) => /^\d+$/u.test(ref)).map(Number).filter(Number.isSafeInteger)

export interface ReadAnswer {
  readonly proposals: ReadonlyArray<WireProposal>
  /** False where it was cut off or is no JSON as a whole: these are the proposals that can be read. */
  readonly whole: boolean
}

/**
 * Reads a model's answer, which may be anything: the well-formed proposals in it, without those that say nothing (null),
 * or undefined where there is no answer in the shape that was asked for, as where it speaks of no field that was.
 */
export const readAnswer = (text: string, asked: ReadonlyArray<string>): ReadAnswer | undefined => {
  const said = objectsIn(text, { list: "proposals", key: "path" })
  if (said === undefined) return undefined
  const paths = new Set(asked)
  let known = said.objects.length === 0
  const proposals = said.objects.slice(0, MOST_PROPOSALS).flatMap((one): ReadonlyArray<WireProposal> => {
    const { formula, item, path, quote, refs, value } = one
    if (typeof path !== "string") return []
    const place = templated(path, keyed(typeof item === "string" ? writable(item) : item), paths)
    known ||= paths.has(place.path)
    if (!isScalar(value)) return []
    return [{
      ...place,
      value: typeof value === "string" ? writable(value) : value,
      quote: writable(
        typeof quote === "string" ? quote : Array.isArray(quote) ? quote.flatMap(plainly).join("\n") : ""
      ),
      refs: lineNumbers(refs),
      ...(typeof formula === "string" && formula !== "" ? { formula: writable(formula) } : {})
    }]
  })
  return known ? { proposals, whole: said.whole } : undefined
}
