import { tokensOf } from "./Json.ts"

type Node = Readonly<Record<string, any>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)
const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []
const membersOf = (value: unknown): ReadonlyArray<unknown> => isNode(value) ? Object.values(value) : []

/** Keywords that hold values, in which nothing is a schema. */
const data = new Set(["const", "default", "enum", "example", "examples", "required"])
/** Keywords whose members are named by the schema's author. */
const named = new Set(["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"])

const documentUri = "https://document.invalid/schema"

const resolved = (reference: string, base: string): readonly [uri: string, fragment: string] => {
  const url = URL.canParse(reference, base) ? new URL(reference, base).href : reference
  const at = url.indexOf("#")
  if (at < 0) return [url, ""]
  try {
    return [url.slice(0, at), decodeURIComponent(url.slice(at + 1))]
  } catch {
    return [url.slice(0, at), url.slice(at + 1)]
  }
}

/** Where the references of a schema lead. */
interface References {
  readonly targets: (node: Node) => ReadonlyArray<unknown>
}

/** Finds every schema by its URI and its anchors, as the `$id` around it makes them. */
const referencesOf = (schema: unknown): References => {
  const bases = new Map<Node, string>()
  const resources = new Map<string, Node>()
  const anchors = new Map<string, Node>()
  const dynamic = new Map<string, Array<Node>>()

  const enter = (node: Node, above: string): string => {
    let base = above
    for (const id of [node["$id"], node["id"]]) {
      if (typeof id !== "string") continue
      const [uri, fragment] = resolved(id, above)
      // Up to draft-07 an identifier that is a fragment alone is an anchor.
      if (id.startsWith("#")) anchors.set(`${above}#${fragment}`, node)
      else resources.set(base = uri, node)
    }
    for (const name of [node["$anchor"], node["$dynamicAnchor"]]) {
      if (typeof name === "string") anchors.set(`${base}#${name}`, node)
    }
    const name = node["$dynamicAnchor"] ?? (node["$recursiveAnchor"] === true ? "" : undefined)
    if (typeof name === "string") dynamic.set(name, [...dynamic.get(name) ?? [], node])
    return base
  }
  const walk = (value: unknown, above: string): void => {
    for (const item of listOf(value)) walk(item, above)
    if (!isNode(value) || bases.has(value)) return
    const base = enter(value, above)
    bases.set(value, base)
    for (const [key, member] of Object.entries(value)) {
      if (named.has(key)) { for (const inner of membersOf(member)) walk(inner, base) }
      else if (!data.has(key)) walk(member, base)
    }
  }
  if (isNode(schema)) resources.set(documentUri, schema)
  walk(schema, documentUri)

  const target = (reference: string, base: string): unknown => {
    const [uri, fragment] = resolved(reference, base)
    if (fragment !== "" && !fragment.startsWith("/")) return anchors.get(`${uri}#${fragment}`)
    let found: any = resources.get(uri)
    for (const token of tokensOf(fragment)) found = isOwn(found, token) ? found[token] : undefined
    return found
  }
  return {
    targets: (node) => {
      const base = bases.get(node) ?? documentUri
      return ["$ref", "$dynamicRef", "$recursiveRef"].flatMap((keyword) => {
        const reference = node[keyword]
        if (typeof reference !== "string") return []
        const others: ReadonlyArray<Node> = keyword === "$ref" ? [] : dynamic.get(resolved(reference, base)[1]) ?? []
        return others.concat(target(reference, base) as Node)
      })
    }
  }
}

const isOwn = (value: any, key: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)

const known = new WeakMap<object, References>()
const openReferences = (schema: unknown): References => {
  if (typeof schema !== "object" || schema === null) return { targets: () => [] }
  const before = known.get(schema)
  if (before !== undefined) return before
  const opened = referencesOf(schema)
  known.set(schema, opened)
  return opened
}

/** Subschemas of the same value. */
const beside = (node: Node): ReadonlyArray<unknown> => [
  ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => listOf(node[keyword])),
  node["then"],
  node["else"],
  ...membersOf(node["dependentSchemas"]),
  ...membersOf(node["dependencies"])
]

const matches = (pattern: string, name: string): boolean => {
  try {
    return new RegExp(pattern, "u").test(name)
  } catch {
    return false
  }
}

const ofMember = (node: Node, name: string): ReadonlyArray<unknown> => {
  const declared = isOwn(node["properties"], name) ? [node["properties"][name]] : []
  const patterns = isNode(node["patternProperties"]) ? Object.entries(node["patternProperties"]) : []
  const found = [...declared, ...patterns.flatMap(([pattern, inner]) => matches(pattern, name) ? [inner] : [])]
  return found.length > 0 ? found : [node["additionalProperties"], node["unevaluatedProperties"]]
}

const ofItem = (node: Node, index: number): ReadonlyArray<unknown> => {
  const prefix = node["prefixItems"] ?? (Array.isArray(node["items"]) ? node["items"] : undefined)
  const rest = Array.isArray(node["items"]) ? node["additionalItems"] : node["items"]
  const own = index < listOf(prefix).length ? listOf(prefix)[index] : rest
  return [own, node["unevaluatedItems"], node["contains"]]
}

/**
 * Every subschema that may say something of the value at a pointer, through branches and references by pointer, anchor and
 * URI. Whether a name like `2024` is a member or an index is told by the result; without one it may be both.
 */
export const nodesAt = (schema: unknown, pointer: string, result?: unknown): ReadonlyArray<Node> => {
  const { targets } = openReferences(schema)
  const spread = (nodes: ReadonlyArray<unknown>): ReadonlyArray<Node> => {
    const all = new Set<Node>()
    const add = (node: unknown): void => {
      if (!isNode(node) || all.has(node)) return
      all.add(node)
      for (const other of [...targets(node), ...beside(node)]) add(other)
    }
    for (const node of nodes) add(node)
    return [...all]
  }
  let nodes = spread([schema])
  let value: any = result
  for (const token of tokensOf(pointer)) {
    const place = value
    const inArray = Array.isArray(place) || (place === undefined && /^\d+$/u.test(token))
    const inObject = !Array.isArray(place)
    nodes = spread(nodes.flatMap((node) => [
      ...(inObject ? ofMember(node, token) : []),
      ...(inArray ? ofItem(node, Number(token)) : [])
    ]))
    value = isOwn(place, token) ? place[token] : undefined
  }
  return nodes
}
