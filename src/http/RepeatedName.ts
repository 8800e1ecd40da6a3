import type { ErrorDetail } from "../errors/ApiError.ts"

interface Level {
  /** Undefined in an array. */
  readonly names: Set<string> | undefined
  key: string | number
}

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

/**
 * The first object of a JSON text that has a member twice, of which a reader would keep one and say nothing (RFC 8259,
 * section 4). One pass without parsing or recursion; undefined for what is no JSON.
 */
export const repeatedName = (json: string): ErrorDetail | undefined => {
  const levels: Array<Level> = []
  let expectsName = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    const level = levels.at(-1)
    if (code === 34) {
      const end = endOfString(json, at)
      if (expectsName && level?.names !== undefined) {
        const name = unescaped(json.slice(at + 1, end))
        if (level.names.has(name)) {
          const path = levels.slice(0, -1).map(({ key }) => key).join(".")
          return { path, message: `Has the member ${JSON.stringify(name)} twice` }
        }
        level.names.add(name)
        level.key = name
        expectsName = false
      }
      at = end
    } else if (code === 123 || code === 91) {
      expectsName = code === 123
      levels.push({ names: expectsName ? new Set() : undefined, key: 0 })
    } else if (code === 125 || code === 93) {
      levels.pop()
      expectsName = false
    } else if (code === 44 && level !== undefined) {
      expectsName = level.names !== undefined
      if (typeof level.key === "number") level.key++
    }
  }
  return undefined
}
