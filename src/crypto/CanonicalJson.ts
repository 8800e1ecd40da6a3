import type { Schema } from "effect"
import { createHash } from "node:crypto"

/**
 * The one text that a JSON value has under RFC 8785: members sorted by UTF-16 code units, ECMAScript numbers and string
 * escapes, no spaces. A lone surrogate has no such form and throws.
 */
export const canonicalJson = (value: Schema.Json): string => {
  if (typeof value === "string" && !value.isWellFormed()) throw new TypeError("A lone surrogate has no canonical form")
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`)
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const members = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1)
  return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(",")}}`
}

/** SHA-256 over the canonical form: equal for two bodies that differ in spacing and member order only. */
export const canonicalSha256 = (value: Schema.Json): Uint8Array =>
  createHash("sha256").update(canonicalJson(value), "utf8").digest()
