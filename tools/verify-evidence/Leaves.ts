import { sameJson, tokensOf } from "./Json.ts"
import { nodesAt } from "./SchemaPlaces.ts"

/** All that a schema says in words about the place of a pointer: names on the way, titles, descriptions, labels. */
export const wordsAbout = (schema: unknown, pointer: string, result?: unknown): ReadonlyArray<string> => {
  const tokens = tokensOf(pointer)
  const above = pointer.split("/").map((_, depth, all) => all.slice(0, depth + 1).join("/"))
  const texts = above.flatMap((place) => nodesAt(schema, place, result)).flatMap((node) =>
    [node["title"], node["description"], ...(Array.isArray(node["enum"]) ? node["enum"] : [])]
      .filter((text) => typeof text === "string")
  )
  return [...tokens.filter((token) => !/^\d+$/u.test(token)), ...texts]
}

const labelsOf = (node: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => [
  ...(Array.isArray(node["enum"]) ? node["enum"] : []),
  ...(Object.hasOwn(node, "const") ? [node["const"]] : [])
]

/** The member at a pointer of a value; undefined where it has none. */
const memberAt = (value: unknown, tokens: ReadonlyArray<string>): unknown =>
  tokens.reduce<any>(
    (at, token) => typeof at === "object" && at !== null && Object.hasOwn(at, token) ? at[token] : undefined,
    value
  )

/** Values that a schema says for the place of a pointer, there or as part of a value for an object or list around it. */
const valuesFor = (
  schema: unknown,
  pointer: string,
  result: unknown,
  saidBy: (node: Readonly<Record<string, unknown>>) => ReadonlyArray<unknown>
): ReadonlyArray<unknown> => {
  const tokens = tokensOf(pointer)
  const places = pointer.split("/").map((_, depth, all) => all.slice(0, depth + 1).join("/"))
  return places.flatMap((place, depth) =>
    nodesAt(schema, place, result).flatMap(saidBy).map((value) => memberAt(value, tokens.slice(depth)))
  )
}

/** Whether a schema gives this value at this place by itself: as its constant, its default, or the only one of its enum. */
export const givenBySchema = (schema: unknown, pointer: string, value: unknown, result?: unknown): boolean =>
  valuesFor(schema, pointer, result, (node) => {
    const labels = labelsOf(node)
    return [
      ...(labels.length === 1 || Object.hasOwn(node, "const") ? labels.slice(-1) : []),
      ...(Object.hasOwn(node, "default") ? [node["default"]] : [])
    ]
  }).some((own) => sameJson(own, value))

/** Whether a value is one of the labels from which a schema lets choose at this place. */
export const isLabel = (schema: unknown, pointer: string, value: unknown, result?: unknown): boolean =>
  valuesFor(schema, pointer, result, labelsOf).some((label) => sameJson(label, value))
