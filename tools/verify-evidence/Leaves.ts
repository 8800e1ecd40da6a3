const escapeToken = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1")

export const tokensOf = (pointer: string): ReadonlyArray<string> =>
  pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))

/** Every scalar of a JSON value by its pointer (RFC 6901). */
export const leaves = (value: unknown, pointer = "", into = new Map<string, unknown>()): Map<string, unknown> => {
  if (typeof value !== "object" || value === null) into.set(pointer, value)
  else for (const [key, item] of Object.entries(value)) leaves(item, `${pointer}/${escapeToken(key)}`, into)
  return into
}

/** Equal as JSON, whatever the order of keys. */
export const sameJson = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b) || a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson((a as any)[key], (b as any)[key]))
}

/** Walks to the place of a pointer in a schema, through every branch and reference that may hold it. */
const visitAt = (schema: unknown, tokens: ReadonlyArray<string>, visit: (node: any) => void): void => {
  const follow = (node: any, tokens: ReadonlyArray<string>, hops: number): void => {
    if (typeof node !== "object" || node === null || hops > 64) return
    if (typeof node.$ref === "string" && node.$ref.startsWith("#")) {
      let target: any = schema
      for (const token of tokensOf(decodeURIComponent(node.$ref.slice(1)))) target = target?.[token]
      follow(target, tokens, hops + 1)
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      if (Array.isArray(node[keyword])) { for (const branch of node[keyword]) follow(branch, tokens, hops + 1) }
    }
    for (const keyword of ["then", "else"]) follow(node[keyword], tokens, hops + 1)
    if (tokens.length === 0) return visit(node)
    const [first, ...rest] = tokens
    if (Object.hasOwn(node.properties ?? {}, first!)) follow(node.properties[first!], rest, hops + 1)
    else if (/^\d+$/u.test(first!)) {
      for (const items of [node.items, node.prefixItems?.[Number(first)], node.items?.[Number(first)]]) {
        follow(items, rest, hops + 1)
      }
    } else follow(node.additionalProperties, rest, hops + 1)
  }
  follow(schema, tokens, 0)
}

/** All that a schema says in words about the place of a pointer: names on the way, titles, descriptions, labels. */
export const wordsAbout = (schema: unknown, pointer: string): ReadonlyArray<string> => {
  const texts: Array<string> = []
  const tokens = tokensOf(pointer)
  for (let depth = 0; depth <= tokens.length; depth++) {
    visitAt(schema, tokens.slice(0, depth), (node) => {
      for (const text of [node.title, node.description, ...(Array.isArray(node.enum) ? node.enum : [])]) {
        if (typeof text === "string") texts.push(text)
      }
    })
  }
  return [...tokens.filter((token) => !/^\d+$/u.test(token)), ...texts]
}

/** Whether a schema gives this value at this place by itself: as its constant, its default, or the only one of its enum. */
export const givenBySchema = (schema: unknown, pointer: string, value: unknown): boolean => {
  let given = false
  visitAt(schema, tokensOf(pointer), (node) => {
    const only = Array.isArray(node.enum) && node.enum.length === 1 ? node.enum : []
    for (
      const own of [...only, ...("const" in node ? [node.const] : []), ...("default" in node ? [node.default] : [])]
    ) {
      if (sameJson(own, value)) given = true
    }
  })
  return given
}
