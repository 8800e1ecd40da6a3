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
  /** Targets that lie where no keyword expects a schema. */
  readonly elsewhere: ReadonlySet<string>
  readonly problems: ReadonlyArray<{ readonly pointer: string; readonly external: boolean; readonly ref: string }>
}

const nowhere = "https://schema.invalid/"

interface Found {
  readonly pointer: string
  readonly base: string
  readonly ref: string
}

interface Resource {
  readonly pointer: string
  readonly anchors: Map<string, string>
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
 * Resolves every `$ref` inside the document (RFC 3986 against `$id`, JSON pointers, anchors) without fetching anything.
 * A reference that leads outside the document or nowhere is told in `problems`. With `siblings` false (drafts before
 * 2019-09) an object with `$ref` has no other keyword. The document is at most as deep as the linter allows.
 */
export const resolveReferences = (root: JsonSchema, options: { readonly siblings: boolean }): References => {
  const resources = new Map<string, Resource>([[nowhere, { pointer: "", anchors: new Map() }]])
  const found: Array<Found> = []
  const visited = new Set<string>()

  const visit = (start: JsonSchema, startPointer: string, startBase: string): void => {
    const stack: Array<[JsonSchema, string, string]> = [[start, startPointer, startBase]]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const [schema, pointer] = next
      let base = next[2]
      if (!isObject(schema) || visited.has(pointer)) continue
      visited.add(pointer)
      const ref = own(schema, "$ref")
      if (typeof ref !== "string" || options.siblings) base = register(schema, pointer, base)
      if (typeof ref === "string") found.push({ pointer, base, ref })
      for (const { keyword, key, schema: sub } of subschemas(schema)) {
        const at = pointerTo(pointer, keyword)
        stack.push([sub, key === undefined ? at : pointerTo(at, key), base])
      }
    }
  }

  const register = (schema: SchemaObject, pointer: string, outer: string): string => {
    let base = outer
    for (const id of [own(schema, "$id"), own(schema, "id")]) {
      if (typeof id !== "string") continue
      const url = absolute(id, outer)
      if (url === undefined) continue
      if (id.startsWith("#")) resources.get(outer)?.anchors.set(id.slice(1), pointer)
      else {
        base = withoutFragment(url)
        if (!resources.has(base)) resources.set(base, { pointer, anchors: new Map() })
        if (url.hash.length > 1) resources.get(base)!.anchors.set(url.hash.slice(1), pointer)
      }
      break
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = own(schema, keyword)
      if (typeof anchor === "string") resources.get(base)?.anchors.set(anchor, pointer)
    }
    return base
  }

  visit(root, "", nowhere)
  const targets = new Map<string, string>()
  const elsewhere = new Set<string>()
  const problems: Array<{ pointer: string; external: boolean; ref: string }> = []
  for (let index = 0; index < found.length; index++) {
    const { pointer, base, ref } = found[index]!
    const url = absolute(ref, base)
    const resource = url === undefined ? undefined : resources.get(withoutFragment(url))
    if (url === undefined || resource === undefined) {
      problems.push({ pointer, external: true, ref })
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
      problems.push({ pointer, external: false, ref })
      continue
    }
    targets.set(pointer, target)
    if (isObject(value) && !visited.has(target)) {
      elsewhere.add(target)
      visit(value, target, base)
    }
  }
  return { targets, elsewhere, problems }
}
