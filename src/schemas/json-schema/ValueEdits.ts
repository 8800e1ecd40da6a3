import { isObject, type Json, type JsonSchema, pointerTokens, setOwn, valueAt } from "./JsonSchema.ts"
import { type Misfit, misfitFinder } from "./ResultValidator.ts"

/** A value to stand at a JSON pointer, or none any more. */
export type Edit = { readonly at: string; readonly set: Json } | { readonly at: string; readonly remove: true }

/** What came of edits: the value and what stands at each place now (absent where nothing does), or which edit cannot be made. */
export type Edited =
  | { readonly ok: true; readonly value: Json; readonly placed: ReadonlyArray<{ readonly value?: Json }> }
  /** `edit` is null where no single one is to blame. */
  | { readonly ok: false; readonly edit: number | null; readonly message: string }

const isIndex = (token: string): boolean => /^(?:0|[1-9]\d{0,8})$/u.test(token)

/** The copies of arrays and objects that edits have made of a value: each is made once, however many edits lie within it. */
type Copies = WeakSet<object>

const copyOf = <A extends ReadonlyArray<Json> | { readonly [key: string]: Json }>(node: A, copies: Copies): A => {
  if (copies.has(node)) return node
  const copy = (Array.isArray(node) ? [...node] : { ...node }) as A
  copies.add(copy)
  return copy
}

/** A copy with a value at a place; what is missing on the way, or null, is made. Undefined where nothing can stand there. */
const put = (
  node: Json | undefined,
  tokens: ReadonlyArray<string>,
  at: number,
  value: Json,
  copies: Copies
): Json | undefined => {
  const token = tokens[at]
  if (token === undefined) return value
  if (node === undefined || node === null) return put(token === "0" ? [] : {}, tokens, at, value, copies)
  if (Array.isArray(node)) {
    if (!isIndex(token) || Number(token) > node.length) return undefined
    const copy = copyOf(node as Array<Json>, copies)
    const below = put(copy[Number(token)], tokens, at + 1, value, copies)
    if (below !== undefined) copy[Number(token)] = below
    return below === undefined ? undefined : copy
  }
  if (!isObject(node)) return undefined
  const copy = copyOf(node as { [key: string]: Json }, copies)
  const below = put(Object.hasOwn(copy, token) ? copy[token] : undefined, tokens, at + 1, value, copies)
  if (below !== undefined) setOwn(copy, token, below)
  return below === undefined ? undefined : copy
}

/** A copy without what stands at a place. */
const take = (node: Json, tokens: ReadonlyArray<string>, at: number, copies: Copies): Json => {
  const token = tokens[at]!
  const last = at === tokens.length - 1
  if (Array.isArray(node)) {
    const copy = copyOf(node as Array<Json>, copies)
    const index = Number(token)
    if (last) copy.splice(index, 1)
    else copy[index] = take(copy[index]!, tokens, at + 1, copies)
    return copy
  }
  const copy = copyOf(node as { [key: string]: Json }, copies)
  if (last) Reflect.deleteProperty(copy, token)
  else setOwn(copy, token, take(copy[token]!, tokens, at + 1, copies))
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
  const copies: Copies = new WeakSet()
  const inOrder = [...edits.entries()].toSorted(([, a], [, b]) => byPlace(a.at, b.at))
  for (const [index, edit] of inOrder) {
    if ("remove" in edit) {
      if (edit.at === "" || valueAt(value, edit.at) === undefined) return { impossible: index }
      if (!isEntry(value, edit.at)) now = take(now, pointerTokens(edit.at), 0, copies)
      continue
    }
    const next = put(now, pointerTokens(edit.at), 0, edit.set, copies)
    if (next === undefined) return { impossible: index }
    now = next
  }
  for (const at of takenEntries(value, edits)) now = take(now, pointerTokens(at), 0, copies)
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

/** Whether it is this member that is asked for and is not there. */
const isMissing = (at: string, { message, path }: Misfit): boolean =>
  parentOf(at) === path && message.includes(`'${pointerTokens(at).at(-1)}'`)

/**
 * Makes edits so that the value still fits its schema. Where nothing may stand in a removed one's place, or null may not, the
 * emptiest value of its type does; an edit with which the whole cannot fit is told, and nothing is made of any.
 */
export const fitEdits = (schema: JsonSchema, value: Json, edits: ReadonlyArray<Edit>): Edited => {
  const misfitsOf = misfitFinder(schema)
  const tried = edits.map(() => 0)
  const standIns = edits.map(({ at }): ReadonlyArray<Json> => [null, emptyOf(valueAt(value, at))])
  const current = () =>
    edits.map((edit, index): Edit =>
      "remove" in edit && tried[index]! > 0 ? { at: edit.at, set: standIns[index]![tried[index]! - 1]! } : edit
    )
  const next = (misfit: Misfit): boolean => {
    const { path } = misfit
    const open = [...edits.entries()].filter(([index, edit]) => "remove" in edit && tried[index]! < 2)
    const found = open.find(([, { at }]) => isMissing(at, misfit)) ?? open.find(([, { at }]) => at === path) ??
      open.find(([, { at }]) => parentOf(at) === path) ??
      open.find(([, { at }]) => isWithin(at, path) || isWithin(path, at))
    if (found !== undefined) tried[found[0]]!++
    return found !== undefined
  }
  /** Every other removal of which it is certain at once: one for each time the whole is checked took 4 s for 800 of them. */
  const others = (misfits: ReadonlyArray<Misfit>, before: ReadonlyArray<number>) => {
    const byPath = Map.groupBy(misfits, ({ path }) => path)
    for (const [index, edit] of edits.entries()) {
      if (!("remove" in edit) || tried[index]! >= 2 || tried[index] !== before[index]) continue
      const missing = byPath.get(parentOf(edit.at))?.some((misfit) => isMissing(edit.at, misfit)) ?? false
      if (missing || byPath.has(edit.at)) tried[index]!++
    }
  }
  for (;;) {
    const made = current()
    const applied = applyEdits(value, made)
    if ("impossible" in applied) {
      return { ok: false, edit: applied.impossible, message: "Nothing can stand at this place of the result" }
    }
    const [misfit, ...certain] = misfitsOf(applied.value)
    if (misfit === undefined) {
      return {
        ok: true,
        value: applied.value,
        placed: made.map((edit) => "set" in edit ? { value: edit.set } : {})
      }
    }
    const before = [...tried]
    if (next(misfit)) {
      others(certain, before)
      continue
    }
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
