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
const OPEN_THOUGHT = /^[\s\S]*<\/(?:think|thinking|thought|reasoning|scratchpad)>/iu

/** Where the JSON value that begins at a place ends; -1 where it does not, as where an answer was cut off. */
const endOf = (text: string, from: number): number => {
  let [depth, quoted] = [0, false]
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (quoted) {
      if (sign === "\\") at++
      else if (sign === "\"") quoted = false
    } else if (sign === "\"") quoted = true
    else if (sign === "{" || sign === "[") depth++
    else if ((sign === "}" || sign === "]") && --depth === 0) return at + 1
  }
  return -1
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An answer that is no JSON may have as many beginnings of one. */
const MOST_STARTS = 200

const listIn = (value: unknown, member: string): ReadonlyArray<unknown> | undefined => {
  const list = Array.isArray(value) ? value : (value as Readonly<Record<string, unknown>> | null | undefined)?.[member]
  if (!Array.isArray(list)) return undefined
  return list.every((one) => typeof one === "object" && one !== null) ? list : undefined
}

/** Each tag is looked at once: searched for its end from each of 40,000 that nothing closes, 280 KB took 8.6 s. */
const withoutThoughts = (said: string): string => {
  const tags = Array.from(said.matchAll(TAG), ({ 0: tag, 1: slash, 2: name, index }) => ({
    name: name!.toLowerCase(),
    closes: slash !== "",
    from: index,
    to: index + tag.length
  }))
  const closing = Map.groupBy(tags.filter(({ closes }) => closes), ({ name }) => name)
  for (const ends of closing.values()) ends.reverse()
  let [out, at] = ["", 0]
  for (const { closes, from, name, to } of tags) {
    if (closes || from < at) continue
    const ends = closing.get(name) ?? []
    while ((ends.at(-1)?.from ?? to) < to) ends.pop()
    const end = ends.at(-1)
    if (end === undefined) continue
    out += `${said.slice(at, from)} `
    at = end.to
  }
  return out + said.slice(at)
}

const spokenIn = (said: string): string => withoutThoughts(said).replace(OPEN_THOUGHT, " ")

/** The whole list of objects in a text, by itself or as a member of an object: of several the longest, then the last. */
const wholeList = (text: string, member: string): ReadonlyArray<unknown> | undefined => {
  let best: ReadonlyArray<unknown> | undefined
  let starts = 0
  for (let at = 0; at < text.length && starts < MOST_STARTS; at++) {
    if (text[at] !== "{" && text[at] !== "[") continue
    starts++
    const end = endOf(text, at)
    const list = end < 0 ? undefined : listIn(parsed(text.slice(at, end)), member)
    if (list === undefined) continue
    if (best === undefined || list.length >= best.length) best = list
    at = end - 1
  }
  return best
}

/** Objects of the list that an answer gives under a name; none where it gives no such list. */
export const jsonObjectsIn = (said: string, member: string): ReadonlyArray<unknown> =>
  wholeList(spokenIn(said), member) ?? []

/**
 * The list of proposals of a text that may think aloud, stand in a code fence or between sentences. Of one that was cut off,
 * `whole` being false, the objects that are complete.
 */
const proposalsIn = (said: string): { readonly list: ReadonlyArray<unknown>; readonly whole: boolean } | undefined => {
  const text = spokenIn(said)
  const best = wholeList(text, "proposals")
  if (best !== undefined && best.length > 0) return { list: best, whole: true }
  const begun = /"proposals"\s*:\s*\[/u.exec(text)
  if (begun === null || endOf(text, text.lastIndexOf("{", begun.index)) >= 0) return best && { list: best, whole: true }
  const list: Array<unknown> = []
  for (let at = begun.index + begun[0].length; at < text.length; at++) {
    if (text[at] !== "{") continue
    const end = endOf(text, at)
    const one = end < 0 ? undefined : parsed(text.slice(at, end))
    if (one === undefined) break
    list.push(one)
    at = end - 1
  }
  return { list, whole: false }
}

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

/** A pointer as models write them, `/actions/2/owner`, as the template of its list and the entry 2. */
const templated = (path: string, item: string | null, paths: ReadonlySet<string>) => {
  if (paths.has(path)) return { path, item }
  const entries: Array<string> = []
  const template = path.replaceAll(/\/(\d+)(?=\/|$)/gu, (_, index: string) => {
    entries.push(index)
    return "/*"
  })
  return paths.has(template) ? { path: template, item: item ?? entries.join("/") } : { path, item }
}

export interface ReadAnswer {
  readonly proposals: ReadonlyArray<WireProposal>
  /** False where it was cut off: these are the proposals before the cut. */
  readonly whole: boolean
}

/**
 * Reads a model's answer, which may be anything: the well-formed proposals in it, without those that say nothing (null),
 * or undefined where there is no answer in the shape that was asked for.
 */
export const readAnswer = (text: string, asked: ReadonlyArray<string>): ReadAnswer | undefined => {
  const said = proposalsIn(text)
  if (said === undefined) return undefined
  const paths = new Set(asked)
  const proposals = said.list.slice(0, MOST_PROPOSALS).flatMap((one): ReadonlyArray<WireProposal> => {
    const { formula, item, path, quote, refs, value } = one as Readonly<Record<string, unknown>>
    if (typeof path !== "string" || value === null || value === undefined) return []
    return [{
      ...templated(path, keyed(typeof item === "string" ? writable(item) : item), paths),
      value: typeof value === "string" ? writable(value) : value as Schema.Json,
      quote: writable(
        typeof quote === "string" ? quote : Array.isArray(quote) ? quote.flatMap(plainly).join("\n") : ""
      ),
      refs: (Array.isArray(refs) ? refs : [refs]).flatMap(plainly).map(Number).filter((ref) =>
        Number.isSafeInteger(ref)
      ),
      ...(typeof formula === "string" && formula !== "" ? { formula } : {})
    }]
  })
  return { proposals, whole: said.whole }
}
