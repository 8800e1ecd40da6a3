import { Effect } from "effect"
import { InvalidRequest } from "../../errors/RequestErrors.ts"
import { parametersOf } from "../../web/server/RequestTarget.ts"

const metadataParameter = /^metadata\[(.+)\]$/su

/**
 * The pairs of `metadata[key]=value`, whose names no schema of ours can tell. Fails with `INVALID_REQUEST` where two values of
 * one key are asked for.
 */
export const metadataFilter = Effect.fnUntraced(function*(url: string) {
  const pairs = new Map<string, string>()
  const details: Array<{ readonly path: string; readonly message: string }> = []
  for (const [name, value] of parametersOf(url)) {
    const key = metadataParameter.exec(name)?.[1]
    if (key === undefined) continue
    if (pairs.has(key) && pairs.get(key) !== value) details.push({ path: name, message: "Is given twice" })
    else pairs.set(key, value)
  }
  if (details.length > 0) return yield* new InvalidRequest({ details: details.slice(0, 100) })
  return pairs.size === 0 ? undefined : Object.fromEntries(pairs)
})
