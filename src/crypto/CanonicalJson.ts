import type { Schema } from "effect"
import { createHash } from "node:crypto"

/** Gives the canonical form piece by piece, so that a long one never has to be whole in memory. */
const write = (value: Schema.Json, emit: (piece: string) => void): void => {
  if (typeof value === "string") return emit(quoted(value))
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`)
  if (value === null || typeof value !== "object") return emit(JSON.stringify(value))
  if (Array.isArray(value)) {
    let before = "["
    for (const item of value) {
      emit(before)
      write(item, emit)
      before = ","
    }
    return emit(value.length === 0 ? "[]" : "]")
  }
  const members = value as Readonly<Record<string, Schema.Json>>
  let before = "{"
  for (const name of Object.keys(members).toSorted()) {
    emit(`${before}${quoted(name)}:`)
    write(members[name]!, emit)
    before = ","
  }
  emit(before === "{" ? "{}" : "}")
}

const quoted = (text: string): string => {
  if (!text.isWellFormed()) throw new TypeError("A lone surrogate has no canonical form")
  return JSON.stringify(text)
}

/**
 * The one text that a JSON value has under RFC 8785: members sorted by UTF-16 code units, ECMAScript numbers and string
 * escapes, no spaces. A lone surrogate has no such form and throws.
 */
export const canonicalJson = (value: Schema.Json): string => {
  const pieces: Array<string> = []
  write(value, (piece) => void pieces.push(piece))
  return pieces.join("")
}

/** Characters that are hashed at once: a call for each piece would cost more than the hash. */
const atOnce = 1 << 16

/** SHA-256 over the canonical form: equal for two bodies that differ in spacing and member order only. */
export const canonicalSha256 = (value: Schema.Json): Uint8Array => {
  const hash = createHash("sha256")
  let text = ""
  write(value, (piece) => {
    text += piece
    if (text.length < atOnce) return
    hash.update(text, "utf8")
    text = ""
  })
  return hash.update(text, "utf8").digest()
}
