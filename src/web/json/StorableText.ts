import type { ErrorDetail } from "../../errors/ApiError.ts"
import { jsonPointer } from "../../errors/JsonPointer.ts"
import { scanJson } from "./JsonScan.ts"

/** A NUL or half of a surrogate pair: PostgreSQL stores neither in text or jsonb. */
const unstorable = (text: string): boolean => text.includes("\0") || !text.isWellFormed()

/** Every parameter of a query or a form that holds a NUL, by its name; the first hundred of them. */
export const nulParameters = (parameters: URLSearchParams): ReadonlyArray<ErrorDetail> => {
  const names = new Set<string>()
  for (const [name, value] of parameters) if (name.includes("\0") || value.includes("\0")) names.add(name)
  return [...names].slice(0, 100).map((path) => ({ path, message: "Holds a NUL character" }))
}

/** Escapes are the only way such a character gets into JSON that was decoded from UTF-8. */
const suspicious = /\\u(0000|d[89a-f])/iu

const collect = (value: unknown, path: string, found: Array<ErrorDetail>): void => {
  if (typeof value === "string") {
    if (unstorable(value)) found.push({ path, message: "Holds a NUL character or half of a surrogate pair" })
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (unstorable(key)) {
        found.push({ path, message: "Has a member whose name holds a NUL or half of a surrogate pair" })
      } else collect(member, path + jsonPointer([key]), found)
    }
  }
}

/** Every string of a body that PostgreSQL would refuse. None of one that is no JSON. */
export const unstorableStrings = (json: string): ReadonlyArray<ErrorDetail> => {
  if (!suspicious.test(json)) return []
  const found: Array<ErrorDetail> = []
  try {
    collect(JSON.parse(json), "", found)
  } catch {
    return []
  }
  return found
}

/**
 * What is wrong with the text of a JSON body before its shape is looked at: what `scanJson` finds, and strings that
 * PostgreSQL would refuse. Empty for a good body and for one that is no JSON, which the decoder tells better.
 */
export const textProblems = (json: string): ReadonlyArray<ErrorDetail> => {
  const problem = scanJson(json)
  return problem === undefined ? unstorableStrings(json) : [problem]
}
