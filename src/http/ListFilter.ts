import { Effect } from "effect"
import { InvalidRequest } from "../errors/RequestErrors.ts"

const metadataParameter = /^metadata\[(.+)\]$/su

/**
 * The pairs of `metadata[key]=value`, whose names no schema of ours can tell. Fails with `INVALID_REQUEST` where a parameter
 * is neither one of `known` nor such a pair, or asks for two values of one key: a filter that is ignored in silence would
 * list everything.
 */
export const metadataFilter = Effect.fnUntraced(function*(url: string, known: ReadonlyArray<string>) {
  const pairs = new Map<string, string>()
  const details: Array<{ readonly path: string; readonly message: string }> = []
  for (const [name, value] of new URL(url, "http://localhost").searchParams) {
    const key = metadataParameter.exec(name)?.[1]
    if (key === undefined) {
      if (!known.includes(name)) details.push({ path: name, message: "Is not a parameter of this list" })
    } else if (pairs.has(key) && pairs.get(key) !== value) details.push({ path: name, message: "Is given twice" })
    else pairs.set(key, value)
  }
  if (details.length > 0) return yield* new InvalidRequest({ details: details.slice(0, 100) })
  return pairs.size === 0 ? undefined : Object.fromEntries(pairs)
})
