import type { ErrorDetail } from "../errors/ApiError.ts"
import { repeatedName } from "./RepeatedName.ts"

const maxDepth = 100

/** A NUL or half of a surrogate pair: PostgreSQL stores neither in text or jsonb. */
const unstorable = (text: string): boolean => text.includes("\0") || !text.isWellFormed()

/** Escapes are the only way such a character gets into JSON that was decoded from UTF-8. */
const suspicious = /\\u(0000|d[89a-f])/iu

/** How deep brackets nest, in one pass without parsing: a body of 1 MiB could nest half a million deep. */
const depthOf = (json: string): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth)
    else if (code === 93 || code === 125) depth--
  }
  return deepest
}

const collect = (value: unknown, path: string, found: Array<ErrorDetail>): void => {
  if (typeof value === "string") {
    if (unstorable(value)) found.push({ path, message: "Holds a NUL character or half of a surrogate pair" })
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (unstorable(key)) {
        found.push({ path, message: "Has a member whose name holds a NUL or half of a surrogate pair" })
      } else collect(member, path === "" ? key : `${path}.${key}`, found)
    }
  }
}

/**
 * What is wrong with the text of a JSON body before its shape is looked at: nesting over 100, a member given
 * twice, and strings that PostgreSQL would refuse. Empty for a good body and for one that is no JSON, which the decoder tells better.
 */
export const textProblems = (json: string): ReadonlyArray<ErrorDetail> => {
  if (depthOf(json) > maxDepth) return [{ path: "", message: `Nests deeper than ${maxDepth}` }]
  const repeated = repeatedName(json)
  if (repeated !== undefined) return [repeated]
  if (!suspicious.test(json)) return []
  const found: Array<ErrorDetail> = []
  try {
    collect(JSON.parse(json), "", found)
  } catch {
    return []
  }
  return found
}
