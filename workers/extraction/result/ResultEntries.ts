import { pointerTo, pointerTokens } from "../../../src/schemas/json-schema/JsonSchema.ts"
import type { Span } from "../text/SourceDocument.ts"

/** The tokens of a JSON pointer into a value: places in lists as numbers, names of properties as text, whatever they look like. */
export type Path = ReadonlyArray<string | number>

/** The path of a pointer (RFC 6901) into a value. */
export const pathIn = (root: unknown, pointer: string): Path => {
  let at: unknown = root
  return pointerTokens(pointer).map((token) => {
    const place = Array.isArray(at) ? Number(token) : token
    at = typeof at === "object" && at !== null ? (at as Readonly<Record<string | number, unknown>>)[place] : undefined
    return place
  })
}

/** A value of the result with what it stands on, and what its field asks for, where it asks for a name. */
export interface CitedValue {
  readonly path: Path
  readonly value: unknown
  readonly span: Span
  readonly seeks: string | null
}

/** An entry of the result: the innermost place in a list that its values share, or one value's own field. */
export interface ResultEntry {
  readonly path: Path
  readonly values: ReadonlyArray<CitedValue>
}

const pointerOf = (path: Path): string => path.reduce<string>(pointerTo, "")

const entryOf = (path: Path): Path => {
  const place = path.findLastIndex((token) => typeof token === "number")
  return place < 0 ? path : path.slice(0, place + 1)
}

/** The entries of a result by their pointers, in the order of their first values. */
export const entriesOf = (cited: ReadonlyArray<CitedValue>): ReadonlyMap<string, ResultEntry> => {
  const groups = Map.groupBy(cited, ({ path }) => pointerOf(entryOf(path)))
  return new Map(Array.from(groups, ([pointer, values]) => [pointer, { path: entryOf(values[0]!.path), values }]))
}

/** The pointer of the entry that an entry of an inner list is part of; its own where it is in none. */
export const outerEntry = ({ path }: ResultEntry): string =>
  pointerOf(entryOf(typeof path.at(-1) === "number" ? path.slice(0, -1) : path))

/** What the field or the list of an entry is called. */
export const fieldOf = ({ path }: ResultEntry): string =>
  path.findLast((token) => typeof token === "string" && token !== "")?.toString() ?? ""

/** Equal for an entry wherever it stands: by what its list is called and what it holds. */
export const resultKey = ({ path, values }: ResultEntry): string =>
  `result|${pointerOf(path.map((token) => typeof token === "number" ? "*" : token))}|${
    JSON.stringify(values.map(({ path: whole, value }) => [pointerOf(whole.slice(path.length)), value]))
  }`

/** The first text of an entry, or its first value. */
export const labelOf = ({ values }: ResultEntry): string =>
  String((values.find(({ value }) => typeof value === "string") ?? values[0]!).value)
