import { sameJson, tokensOf } from "./Json.ts"
import { givenBySchema, isLabel } from "./Leaves.ts"
import { nodesAt } from "./SchemaPlaces.ts"

type Node = Readonly<Record<string, any>>

/** Values of the formats that have no empty one. */
const days = ["1970-01-01", "2000-01-01", "2020-01-01", "2026-12-31"]
const neutral = new Set([
  ...days,
  ...days.map((day) => `${day}T00:00:00Z`),
  ..."00:00:00Z PT0S a@b.co a.co 0.0.0.0 :: about:blank https://a.co https://a.co/ 00000000-0000-0000-0000-000000000000 #000000 1.0.0 v1 00:00 null bnVsbA=="
    .split(" ")
])

const isOrdinal = (count: number, index: number): boolean => Number.isInteger(count) && count >= 0 && count <= index

/** Whether a text says nothing: the neutral one of a format, or the first characters of each kind and those of the pattern. */
const saysNothing = (text: string, patterns: string): boolean =>
  neutral.has(text) || Array.from(text).every((char) => "aA01-_ é./@".includes(char) || patterns.includes(char))

const counts = (text: string): ReadonlyArray<number> => Array.from(text.matchAll(/\d+/gu), ([digits]) => Number(digits))

/** In a list whose entries have to differ the later ones are counted on. */
const variesByCount = (text: string, nodes: ReadonlyArray<Node>, index: number): boolean => {
  const shape = text.replaceAll(/\d+/gu, "#")
  const own = nodes.flatMap(({ const: only, default: given }) => [only, given]).filter((one) => typeof one === "string")
  return [...neutral, ...own].some((one) => {
    const [said, wanted] = [counts(text), counts(one)]
    const counted = one.replaceAll(/\d+/gu, "#") === shape &&
      isOrdinal(said.reduce((sum, count, at) => sum + Math.abs(count - wanted[at]!), 0), index)
    if (counted) return true
    const count = /^\d*/u.exec(text)![0]
    const begins = Array.from(count, (_, at) => count.slice(0, at + 1)).some((digits) =>
      isOrdinal(Number(digits), index) && text === digits + one.slice(digits.length)
    )
    return begins || (text.startsWith(one) && isOrdinal(Number(text.slice(one.length)), index))
  })
}

const textHolds = (text: string, nodes: ReadonlyArray<Node>, index: number): boolean => {
  const patterns = nodes.map((node) => typeof node["pattern"] === "string" ? node["pattern"] : "").join(" ")
  // Of a text that only has to be long enough, one character is repeated.
  let end = text.length
  while (end > 1 && text[end - 2] === text.at(-1)) end--
  const own = text.slice(0, end)
  const bare = index === 0
    ? own
    : own.replace(/^\d{1,6}|\d{1,6}$/u, (digits) => isOrdinal(Number(digits), index) ? "" : digits)
  return [text, own, bare].some((one) => saysNothing(one, patterns)) || (index > 0 && variesByCount(text, nodes, index))
}

/** Numbers near the bounds that a schema sets. */
const numberHolds = (number: number, nodes: ReadonlyArray<Node>, index: number): boolean => {
  const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "default"].flatMap((
    keyword
  ) => nodes.flatMap((node) => typeof node[keyword] === "number" ? [node[keyword] as number] : []))
  const steps = nodes.flatMap((node) => typeof node["multipleOf"] === "number" ? [node["multipleOf"] as number] : [1])
  const reach = Math.max(1, ...steps) + index
  const between = bounds.flatMap((a) => bounds.map((b) => (a + b) / 2))
  return [0, 1, ...bounds, ...between].some((near) => Math.abs(near - number) <= reach)
}

/**
 * Whether a value that is told as unfilled claims nothing: it is null, the schema's own, or as small as the schema lets it be.
 * `fits` says whether the result would fit its schema with another value in this place.
 */
export const claimsNothing = (
  value: unknown,
  pointer: string,
  { fits, result, schema }: {
    readonly schema: unknown
    readonly result: unknown
    readonly fits: (other: unknown) => boolean
  }
): boolean => {
  if (value === null) return true
  if (givenBySchema(schema, pointer, value, result)) return true
  const nodes = nodesAt(schema, pointer, result)
  if (nodes.some((node) => node["type"] === "null" || (Array.isArray(node["type"]) && node["type"].includes("null")))) {
    if (fits(null)) return false
  }
  for (const { enum: labels } of nodes) {
    const at = Array.isArray(labels) ? labels.findIndex((label) => sameJson(label, value)) : -1
    if (at >= 0) return !labels.slice(0, Math.min(at, 200)).some(fits)
  }
  // Part of a whole object that the schema lets choose.
  if (isLabel(schema, pointer, value, result)) return true
  const index = Math.max(0, ...tokensOf(pointer).filter((token) => /^\d{1,6}$/u.test(token)).map(Number))
  // In a list whose entries have to differ the schema's own value is taken once, and the next is counted on from it.
  const taken = index > 0 && nodes.some((node) => Object.hasOwn(node, "default") && !fits(node["default"]))
  if (typeof value === "boolean") return !value || !fits(false)
  if (typeof value === "number") return value === 0 || (numberHolds(value, nodes, index) && (taken || !fits(0)))
  return value === "" || (textHolds(String(value), nodes, index) && (taken || !fits("")))
}
