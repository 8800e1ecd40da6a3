import type { Leaf } from "../text/Plan.ts"
import type { Span } from "../text/SourceDocument.ts"
import { stem, STOP_WORDS } from "../text/Tokens.ts"
import type { Judgeable } from "./Judgeable.ts"

/** How a value goes with the others that stand in its result: what tells a value of another field or row that is quoted truly. */
export const STANDING_FEATURES = [
  // Whether it comes where the order of fields has it, beside the values of the fields before and after its own.
  ...["ordered", "out_of_order", "out_of_order_near", "after_previous", "before_next"] as const,
  // Where the whole entry is spoken of that it is in, with the lists inside of it, and where the other entries.
  ...["entry_near", "entries_near", "entry_nearer", "entry_share_near", "entry_out_of_order"] as const,
  // How alike it is to the values of its field in the other entries, in itself and in where it stands.
  ...["column", "column_words", "column_capital", "column_digits", "column_size", "column_size_far"] as const,
  ...["column_whole", "column_unit", "column_modality", "column_context", "column_offset"] as const,
  // Whether the words right beside it are the field's, or another's.
  ...["unit_named", "unit_of_other", "led_by_name", "led_by_other"] as const,
  ...["date_unasked", "date_missing", "clock_unasked", "clock_missing", "digits_unasked"] as const
] as const

const flag = (condition: boolean): number => condition ? 1 : 0
const upTo = (most: number, count: number): number => Math.min(most, count) / most
const within = (least: number, most: number, value: number): number => Math.max(least, Math.min(most, value))
const shareOf = <A>(some: ReadonlyArray<A>, holds: (one: A) => boolean): number =>
  some.length === 0 ? -1 : some.filter(holds).length / some.length
const middle = (some: ReadonlyArray<number>): number => some.toSorted((a, b) => a - b)[some.length >> 1] ?? 0

const overlaps = (a: Span, b: Span): boolean => a.passage === b.passage && a.from < b.to && b.from < a.to
const parentOf = (template: string): string => template.slice(0, template.lastIndexOf("/"))
const isInList = ({ pointer_template }: Judgeable): boolean => pointer_template.includes("/*")
/** The outermost list that a value is in, and its entry there. */
const outerList = ({ pointer_template }: Judgeable): string => pointer_template.slice(0, pointer_template.indexOf("/*"))
const outerEntry = ({ item_key }: Judgeable): string => (item_key ?? "").split("/")[0]!
const entryKey = ({ item_key, pointer_template }: Judgeable): string =>
  `${parentOf(pointer_template)}|${item_key ?? ""}`
const secondOf = ({ span: { from, passage: { t_end, t_start, text } } }: Judgeable): number =>
  t_start + ((t_end - t_start) * from) / Math.max(1, text.length)

/** Farther than this many passages two values of one entry are not near each other. */
const farthest = 12
/** So many passages before and after a value are near it. */
const near = 2

/** As many values of a list before a value and behind it are looked at: with all of a table of thousands each would be compared to each. */
const MOST_AROUND = 200

const distance = (a: Judgeable, b: Judgeable): number =>
  a.span.passage.modality === b.span.passage.modality
    ? Math.min(farthest, Math.abs(a.span.passage.index - b.span.passage.index))
    : farthest
const nearest = (own: Judgeable, some: ReadonlyArray<Judgeable>): number =>
  some.reduce((low, one) => Math.min(low, distance(own, one)), farthest)

const wordsOf = (value: unknown): number => String(value).split(/\s+/u).length
const hasDigit = (value: unknown): boolean => /\d/u.test(String(value))
const isCapital = (value: unknown): boolean => /^\p{Lu}/u.test(String(value))
const sizeOf = (value: unknown): number =>
  typeof value === "number" ? Math.log10(1 + Math.abs(value)) : Math.log10(1 + String(value).length)

/** Words around a value, as stems: those right after it, those right before it. */
const beside = ({ from, passage: { tokens }, to }: Span) => {
  const stems = (some: typeof tokens) => some.filter(({ norm }) => !STOP_WORDS.has(norm)).map(({ norm }) => stem(norm))
  return {
    after: stems(tokens.filter((token) => token.from >= to).slice(0, 2)),
    before: stems(tokens.filter((token) => token.to <= from).slice(-4))
  }
}

/** From one moment to another, in shares of the whole footage. */
const gap = (from: number, to: number, duration: number): number =>
  within(-0.3, 0.3, (to - from) / Math.max(1, duration))

/** Whether it has the form of something that its field does not ask for, or lacks the form that it asks for. */
const formFeatures = ({ value }: Judgeable, { kinds, schema, type }: Leaf): ReadonlyArray<number> => {
  if (typeof value !== "string" || type !== "string") return [0, 0, 0, 0, 0]
  const free = schema["format"] === undefined && schema["pattern"] === undefined
  const asks = (...some: ReadonlyArray<Parameters<typeof kinds.get>[0]>): boolean =>
    some.some((kind) => (kinds.get(kind) ?? 0) > 0)
  const [day, clock] = [/^\d{4}-\d\d-\d\d/u.test(value), /^\d{1,2}:\d\d/u.test(value)]
  return [
    flag(day && free && !asks("date")),
    flag(!day && asks("date") && !/\d/u.test(value)),
    flag(clock && free && !asks("time")),
    flag(!clock && asks("time") && !/\d/u.test(value)),
    flag(/\d/u.test(value) && !asks("date", "time", "code", "phone", "address", "number", "duration", "money"))
  ]
}

/**
 * Prepares how values go with those that stand, in the order of `STANDING_FEATURES`; zero throughout where none does. `leaves` are in
 * the order of the schema. Pure.
 */
export const standingContext = (
  leaves: ReadonlyArray<Leaf>,
  standing: ReadonlyArray<Judgeable>,
  duration: number
): (draft: Judgeable, leaf: Leaf) => ReadonlyArray<number> => {
  const placeOf = new Map(leaves.map(({ template }, at) => [template, at]))
  const place = ({ pointer_template }: Judgeable): number => placeOf.get(pointer_template) ?? 0
  const lists = Map.groupBy(standing.filter(isInList), outerList)
  const single = standing.filter((one) => !isInList(one))
  const entryOrder = new Map(
    Array.from(lists, ([list, some]): [string, ReadonlyMap<string, number>] => [
      list,
      new Map(Array.from(new Set(some.map(outerEntry)), (entry, at) => [entry, at]))
    ])
  )
  const entries = Map.groupBy(standing, entryKey)
  const words = new Map<Judgeable, ReturnType<typeof beside>>()
  const besideOf = (one: Judgeable) => {
    const known = words.get(one) ?? beside(one.span)
    words.set(one, known)
    return known
  }

  const orderOf = (draft: Judgeable, scope: ReadonlyArray<Judgeable>): ReadonlyArray<number> => {
    const [own, second] = [place(draft), secondOf(draft)]
    const others = scope.filter((one) => place(one) !== own && secondOf(one) !== second)
      .toSorted((a, b) => Math.abs(place(a) - own) - Math.abs(place(b) - own))
    const isOut = (one: Judgeable): boolean => (place(one) < own) !== (secondOf(one) < second)
    const [previous, next] = [others.find((one) => place(one) < own), others.find((one) => place(one) > own)]
    return [
      upTo(8, others.length),
      shareOf(others, isOut),
      shareOf(others.slice(0, 4), isOut),
      previous === undefined ? 0 : gap(secondOf(previous), second, duration),
      next === undefined ? 0 : gap(second, secondOf(next), duration)
    ]
  }

  const entryOf = (draft: Judgeable, list: ReadonlyArray<Judgeable>): ReadonlyArray<number> => {
    const entry = outerEntry(draft)
    const own = list.filter((one) =>
      outerEntry(one) === entry &&
      (one.pointer_template !== draft.pointer_template || one.item_key !== draft.item_key)
    )
    const others = list.filter((one) => outerEntry(one) !== entry)
    const [ours, theirs] = [nearest(draft, own), nearest(draft, others)]
    const isNear = (one: Judgeable): boolean => distance(draft, one) <= near
    const [ourNear, theirNear] = [own.filter(isNear).length, others.filter(isNear).length]
    const order = entryOrder.get(outerList(draft))
    const at = order?.get(entry)
    const second = secondOf(draft)
    const isOut = (one: Judgeable): boolean => (order!.get(outerEntry(one))! < at!) !== (secondOf(one) < second)
    return [
      ours,
      theirs,
      ours - theirs,
      ourNear + theirNear === 0 ? -1 : ourNear / (ourNear + theirNear),
      at === undefined ? -1 : shareOf(others.filter((one) => secondOf(one) !== second), isOut)
    ]
  }

  const offsets = new Map<Judgeable, number | undefined>()
  /** How far from the rest of its entry a value stands, in passages. */
  const offsetOf = (draft: Judgeable): number | undefined => {
    if (offsets.has(draft)) return offsets.get(draft)
    const rest = (entries.get(entryKey(draft)) ?? []).filter((one) =>
      one.pointer_template !== draft.pointer_template && !overlaps(one.span, draft.span)
    )
    const offset = rest.length === 0
      ? undefined
      : within(-6, 6, draft.span.passage.index - middle(rest.map(({ span }) => span.passage.index)))
    offsets.set(draft, offset)
    return offset
  }

  const columnOf = (draft: Judgeable, column: ReadonlyArray<Judgeable>) => {
    const { span: { passage }, value } = draft
    if (column.length === 0) return [0, 0, -1, -1, 0, 0, -1, -1, -1, -1, -1]
    const sizes = column.map((one) => sizeOf(one.value))
    const size = sizeOf(value)
    const { after, before } = besideOf(draft)
    const around = new Set([...after, ...before])
    const own = offsetOf(draft)
    const theirs = own === undefined ? [] : column.flatMap((one) => offsetOf(one) ?? [])
    return [
      upTo(5, column.length),
      within(-3, 3, Math.log2(wordsOf(value) / middle(column.map((one) => wordsOf(one.value))))),
      shareOf(column, (one) => isCapital(one.value) === isCapital(value)),
      shareOf(column, (one) => hasDigit(one.value) === hasDigit(value)),
      size - middle(sizes),
      Math.min(...sizes.map((one) => Math.abs(one - size))),
      typeof value === "number"
        ? shareOf(column, (one) => Number.isInteger(one.value) === Number.isInteger(value))
        : -1,
      typeof value === "number" ? shareOf(column, (one) => besideOf(one).after[0] === after[0]) : -1,
      shareOf(column, (one) => one.span.passage.modality === passage.modality),
      shareOf(column, (one) => {
        const other = besideOf(one)
        return other.after.some((word) => around.has(word)) || other.before.some((word) => around.has(word))
      }),
      own === undefined || theirs.length === 0 ? -1 : Math.abs(own - middle(theirs))
    ]
  }

  const besideFeatures = (draft: Judgeable, leaf: Leaf): ReadonlyArray<number> => {
    const others = leaves.filter((other) => other !== leaf && other.type === leaf.type)
    const { after, before } = besideOf(draft)
    const owned = (some: ReadonlyArray<string>): boolean => some.some((word) => (leaf.terms.get(word) ?? 0) >= 0.4)
    const anothers = (some: ReadonlyArray<string>): boolean =>
      some.some((word) => !leaf.terms.has(word) && others.some(({ terms }) => (terms.get(word) ?? 0) >= 0.6))
    return [flag(owned(after)), flag(anothers(after)), flag(owned(before)), flag(anothers(before))]
  }

  const places = new Map(Array.from(lists.values()).flatMap((some) => some.map((one, at) => [one, at] as const)))
  /** The list that a value is in, of a long one what stands around it. */
  const listAround = (draft: Judgeable): ReadonlyArray<Judgeable> => {
    const list = lists.get(outerList(draft)) ?? []
    const from = Math.max(0, (places.get(draft) ?? 0) - MOST_AROUND)
    return list.length <= 2 * MOST_AROUND ? list : list.slice(from, from + 2 * MOST_AROUND)
  }

  const nothing = STANDING_FEATURES.map(() => 0)
  return (draft, leaf) => {
    if (standing.length === 0) return nothing
    const list = listAround(draft)
    const inList = isInList(draft)
    // Where the value that it was taken from stands is no news: whoever it belongs to stands at the same place.
    const elsewhere = (some: ReadonlyArray<Judgeable>) => some.filter(({ span }) => !overlaps(span, draft.span))
    const others = elsewhere(inList ? list : single)
    const scope = inList ? elsewhere(entries.get(entryKey(draft)) ?? []) : others
    const column = inList
      ? others.filter((one) => one.pointer_template === draft.pointer_template && one.item_key !== draft.item_key)
      : []
    return [
      ...orderOf(draft, scope),
      ...(inList ? entryOf(draft, others) : [0, 0, 0, -1, -1]),
      ...columnOf(draft, column),
      ...besideFeatures(draft, leaf),
      ...formFeatures(draft, leaf)
    ]
  }
}
