import type { ErrorDetail } from "../../errors/ApiError.ts"
import { jsonPointer } from "../../errors/JsonPointer.ts"
import { requestLimits } from "./RequestLimits.ts"

interface Level {
  /** Undefined in an array. */
  readonly names: Set<string> | undefined
  key: string | number
}

const maxDepth = requestLimits.json_nesting
/** Room for a batch of a hundred jobs with schemas. 49,000 wrong values took 1 s to tell on a busy machine: time of everybody else. */
export const maxValues = 20_000

const endOfString = (json: string, start: number): number => {
  let at = start + 1
  while (at < json.length && json.charCodeAt(at) !== 34) at += json.charCodeAt(at) === 92 ? 2 : 1
  return at
}

const unescaped = (raw: string): string => {
  if (!raw.includes("\\")) return raw
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    return raw
  }
}

const number = /[-+.\deE]*/uy

/** An error names its place; it does not send back what it was sent. */
const mostNameLength = 100
const shortened = (name: string): string =>
  name.length <= mostNameLength ? name : `${name.slice(0, mostNameLength).toWellFormed()}…`

/** Read as Infinity, or as 0 though it is none: what comes out would be another number than what was sent. */
const isOutOfRange = (text: string): boolean => {
  const value = Number(text)
  return value === Infinity || value === -Infinity || (value === 0 && /[1-9]/u.test(text.split(/[eE]/u, 1)[0]!))
}

/**
 * What no reader should have to guess about, in one pass without parsing or recursion: an object that has a member twice, of
 * which a parser keeps one and says nothing (RFC 8259, section 4); a number that no double can hold; brackets nested too deep; more
 * than 20,000 values. The first such thing, or undefined; also for what is no JSON, which a parser tells better.
 */
export const scanJson = (json: string): ErrorDetail | undefined => {
  const levels: Array<Level> = []
  let expectsName = false
  let values = 0
  const problem = (message: string, outer = levels): ErrorDetail => ({
    path: jsonPointer(outer.map(({ key }) => typeof key === "string" ? shortened(key) : key)),
    message
  })
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    const level = levels.at(-1)
    if (code === 34) {
      const end = endOfString(json, at)
      if (expectsName && level?.names !== undefined) {
        const name = unescaped(json.slice(at + 1, end))
        if (level.names.has(name)) {
          return problem(`Has the member ${JSON.stringify(shortened(name))} twice`, levels.slice(0, -1))
        }
        level.names.add(name)
        level.key = name
        expectsName = false
      }
      at = end
    } else if (code === 123 || code === 91) {
      if (levels.length === maxDepth) return { path: "", message: `Nests deeper than ${maxDepth}` }
      expectsName = code === 123
      levels.push({ names: expectsName ? new Set() : undefined, key: 0 })
    } else if (code === 125 || code === 93) {
      levels.pop()
      expectsName = false
    } else if (code === 44 && level !== undefined) {
      if (++values > maxValues) return { path: "", message: `Holds more than ${maxValues} values` }
      expectsName = level.names !== undefined
      if (typeof level.key === "number") level.key++
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      number.lastIndex = at
      const text = number.exec(json)![0]
      if (isOutOfRange(text)) return problem("Is a number that is too large or too small to be held")
      at += text.length - 1
    }
  }
  return undefined
}
