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
