import type { Schema } from "effect"

/** U+0000 and lone surrogates become U+FFFD: no vendor keeps them, and some refuse the whole request. */
export const plain = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed()

/** At most `most` UTF-16 units, the last an ellipsis where something is missing; never half of a character. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${/[\uD800-\uDBFF]$/u.test(kept) ? kept.slice(0, -1) : kept}…`
}

/** The same of every text within a value, names of members included. */
export const plainJson = (value: Schema.Json): Schema.Json => {
  if (typeof value === "string") return plain(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(plainJson)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [plain(name), plainJson(member!)]))
}
