import type { Kind } from "./Candidate.ts"
import { KIND_CUES, RELATED, type Role, ROLE_CUES } from "./Concepts.ts"
import { evokedBy, verbsIn } from "./EvokedWords.ts"
import { wantsClock, wantsCode } from "./FieldForms.ts"
import { identifierWords, stem, STOP_WORDS } from "./Tokens.ts"

/** A JSON Schema node, as far as planning reads it. */
export interface SchemaNode {
  readonly [keyword: string]: unknown
}

/** One scalar that the result wants: what it is called, and what its schema lets it be. */
export interface Leaf {
  /** JSON pointer with `*` for array indexes, as in a proposal. */
  readonly template: string
  readonly name: string
  readonly schema: SchemaNode
  readonly type: "string" | "number" | "integer" | "boolean" | "enum"
  /** Stems to look for nearby, with weights from 0 to 1: name before title before description before parents. */
  readonly terms: ReadonlyMap<string, number>
  readonly kinds: ReadonlyMap<Kind, number>
  readonly role: Role | null
  /** Name and description in lower case, identifiers split. */
  readonly words: string
  /** Where the template expects to find it; a preference, never a filter. */
  readonly expected: "speech" | "screen" | "scene" | "computed" | "both" | null
}

/** An array of the result. `leaves` are the scalars of one entry, by property name; a list of scalars has the empty name. */
export interface List {
  readonly template: string
  readonly name: string
  /** Name and descriptions of array and entry in lower case, without the entry's properties. */
  readonly words: string
  readonly schema: SchemaNode
  readonly leaves: ReadonlyMap<string, Leaf>
  /** Arrays inside its entries: their templates pass more than one array. */
  readonly nested: ReadonlyArray<List>
}

/** Every scalar of a list's entries, those of the arrays inside them included. */
export const listLeaves = ({ leaves, nested }: List): ReadonlyArray<Leaf> => [
  ...leaves.values(),
  ...nested.flatMap(listLeaves)
]

export interface Plan {
  readonly leaves: ReadonlyArray<Leaf>
  readonly lists: ReadonlyArray<List>
  /** Objects without named properties: their keys are found, not given. */
  readonly maps: ReadonlyArray<{ readonly template: string; readonly leaf: Leaf }>
  /** What the schema says of the objects and arrays that leaves stand in, by template. */
  readonly about: ReadonlyMap<string, string>
  /** What the schema wants beyond the bounds of planning: leaves, lists and objects that nobody looks for. */
  readonly beyond: ReadonlySet<string>
}

const EXPECTED = new Set(["speech", "screen", "scene", "computed", "both"])
const FORMAT_KINDS: Readonly<Record<string, Kind>> = {
  email: "email",
  uri: "url",
  url: "url",
  date: "date",
  time: "time",
  duration: "duration",
  "date-time": "date"
}

const text = (value: unknown): string => typeof value === "string" ? value : ""
const isNode = (value: unknown): value is SchemaNode =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const nodes = (value: unknown): ReadonlyArray<SchemaNode> => Array.isArray(value) ? value.filter(isNode) : []

const deref = (root: SchemaNode, reference: string): SchemaNode => {
  if (!reference.startsWith("#")) return {}
  let at: unknown = root
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")
    at = Array.isArray(at) ? at[Number(key)] : isNode(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return isNode(at) ? at : {}
}

const merge = (left: SchemaNode, right: SchemaNode): SchemaNode => ({
  ...left,
  ...right,
  ...(isNode(left["properties"]) && isNode(right["properties"])
    ? { properties: { ...left["properties"], ...right["properties"] } }
    : {})
})

const typeOf = (schema: SchemaNode): string | undefined => {
  const { type } = schema
  const one: unknown = Array.isArray(type) ? type.find((name) => name !== "null") : type
  if (typeof one === "string") return one
  return isNode(schema["properties"]) ? "object" : isNode(schema["items"]) ? "array" : undefined
}

/**
 * References followed, `allOf` merged and alternatives joined, so that a plan can look for everything any of them may hold;
 * assembly keeps what the schema really allows. Cycles end after 12 steps.
 */
const flatten = (schema: SchemaNode, root: SchemaNode, depth = 0): SchemaNode => {
  if (depth > 12) return {}
  const { $ref, allOf, anyOf, oneOf, ...own } = schema
  let out: SchemaNode = own
  if (typeof $ref === "string") out = merge(flatten(deref(root, $ref), root, depth + 1), out)
  for (const part of nodes(allOf)) out = merge(out, flatten(part, root, depth + 1))
  const branches = [...nodes(anyOf), ...nodes(oneOf)]
    .filter((branch) => branch["type"] !== "null" && branch["const"] !== null)
    .map((branch) => flatten(branch, root, depth + 1))
  const objects = branches.filter((branch) => typeOf(branch) === "object")
  for (const branch of objects.length > 0 ? objects : branches.slice(0, 1)) out = merge(branch, merge(out, branch))
  return out
}

/** What a verb is worth that a field's noun is made of. */
const BY_VERB = 0.45

const termsOf = (name: string, schema: SchemaNode, parents: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const terms = new Map<string, number>()
  const add = (word: string, weight: number): void => {
    if (word.length <= 1 || STOP_WORDS.has(word)) return
    const key = stem(word)
    terms.set(key, Math.max(terms.get(key) ?? 0, weight))
  }
  for (const word of identifierWords(name)) add(word, 1)
  const own = Array.from(terms.keys())
  for (const word of identifierWords(text(schema["title"]))) add(word, 0.9)
  for (const word of text(schema["description"]).toLowerCase().match(/[\p{L}-]+/gu) ?? []) add(word, 0.6)
  for (const word of parents) add(word, 0.3)
  for (const [term, weight] of Array.from(terms)) {
    for (const related of RELATED.get(term) ?? []) if (!terms.has(related)) terms.set(related, 0.45 * weight)
  }
  for (const word of identifierWords(name)) {
    if (!evokedBy.has(stem(word))) {
      for (const verb of verbsIn(word)) if (!terms.has(verb) && !STOP_WORDS.has(verb)) terms.set(verb, BY_VERB)
    }
  }
  for (const term of own) {
    for (const evoked of evokedBy.get(term) ?? []) if (!terms.has(evoked)) terms.set(evoked, 0.45)
  }
  return terms
}

const PHRASE_FIELD =
  /\b(?:genre|cuisine|type|kind|category|style|color|colour|subject|topic|ingredient|tool|material|mood|symptom|feature|reason|cause|role|occupation|subcategory)\b/u

const kindsOf = (type: Leaf["type"], name: string, description: string, schema: SchemaNode): Map<Kind, number> => {
  const kinds = new Map<Kind, number>()
  const get = (kind: Kind): number => kinds.get(kind) ?? 0
  for (const [kind, weight, cue] of KIND_CUES) {
    const strength = cue.test(name) ? weight : cue.test(description) ? weight * 0.6 : 0
    if (strength > 0) kinds.set(kind, Math.max(get(kind), strength))
  }
  if ((get("date") >= 0.6 || get("time") >= 0.6) && !/\b(?:name|title|place|location)\b/u.test(name)) {
    kinds.set("name", get("name") * 0.1)
  }
  for (const kind of ["phone", "email", "url", "money"] as const) {
    if (get(kind) >= 1) kinds.set("name", get("name") * 0.2)
  }
  const [aTime, aDate] = [/\btime\b/u.test(name), /\bdate\b/u.test(name)]
  if (aTime && !aDate) kinds.set("date", Math.min(get("date"), 0.2))
  if (/\b(?:date|day)\b/u.test(name) && !aTime) kinds.set("time", Math.min(get("time"), 0.1))

  const asked = { name, type, schema, words: `${name} ${description}` }
  const format = wantsClock(asked) ? "time" : FORMAT_KINDS[text(schema["format"])]
  if (format !== undefined) return new Map([[format, 1.2]])
  const code = wantsCode(asked)
  if (code !== undefined) return new Map([[code, 1.2], ["code", 1], ["number", 0.5], ["label", 0.5]])
  if (type === "number" || type === "integer") {
    const counted = (["money", "duration", "percent"] as const).filter((kind) => get(kind) > 0)
    return new Map<Kind, number>([["number", 1], ...counted.map((kind) => [kind, get(kind)] as const)])
  }
  const bag = `${name} ${description}`
  const counts = /\b(?:number of|(?<!\bnot )count|quantity|how many|length|num)\b/u.test(
    bag.replaceAll("phone number", "")
  )
  if (type === "string" && counts && !/\bphone\b/u.test(name)) {
    kinds.set("number", 1)
    kinds.set("duration", Math.max(get("duration"), 0.5))
    kinds.set("name", 0)
  }
  if (type === "string" && get("code") > 0) {
    kinds.set("number", Math.max(get("number"), 0.5))
    if (!/\bname\b/u.test(name)) kinds.set("name", get("name") * 0.4)
  }
  if (PHRASE_FIELD.test(bag)) {
    const strong = /\b(?:genre|cuisine|type|kind|category|style|color|topic|ingredient|subcategory)\b/u.test(name)
    kinds.set("phrase", strong ? 1 : 0.4)
  }
  if (get("name") >= 0.5) kinds.set("named", get("name"))
  return kinds.size > 0 ? kinds : new Map([["name", 0.5], ["quoted", 0.4], ["phrase", 0.3]])
}

const roleOf = (name: string, description: string): Role | null => {
  const named = ROLE_CUES.find(([, cue]) => cue.test(name))
  if (named !== undefined) return named[0]
  const told = description.replaceAll(/\bto\b/gu, "")
  return ROLE_CUES.find(([role, cue]) => role !== "start" && role !== "end" && cue.test(told))?.[0] ?? null
}

const leafType = (schema: SchemaNode): Leaf["type"] => {
  const type = typeOf(schema)
  if (type === "integer" || type === "number" || type === "boolean") return type
  return Array.isArray(schema["enum"]) ? "enum" : "string"
}

/** Plans one scalar. `schema` has its references resolved. */
export const leafOf = (
  template: string,
  name: string,
  schema: SchemaNode,
  parents: ReadonlyArray<string> = []
): Leaf => {
  const type = leafType(schema)
  const split = identifierWords(name).join(" ")
  const description = `${text(schema["title"])} ${text(schema["description"])}`.toLowerCase()
  const expected = text(schema["x-footnote-evidence"])
  return {
    template,
    name,
    schema: schema["const"] === undefined ? schema : { ...schema, enum: [schema["const"]] },
    type: type === "string" && schema["const"] !== undefined ? "enum" : type,
    terms: termsOf(name, schema, parents),
    kinds: kindsOf(type, split, description, schema),
    role: roleOf(split, description),
    words: `${split} ${description}`.trim(),
    expected: EXPECTED.has(expected) ? expected as NonNullable<Leaf["expected"]> : null
  }
}

const escape = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** Singular of a list's name: what one entry is called. */
const entryName = (name: string): string => name.replace(/ies$/u, "y").replace(/(?<!s)s$/u, "")

/** Bounds of planning, for schemas that are larger than anyone fills: what is deeper or later is not looked for. */
const DEEPEST = 12
const MOST_NODES = 3000
/** Arrays in arrays in arrays are planned, no deeper: nobody tells such entries apart by name. */
const DEEPEST_LISTS = 3

/**
 * Every leaf, list and map that a schema wants, in the order of its properties, up to `most` leaves, those of lists' entries
 * included; what comes after them is `beyond`. Any root type is planned.
 */
export const planOf = (json_schema: unknown, most: number = MOST_NODES): Plan => {
  const root = isNode(json_schema) ? json_schema : {}
  const leaves: Array<Leaf> = []
  const lists: Array<List> = []
  const maps: Array<Plan["maps"][number]> = []
  const beyond = new Set<string>()
  const about = new Map<string, string>()
  const tell = (template: string, ...schemas: ReadonlyArray<SchemaNode>): void => {
    const said = schemas.flatMap(({ description, title }) => [text(title), text(description)]).filter(Boolean)
    if (said.length > 0) about.set(template, Array.from(new Set(said)).join(". "))
  }

  let visits = 0
  let planned = 0
  /** Whether there is room for one more of them. */
  const takes = (template: string): boolean => {
    if (visits <= MOST_NODES && planned < most) return true
    beyond.add(template)
    return false
  }
  const listOf = (template: string, name: string, schema: SchemaNode, level: number): List => {
    const item = flatten(isNode(schema["items"]) ? schema["items"] : {}, root)
    const described = `${text(schema["title"])} ${text(schema["description"])}`
    const itemTemplate = `${template}/*`
    const itemLeaves = new Map<string, Leaf>()
    const nested: Array<List> = []
    const inside = (at: string, key: string, array: SchemaNode): void => {
      if (level < DEEPEST_LISTS) nested.push(listOf(at, key, array, level + 1))
      else beyond.add(at)
    }
    if (typeOf(item) === "object") {
      tell(template, schema, item)
      const walkItem = (node: SchemaNode, at: string, path: string, depth: number): void => {
        for (const [key, raw] of Object.entries(isNode(node["properties"]) ? node["properties"] : {})) {
          visits++
          const own = `${at}/${escape(key)}`
          if (!takes(own)) continue
          const property = flatten(isNode(raw) ? raw : {}, root)
          const inner = path === "" ? key : `${path}/${key}`
          if (typeOf(property) === "object" && depth < 4) {
            tell(own, property)
            walkItem(property, own, inner, depth + 1)
          } else if (typeOf(property) === "array") inside(own, key, property)
          else if (typeOf(property) !== "object") {
            itemLeaves.set(inner, leafOf(own, key, property))
            planned++
          }
        }
      }
      walkItem(item, itemTemplate, "", 0)
    } else if (typeOf(item) === "array") inside(itemTemplate, entryName(name), item)
    else {
      const description = `${text(item["description"])} ${text(schema["description"])}`
      planned++
      itemLeaves.set("", leafOf(itemTemplate, entryName(name), { ...item, description }))
    }
    const words = `${identifierWords(name).join(" ")} ${described} ${text(item["description"])}`.toLowerCase()
    return { template, name, words, schema, leaves: itemLeaves, nested }
  }
  const planList = (template: string, name: string, schema: SchemaNode): void => {
    if (takes(template)) lists.push(listOf(template, name, schema, 0))
  }

  const open = new Set<unknown>()
  const walk = (raw: unknown, template: string, name: string, parents: ReadonlyArray<string>, depth: number): void => {
    if (depth > DEEPEST) return
    visits++
    if (!takes(template)) return
    const schema = flatten(isNode(raw) ? raw : {}, root)
    const type = typeOf(schema)
    if (type === "array") return planList(template, name, schema)
    if (type !== "object") {
      // A schema that says nothing about its value asks for nothing.
      const silent = template === "" && type === undefined && schema["enum"] === undefined && name === ""
      if (type === "null" || silent) return
      leaves.push(leafOf(template, name, schema, parents))
      planned++
      return
    }
    tell(template, schema)
    const members = isNode(schema["properties"]) ? schema["properties"] : {}
    const properties = Object.entries(members)
    if (properties.length === 0 && isNode(schema["additionalProperties"])) {
      const value = flatten(schema["additionalProperties"], root)
      const scalar = typeOf(value) !== "object" && typeOf(value) !== "array"
      if (scalar) {
        maps.push({ template: `${template}/{}`, leaf: leafOf(`${template}/{}`, name, value) })
        planned++
      }
    }
    // An object inside itself is planned once: a tree of unknown depth has no leaf to look for.
    if (open.has(members)) return
    open.add(members)
    for (const [key, property] of properties) {
      const above = depth === 0 ? [] : identifierWords(name)
      walk(property, `${template}/${escape(key)}`, key, [...parents, ...above], depth + 1)
    }
    open.delete(members)
  }
  walk(root, "", text(root["title"]), [], 0)
  return { leaves, lists, maps, about, beyond }
}
