import { isObject, type Json, type JsonSchema, pointerTokens, setOwn, valueAt } from "./JsonSchema.ts"
import { type Misfit, resultValidator } from "./ResultValidator.ts"

/** A value to stand at a JSON pointer, or none any more. */
export type Edit = { readonly at: string; readonly set: Json } | { readonly at: string; readonly remove: true }

/** What came of edits: the value and what stands at each place now (absent where nothing does), or which edit cannot be made. */
export type Edited =
  | { readonly ok: true; readonly value: Json; readonly placed: ReadonlyArray<{ readonly value?: Json }> }
  /** `edit` is null where no single one is to blame. */
  | { readonly ok: false; readonly edit: number | null; readonly message: string }

const isIndex = (token: string): boolean => /^(?:0|[1-9]\d{0,8})$/u.test(token)

/** A copy with a value at a place; what is missing on the way, or null, is made. Undefined where nothing can stand there. */
const put = (node: unknown, tokens: ReadonlyArray<string>, at: number, value: Json): Json | undefined => {
  const token = tokens[at]
  if (token === undefined) return value
  if (node === undefined || node === null) return put(token === "0" ? [] : {}, tokens, at, value)
  if (Array.isArray(node)) {
    if (!isIndex(token) || Number(token) > node.length) return undefined
    const below = put(node[Number(token)], tokens, at + 1, value)
    return below === undefined ? undefined : [...node.slice(0, Number(token)), below, ...node.slice(Number(token) + 1)]
  }
  if (!isObject(node)) return undefined
  const below = put(Object.hasOwn(node, token) ? node[token] : undefined, tokens, at + 1, value)
  if (below === undefined) return undefined
  const copy = { ...node } as Record<string, Json>
  setOwn(copy, token, below)
  return copy
}

/** A copy without what stands at a place. */
const take = (node: unknown, tokens: ReadonlyArray<string>, at: number): Json => {
  const token = tokens[at]!
  const last = at === tokens.length - 1
  if (Array.isArray(node)) {
    const index = Number(token)
    return [...node.slice(0, index), ...last ? [] : [take(node[index], tokens, at + 1)], ...node.slice(index + 1)]
  }
  const copy = { ...node as Record<string, Json> }
  if (last) Reflect.deleteProperty(copy, token)
  else setOwn(copy, token, take(copy[token], tokens, at + 1))
  return copy
}

/** Document order for arrays: an entry after those before it, and what is within after what it is within. */
const byPlace = (a: string, b: string): number => {
  const [left, right] = [pointerTokens(a), pointerTokens(b)]
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [one, other] = [left[at]!, right[at]!]
    if (one === other) continue
    return isIndex(one) && isIndex(other) ? Number(one) - Number(other) : one < other ? -1 : 1
  }
  return left.length - right.length
}

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"))

const isEntry = (value: unknown, pointer: string): boolean =>
  pointer !== "" && Array.isArray(valueAt(value, parentOf(pointer)))

/** The places of array entries that edits take away, the last first: in this order each still means what it meant. */
export const takenEntries = (value: Json, edits: ReadonlyArray<Edit>): ReadonlyArray<string> =>
  edits.filter((edit) => "remove" in edit && isEntry(value, edit.at)).map(({ at }) => at).toSorted((a, b) =>
    byPlace(b, a)
  )

/**
 * A value with all edits made, of which none may lie within another's place. Every place means what it means in the value as
 * it was: entries of arrays are taken away last. The index of the edit for which there is no place otherwise.
 */
export const applyEdits = (
  value: Json,
  edits: ReadonlyArray<Edit>
): { readonly value: Json } | { readonly impossible: number } => {
  let now = value
  const inOrder = [...edits.entries()].toSorted(([, a], [, b]) => byPlace(a.at, b.at))
  for (const [index, edit] of inOrder) {
    if ("remove" in edit) {
      if (edit.at === "" || valueAt(value, edit.at) === undefined) return { impossible: index }
      if (!isEntry(value, edit.at)) now = take(now, pointerTokens(edit.at), 0)
      continue
    }
    const next = put(now, pointerTokens(edit.at), 0, edit.set)
    if (next === undefined) return { impossible: index }
    now = next
  }
  for (const at of takenEntries(value, edits)) now = take(now, pointerTokens(at), 0)
  return { value: now }
}

/** The emptiest value of the same type, where a schema demands one. */
const emptyOf = (value: unknown): Json =>
  typeof value === "string" ?
    "" :
    typeof value === "number" ?
    0 :
    typeof value === "boolean" ?
    false :
    Array.isArray(value)
    ? []
    : {}

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

/**
 * Makes edits so that the value still fits its schema. Where nothing may stand in a removed one's place, or null may not, the
 * emptiest value of its type does; an edit with which the whole cannot fit is told, and nothing is made of any.
 */
export const fitEdits = (schema: JsonSchema, value: Json, edits: ReadonlyArray<Edit>): Edited => {
  const misfitOf = resultValidator(schema)
  const tried = edits.map(() => 0)
  const standIns = edits.map(({ at }): ReadonlyArray<Json> => [null, emptyOf(valueAt(value, at))])
  const current = () =>
    edits.map((edit, index): Edit =>
      "remove" in edit && tried[index]! > 0 ? { at: edit.at, set: standIns[index]![tried[index]! - 1]! } : edit
    )
  const next = ({ message, path }: Misfit): boolean => {
    const open = [...edits.entries()].filter(([index, edit]) => "remove" in edit && tried[index]! < 2)
    const isMissing = (at: string) => parentOf(at) === path && message.includes(`'${pointerTokens(at).at(-1)}'`)
    const found = open.find(([, { at }]) => isMissing(at)) ?? open.find(([, { at }]) => at === path) ??
      open.find(([, { at }]) => parentOf(at) === path) ??
      open.find(([, { at }]) => isWithin(at, path) || isWithin(path, at))
    if (found !== undefined) tried[found[0]]!++
    return found !== undefined
  }
  for (;;) {
    const made = current()
    const applied = applyEdits(value, made)
    if ("impossible" in applied) {
      return { ok: false, edit: applied.impossible, message: "Nothing can stand at this place of the result" }
    }
    const misfit = misfitOf(applied.value)
    if (misfit === undefined) {
      return {
        ok: true,
        value: applied.value,
        placed: made.map((edit) => "set" in edit ? { value: edit.set } : {})
      }
    }
    if (next(misfit)) continue
    const blamed = edits.findIndex(({ at }) => isWithin(misfit.path, at))
    const wider = blamed === -1 ? edits.findIndex(({ at }) => isWithin(at, misfit.path)) : blamed
    const where = misfit.path === "" ? "the result" : misfit.path
    return {
      ok: false,
      edit: wider === -1 ? null : wider,
      message: `Does not fit the job's schema: ${where} ${misfit.message}`
    }
  }
}
