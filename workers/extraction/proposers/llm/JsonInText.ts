/** Pieces of an answer that may be tried as JSON. */
const MOST_VALUES = 2000
/** How often the search begins anew behind a bracket that nothing closes, where a stray quotation mark may have hidden what follows. */
const MOST_STARTS = 4
/** Levels of brackets below a value that is no JSON: its list, and what that lists. */
const SALVAGE_LEVELS = 2
/** Objects that the object with the list may stand in. */
const WRAPPER_LEVELS = 3

/** Characters `[from, to)`. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/**
 * The widest stretches between `from` and `to` that begin with a bracket and end with the one that closes it, in their order, and where, of a
 * text that ends within quotation marks, the first bracket is that nothing closes. Reads each character once.
 */
const bracketed = (
  text: string,
  from: number,
  to: number
): { readonly closed: ReadonlyArray<Stretch>; readonly unclosed: number | undefined } => {
  const open: Array<number> = []
  const closed: Array<Stretch> = []
  let quoted = false
  for (let at = from; at < to; at++) {
    const sign = text[at]
    if (quoted) {
      if (sign === "\\") at++
      else if (sign === "\"") quoted = false
    } else if (sign === "\"") quoted = open.length > 0
    else if (sign === "{" || sign === "[") open.push(at)
    else if (sign === "}" || sign === "]") {
      const begin = open.pop()
      if (begin === undefined) continue
      while (closed.length > 0 && closed.at(-1)!.from > begin) closed.pop()
      closed.push({ from: begin, to: at + 1 })
    }
  }
  return { closed, unclosed: quoted ? open[0] : undefined }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** How an answer lists its objects. */
export interface ListShape {
  /** The member that holds the list. */
  readonly list: string
  /** The member by which an object of the list is known where it stands elsewhere. */
  readonly key: string
}

/** Objects of an answer. `whole` is false where it was cut off or is no JSON as a whole: these are what can be read of it. */
export interface ListedObjects {
  readonly objects: ReadonlyArray<Members>
  readonly whole: boolean
}

/** The list under its name in an object, or in one inside of it. */
const namedList = (value: unknown, name: string, levels = WRAPPER_LEVELS): ReadonlyArray<Members> | undefined => {
  if (!isObject(value)) return undefined
  const own = value[name]
  if (Array.isArray(own)) {
    const objects = own.filter(isObject)
    return objects.length > 0 || own.length === 0 ? objects : undefined
  }
  if (levels === 0) return undefined
  for (const inner of Object.values(value)) {
    const list = namedList(inner, name, levels - 1)
    if (list !== undefined) return list
  }
  return undefined
}

const listOf = (value: unknown, { key, list }: ListShape): ReadonlyArray<Members> | undefined => {
  if (!Array.isArray(value)) return namedList(value, list)
  const objects = value.filter(isObject)
  return objects.length === value.length && objects.every((one) => key in one) ? objects : undefined
}

const readFrom = (text: string, from: number, to: number, shape: ListShape) => {
  let best: ReadonlyArray<Members> | undefined
  const single: Array<Members> = []
  let tries = MOST_VALUES
  const salvage = ({ from, to }: Stretch, levels: number): void => {
    if (tries-- <= 0) return
    const value = parsed(text.slice(from, to))
    if (value !== undefined) {
      single.push(...[value].flat().filter(isObject).filter((one) => shape.key in one))
    } else if (levels > 0) {
      for (const inner of bracketed(text, from + 1, to - 1).closed) salvage(inner, levels - 1)
    }
  }
  const { closed, unclosed } = bracketed(text, from, to)
  for (const stretch of closed) {
    const value = tries-- > 0 ? parsed(text.slice(stretch.from, stretch.to)) : undefined
    const list = value === undefined ? undefined : listOf(value, shape)
    if (list !== undefined) best = best === undefined || list.length >= best.length ? list : best
    else if (value === undefined || (isObject(value) && shape.key in value)) salvage(stretch, SALVAGE_LEVELS)
  }
  const read: ListedObjects | undefined = best !== undefined && best.length > 0
    ? { objects: best, whole: true }
    : single.length > 0
    ? { objects: single, whole: false }
    : best && { objects: best, whole: true }
  return { read, unclosed }
}

/**
 * The objects of the list that a text holds as JSON, by itself, in an object, in a code fence or between sentences: of several
 * lists the longest, then the last. Of a text that is cut off or no JSON as a whole, the objects that are; undefined where
 * there is neither. The work grows with the length of the text alone, whatever stands in it.
 */
export const listedObjects = (text: string, shape: ListShape): ListedObjects | undefined => {
  let empty: ListedObjects | undefined
  for (let start = 0, from = 0; start < MOST_STARTS; start++) {
    const { read, unclosed } = readFrom(text, from, text.length, shape)
    if (read !== undefined && read.objects.length > 0) return read
    empty ??= read
    if (unclosed === undefined) break
    from = unclosed + 1
  }
  return empty
}

/** Where a text is JSON with such a list in it: nothing in there is markup. */
export const listStretches = (text: string, shape: ListShape): ReadonlyArray<Stretch> =>
  bracketed(text, 0, text.length).closed.slice(0, MOST_VALUES).filter(({ from, to }) =>
    (listOf(parsed(text.slice(from, to)), shape)?.length ?? 0) > 0
  )
