import { isObject, pointerTo } from "../../src/schemas/json-schema/JsonSchema.ts"
import { isLeaf, type Leaf, leavesOf, templateOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import { equal } from "./Equality.ts"

/** What a person wrote down as true of a video: by name of a field, or by `parent/name`; null where the video does not say it. */
export type TruthNotes = Readonly<Record<string, unknown>>

const REMARK = /\s*\(([^)]*)\)\s*/gu
/** A remark by which nothing is as right as what is noted: "(optional)", "(nobody was hurt; accept empty as missing)". */
const OPTIONAL = /\b(?:optional|empty)\b/u
const BESIDE = /\s+\/\s+|\s+or\s+|(?<=^\p{L}+)\/(?=[\p{L} ]+$)/u

const typed = (text: string): ReadonlyArray<Leaf> => {
  const clock = /^\d{2}:\d{2}$/u.test(text) ? [`${text}:00`, `${text}:00Z`] : []
  const number = text.trim() === "" ? Number.NaN : Number(text)
  return [
    text,
    ...clock,
    ...(Number.isNaN(number) ? [] : [number]),
    ...(text === "true" || text === "false" ? [text === "true"] : [])
  ]
}

/** Every value that a note allows: `a / b` is either, what stands in brackets may be there or not. */
export const allowed = (note: Leaf): ReadonlyArray<Leaf> => {
  if (typeof note !== "string") return [note]
  const without = note.replaceAll(REMARK, " ").trim()
  const unwrapped = note.replaceAll(/[()]/gu, "")
  return [note, unwrapped, without, ...without.split(BESIDE)].flatMap(typed)
}

const isOptional = (note: Leaf): boolean =>
  typeof note === "string" && Array.from(note.matchAll(REMARK)).some(([, remark]) => OPTIONAL.test(remark!))

const nested = (notes: TruthNotes): Record<string, unknown> => {
  const whole: Record<string, unknown> = {}
  for (const [path, note] of Object.entries(notes)) {
    const names = path.split("/")
    let at = whole
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>
    at[names.at(-1)!] = note
  }
  return whole
}

/**
 * The right result beside the one that was given: of values that are allowed the given one, of what is optional only what was
 * given, and by pointer what the video does not say.
 */
export const settle = (notes: TruthNotes, result: unknown): {
  readonly gold: unknown
  readonly not_stated: ReadonlyArray<string>
} => {
  const given = Map.groupBy(leavesOf(result), ({ pointer }) => templateOf(pointer))
  const not_stated: Array<string> = []
  const settled = (note: unknown, pointer: string): unknown => {
    if (Array.isArray(note)) {
      const entries = note.map((entry, at) => settled(entry, `${pointer}/${at}`))
      // An entry goes with what is optional in it.
      return entries.filter((entry, at) =>
        entry !== undefined &&
        !(isObject(entry) && isObject(note[at]) &&
          Object.entries(note[at]).some(([name, one]) => isLeaf(one) && isOptional(one) && entry[name] === undefined))
      )
    }
    if (isObject(note)) {
      const named = Object.entries(note).map((
        [name, one]
      ): readonly [string, unknown] => [name, settled(one, pointerTo(pointer, name))])
      return Object.fromEntries(named.filter(([, one]) => one !== undefined))
    }
    if (!isLeaf(note) || note === null) {
      not_stated.push(pointer)
      return undefined
    }
    const values = allowed(note)
    const said = given.get(templateOf(pointer))?.find(({ value }) => values.some((one) => equal(value, one)))
    return said?.value ?? (isOptional(note) ? undefined : note)
  }
  const gold = settled(nested(notes), "")
  return { gold, not_stated }
}
