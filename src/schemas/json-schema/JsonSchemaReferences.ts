import {
  isObject,
  type JsonSchema,
  own,
  pointerTo,
  pointerTokens,
  type SchemaObject,
  subschemas,
  valueAt
} from "./JsonSchema.ts"

/** Where every `$ref` of a document leads: pointer of the schema that holds it → pointer of its target. */
export interface References {
  readonly targets: ReadonlyMap<string, string>
  /** The same for `$dynamicRef` and `$recursiveRef`, with the name by which the target is looked up again at run time. */
  readonly dynamic: ReadonlyMap<string, { readonly target: string; readonly name: string | undefined }>
  /** The dynamic anchors of the resource that a schema at this pointer is part of: name → pointer. */
  readonly anchorsAround: (pointer: string) => ReadonlyMap<string, string>
  /** Targets that lie where no keyword expects a schema. */
  readonly elsewhere: ReadonlySet<string>
  readonly problems: ReadonlyArray<ReferenceProblem>
}

/** `pointer` leads to the reference, or to the identifier that stands there a second time. */
export interface ReferenceProblem {
  readonly pointer: string
  readonly kind: "external" | "nowhere" | "twice"
  readonly ref: string
}

const nowhere = "https://schema.invalid/"

interface Found {
  readonly pointer: string
  readonly base: string
  readonly keyword: string
  readonly ref: string
}

interface Resource {
  readonly pointer: string
  readonly anchors: Map<string, string>
  /** Of those the dynamic ones; `$recursiveAnchor` is one without a name. */
  readonly dynamic: Map<string, string>
}

const resourceAt = (pointer: string): Resource => ({ pointer, anchors: new Map(), dynamic: new Map() })

export interface ReferenceRules {
  /** False up to draft-07: an object with `$ref` has no other keyword. */
  readonly siblings: boolean
  /** What names a resource. */
  readonly id: "$id" | "id"
  readonly dynamic: "$dynamicRef" | "$recursiveRef" | undefined
}

const absolute = (reference: string, base: string): URL | undefined => {
  try {
    return new URL(reference, base)
  } catch {
    return undefined
  }
}

const withoutFragment = (url: URL): string => url.href.split("#", 1)[0]!

/** `#/a%20b` → `/a b` with `~` escapes kept; a malformed percent sign stays as it is. */
const decodeFragment = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/**
 * Resolves every reference inside the document (RFC 3986 against `$id`, JSON pointers, anchors) without fetching anything.
 * One that leads outside the document or nowhere, and an identifier given twice, are told in `problems`. The document is at
 * most as deep as the linter allows.
 */
export const resolveReferences = (root: JsonSchema, rules: ReferenceRules): References => {
  const resources = new Map<string, Resource>([[nowhere, resourceAt("")]])
  const bases = new Map<string, string>()
  const found: Array<Found> = []
  const problems: Array<ReferenceProblem> = []

  const visit = (start: JsonSchema, startPointer: string, startBase: string): void => {
    const stack: Array<[JsonSchema, string, string]> = [[start, startPointer, startBase]]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const [schema, pointer] = next
      let base = next[2]
      if (bases.has(pointer)) continue
      if (!isObject(schema)) {
        bases.set(pointer, base)
        continue
      }
      if (typeof own(schema, "$ref") !== "string" || rules.siblings) base = register(schema, pointer, base)
      bases.set(pointer, base)
      for (const keyword of ["$ref", rules.dynamic]) {
        const ref = keyword === undefined ? undefined : own(schema, keyword)
        if (typeof ref === "string") found.push({ pointer, base, keyword: keyword!, ref })
      }
      for (const { keyword, key, schema: sub } of subschemas(schema)) {
        const at = pointerTo(pointer, keyword)
        stack.push([sub, key === undefined ? at : pointerTo(at, key), base])
      }
    }
  }

  const anchor = (names: Map<string, string> | undefined, name: string, pointer: string, keyword: string): void => {
    if (names === undefined) return
    if (names.has(name) && names.get(name) !== pointer) {
      problems.push({ pointer: pointerTo(pointer, keyword), kind: "twice", ref: name })
    }
    names.set(name, pointer)
  }

  const register = (schema: SchemaObject, pointer: string, outer: string): string => {
    let base = outer
    const id = own(schema, rules.id)
    const url = typeof id === "string" ? absolute(id, outer) : undefined
    if (typeof id === "string" && url !== undefined) {
      if (id.startsWith("#")) anchor(resources.get(outer)?.anchors, id.slice(1), pointer, rules.id)
      else {
        base = withoutFragment(url)
        if (resources.has(base)) problems.push({ pointer: pointerTo(pointer, rules.id), kind: "twice", ref: id })
        else resources.set(base, resourceAt(pointer))
        if (url.hash.length > 1) anchor(resources.get(base)!.anchors, url.hash.slice(1), pointer, rules.id)
      }
    }
    for (const keyword of rules.siblings ? ["$anchor", "$dynamicAnchor"] : []) {
      const name = own(schema, keyword)
      if (typeof name !== "string" || (keyword === "$dynamicAnchor" && rules.dynamic !== "$dynamicRef")) continue
      anchor(resources.get(base)?.anchors, name, pointer, keyword)
      if (keyword === "$dynamicAnchor") resources.get(base)?.dynamic.set(name, pointer)
    }
    const recursive = rules.dynamic === "$recursiveRef" && own(schema, "$recursiveAnchor") === true
    if (recursive && resources.get(base)?.pointer === pointer) resources.get(base)!.dynamic.set("", pointer)
    return base
  }

  visit(root, "", nowhere)
  const targets = new Map<string, string>()
  const dynamic = new Map<string, { readonly target: string; readonly name: string | undefined }>()
  const elsewhere = new Set<string>()
  for (let index = 0; index < found.length; index++) {
    const { pointer, base, keyword, ref } = found[index]!
    const url = absolute(ref, base)
    const resource = url === undefined ? undefined : resources.get(withoutFragment(url))
    if (url === undefined || resource === undefined) {
      problems.push({ pointer: pointerTo(pointer, keyword), kind: "external", ref })
      continue
    }
    const fragment = decodeFragment(url.hash.slice(1))
    const target = fragment === ""
      ? resource.pointer
      : fragment.startsWith("/")
      ? pointerTokens(fragment).reduce(pointerTo, resource.pointer)
      : resource.anchors.get(fragment)
    const value = target === undefined ? undefined : valueAt(root, target)
    if (target === undefined || !(typeof value === "boolean" || isObject(value))) {
      problems.push({ pointer: pointerTo(pointer, keyword), kind: "nowhere", ref })
      continue
    }
    if (keyword === "$ref") targets.set(pointer, target)
    else dynamic.set(pointer, { target, name: resource.dynamic.get(fragment) === target ? fragment : undefined })
    if (!bases.has(target)) {
      if (isObject(value)) elsewhere.add(target)
      visit(value, target, base)
    }
  }
  const anchorsAround = (pointer: string) => resources.get(bases.get(pointer) ?? nowhere)!.dynamic
  return { targets, dynamic, anchorsAround, elsewhere, problems }
}
