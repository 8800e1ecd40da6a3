import type { Schema } from "effect"
import { cut, plain } from "../../../text/PlainText.ts"

/** Deeper than this a value is counted and not spelt out: nobody reads four levels in one line. */
const deepest = 3

/** What a reader is shown of a value, and whether that is all of it. */
interface Readable {
  readonly text: string
  readonly whole: boolean
}

/** A member's name as it is, or a word where nothing of it would be seen. */
export const labelOf = (name: string): string => {
  const label = plain(name.slice(0, 500))
  return label.trim() === "" ? "(no name)" : label
}

class Writer {
  whole = true
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  #counted(count: number, what: string): string {
    this.whole = false
    return `${count} ${what}${count === 1 ? "" : "s"}`
  }

  /** At most as long as the whole may be; the end of what is longer is an ellipsis. */
  cut(text: string): string {
    if (text.length > this.#most) this.whole = false
    return cut(text, this.#most)
  }

  /** Parts one after the other until there is no room, then how many are left. */
  #joined(parts: ReadonlyArray<() => string>, separator: string): string {
    let text = ""
    for (const [at, part] of parts.entries()) {
      const left = parts.length - at
      const next = `${at === 0 ? "" : separator}${part()}`
      // The last part needs no room for the word on what is left.
      const room = left === 1 ? this.#most : this.#most - ` … ${left} more`.length
      if (text.length + next.length > room) {
        this.whole = false
        return at === 0 ? cut(next, Math.max(1, room)) : `${text}${separator}… ${left} more`
      }
      text += next
    }
    return text
  }

  line(value: Schema.Json, depth: number): string {
    if (value === null) return "–"
    if (typeof value === "string") {
      // Longer than what can be shown is not looked through.
      const text = this.cut(plain(value.slice(0, this.#most + 1)))
      return text.trim() === "" ? "(empty)" : text
    }
    if (typeof value !== "object") return String(value)
    if (Array.isArray(value)) {
      if (value.length === 0) return "(none)"
      if (depth >= deepest) return this.#counted(value.length, "item")
      return this.#joined(value.map((item) => () => this.line(item, depth + 1)), ", ")
    }
    const members = Object.entries(value)
    if (members.length === 0) return "(empty)"
    if (depth >= deepest) return this.#counted(members.length, "field")
    const text = this.#joined(
      members.map(([name, member]) => () => `${labelOf(name)}: ${this.line(member!, depth + 1)}`),
      " · "
    )
    return depth > 1 ? `(${text})` : text
  }

  lines(value: Schema.Json): string {
    if (value === null) return "(not found)"
    if (Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null)) {
      return this.#joined(value.map((item) => () => `• ${this.line(item, 1)}`), "\n")
    }
    if (typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0) {
      const members = Object.entries(value)
      return this.#joined(members.map(([name, member]) => () => `${labelOf(name)}: ${this.line(member!, 1)}`), "\n")
    }
    return this.line(value, 0)
  }
}

/**
 * A value of a result in words that a person reads: lists of objects item by item, an absent or empty value by a word of its
 * own. At most `most` UTF-16 units; what is left out is counted, and a text that is too long ends with an ellipsis.
 */
export const readable = (value: Schema.Json, most: number): Readable => {
  const writer = new Writer(most)
  const text = writer.cut(writer.lines(value))
  return { text, whole: writer.whole }
}
