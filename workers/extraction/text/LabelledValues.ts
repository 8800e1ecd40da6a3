/** One `Label: value` of a line on the screen. */
export interface LabelledValue {
  readonly label: string
  /** Where the label's own words begin. */
  readonly start: number
  /** Where its value begins, and up to where everything is surely of it. */
  readonly from: number
  readonly to: number
  /** The value; null where nothing tells its last words from the first ones of the next label. */
  readonly value: string | null
}

/** `Label: value` as slides, forms and captions write it; a bar stands between the cells of a row. */
const LABELLED = /^\s*([\p{L}][\p{L}\p{N} /&()'-]{1,40}?)\s*[:=–-]\s+(?:\|\s+)?(.{1,120}?)\s*$/u

/** What parts one pair from the next in so many signs. */
const PARTED = /\s+\(|\s*[|;·•]\s*|\s\/\s|\s{2,}/gu
const PARTED_LABEL = /^(?=.{0,40}\p{L})[\p{L}\p{N}][\p{L}\p{N}'&/-]*(?: [\p{L}\p{N}&][\p{L}\p{N}'&/-]*){0,3}$/u
/** "Carrier", "Day pass": a capital and no further one. */
const LABEL_AT_END = /(?:^|[\s,])(\p{Lu}[\p{L}\p{N}'&/-]*(?: [\p{Ll}&][\p{L}\p{N}'&/-]*){0,3})$/u
/** Capitals right before a label may be its first words ("Post Code") or the value's last ones ("Priya Nair"). */
const CAPITALS_AT_END = /(?:^|\s)\p{Lu}[\p{L}.'&/-]*(?: \p{Lu}[\p{L}.'&/-]*)*$/u

/** Labels of titles and of what somebody says, which have colons of their own. */
const OF_SENTENCES =
  /\b(?:title|subtitle|topic|subject|headline|talk|lecture|session|lesson|course|paper|book|film|movie|show|series|episode|chapter|question|answer|note|tip|hint|warning|error|message|quote|reason|remark|comment|summary|description|q|a)s?$/iu

/** A value is at most so many words long where nothing but a capital parts it from the next label. */
const MOST_WORDS = 5

interface Label {
  readonly label: string
  readonly start: number
  /** Where its value begins. */
  readonly from: number
  /** Where the value before it surely ends, and whether all before the label is that value. */
  readonly end: number
  readonly sure: boolean
}

/** The label at the end of what stands between two colons, as offsets in it. */
const labelIn = (between: string, sentences: boolean): Omit<Label, "from"> | undefined => {
  const sign = Array.from(between.matchAll(PARTED)).at(-1)
  if (sign !== undefined && sign.index > 0) {
    const start = sign.index + sign[0].length
    const label = between.slice(start)
    if (PARTED_LABEL.test(label)) return { label, start, end: sign.index, sure: true }
  }
  const label = sentences ? undefined : LABEL_AT_END.exec(between)?.[1]
  if (label === undefined) return undefined
  const start = between.length - label.length
  const before = between.slice(0, start).trimEnd()
  if (before === "" || before.split(/\s+/u).length > MOST_WORDS) return undefined
  const capitals = CAPITALS_AT_END.exec(before)
  return { label, start, end: capitals?.index ?? before.length, sure: capitals === null }
}

/** Behind a wide gap another column begins. */
const firstCell = (text: string): string => text.split(/\s{2,}/u)[0]!

const withoutSigns = (value: string): string => {
  const bare = firstCell(value).replace(/[\s,;|·•/]{1,8}$/u, "")
  return bare.endsWith(")") && !bare.includes("(") ? bare.slice(0, -1) : bare
}

/**
 * The pairs of label and value of one line, from left to right; none where it is no such line. The words after a value up to
 * the next colon are the next label. Where capitals leave open which of them are, the value before is not told. Pure.
 */
export const labelledValues = (text: string): ReadonlyArray<LabelledValue> => {
  const first = LABELLED.exec(text)
  if (first === null) return []
  const label = first[1]!
  const rest = first[2]!
  const from = text.lastIndexOf(rest)
  const labels: Array<Label> = [{ label, start: 0, from, end: 0, sure: true }]
  for (const colon of rest.matchAll(/\s?:\s+(?=\S)/gu)) {
    const last = labels.at(-1)!
    const next = labelIn(text.slice(last.from, from + colon.index), OF_SENTENCES.test(last.label))
    if (next === undefined) continue
    labels.push({
      label: next.label,
      start: last.from + next.start,
      from: from + colon.index + colon[0].length,
      end: last.from + next.end,
      sure: next.sure
    })
  }
  return labels.map((one, at) => {
    const next = labels[at + 1]
    const to = next === undefined ? from + rest.length : next.end
    const value = withoutSigns(text.slice(one.from, to))
    return {
      label: one.label,
      start: one.start,
      from: one.from,
      to: next === undefined ? text.length : to,
      value: next?.sure === false || value === ""
        ? null
        : next === undefined && at === 0
        ? firstCell(rest)
        : value
    }
  })
}
