import { createHash } from "node:crypto"

/** A parsed JSON value. Objects are maps, so that no name means anything but itself. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | ReadonlyMap<string, Json>

/** The text is not JSON that every reader reads alike (RFC 7493); `message` says where and why. */
export class NotJson extends Error {}

const space = /[ \t\n\r]*/uy
const plain = /[a-z0-9.+-]+/iuy
const deepest = 500

/**
 * Reads UTF-8 JSON as RFC 7493 asks: no name twice in an object, no half of a surrogate pair, no number that a double cannot
 * hold. `JSON.parse` is laxer: of two members with one name it keeps the last, another reader the first. Throws `NotJson`.
 */
export const parseStrict = (bytes: Uint8Array): Json => {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new NotJson("it is not UTF-8")
  }
  let at = 0
  const fail = (what: string): never => {
    throw new NotJson(`${what} at character ${at}`)
  }
  const skip = () => {
    space.lastIndex = at
    space.exec(text)
    at = space.lastIndex
  }
  const takes = (sign: string): boolean => {
    skip()
    if (text[at] !== sign) return false
    at += 1
    return true
  }
  /** From one quote to the next that no odd run of backslashes stands before. */
  const stringEnd = (): number => {
    let end = at + 1
    while (end < text.length && text[end] !== "\"") end += text[end] === "\\" ? 2 : 1
    return end + 1
  }
  const readScalar = (): null | boolean | number | string => {
    skip()
    plain.lastIndex = at
    const found = text[at] === "\"" ? text.slice(at, stringEnd()) : plain.exec(text)?.[0] ?? fail("no JSON value")
    const value = parsed(found) ?? (found === "null" ? null : fail("no JSON value"))
    if (typeof value === "number" && !Number.isFinite(value)) fail("a number beyond a double")
    if (typeof value === "string" && !value.isWellFormed()) fail("half of a surrogate pair")
    at += found.length
    return value
  }
  const read = (depth: number): Json => {
    if (depth > deepest) fail("nested too deep")
    if (takes("[")) {
      const items: Array<Json> = []
      if (takes("]")) return items
      do items.push(read(depth + 1))
      while (takes(","))
      return takes("]") ? items : fail("an array without its end")
    }
    if (takes("{")) {
      const members = new Map<string, Json>()
      if (takes("}")) return members
      do {
        const name = readScalar()
        if (typeof name !== "string" || !takes(":")) return fail("no member")
        if (members.has(name)) fail(`a second "${name}"`)
        members.set(name, read(depth + 1))
      } while (takes(","))
      return takes("}") ? members : fail("an object without its end")
    }
    return readScalar()
  }
  const value = read(0)
  skip()
  return at === text.length ? value : fail("something after the value")
}

const parsed = (token: string): boolean | number | string | null | undefined => {
  try {
    return JSON.parse(token)
  } catch {
    return undefined
  }
}

/** RFC 8785, 3.2.2.2: two-letter escapes where there are some, `\u` with lower case digits below the space, else as it is. */
const escapes: Readonly<Record<string, string>> = {
  "\b": String.raw`\b`,
  "\t": String.raw`\t`,
  "\n": String.raw`\n`,
  "\f": String.raw`\f`,
  "\r": String.raw`\r`,
  "\"": String.raw`\"`,
  "\\": String.raw`\\`
}
const quoted = (text: string): string =>
  `"${
    // oxlint-disable-next-line no-control-regex -- control characters are what has to be escaped
    text.replaceAll(/["\\\u0000-\u001f]/gu, (sign) =>
      escapes[sign] ?? String.raw`\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`

/** The form of RFC 8785 (JCS), written for this program alone: names by UTF-16 code units, numbers as ECMAScript prints them. */
export const canonical = (value: Json): string => {
  if (value === null || typeof value === "boolean") return String(value)
  // Both zeros print as 0.
  if (typeof value === "number") return String(value)
  if (typeof value === "string") return quoted(value)
  if (value instanceof Map) {
    const members = [...value as ReadonlyMap<string, Json>].toSorted(([a], [b]) => a < b ? -1 : 1)
    return `{${members.map(([name, member]) => `${quoted(name)}:${canonical(member)}`).join(",")}}`
  }
  return `[${(value as ReadonlyArray<Json>).map(canonical).join(",")}]`
}

export const sha256 = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex")

/** A member of an object; undefined where the value is none or has none of that name. */
export const member = (value: Json | undefined, ...names: ReadonlyArray<string>): Json | undefined =>
  names.reduce<Json | undefined>((inner, name) => inner instanceof Map ? inner.get(name) : undefined, value)

export const items = (value: Json | undefined): ReadonlyArray<Json> => Array.isArray(value) ? value : []
