import type { ScreenLine } from "./ScreenLines.ts"

const tuning = {
  /** A line stands in its place where it is off by less than this share of its height, so that the next line is never taken for it. */
  same_place: 0.6,
  /** Left edges of a line that moves up or down differ by less, in widths of the frame. */
  aligned: 0.02,
  /** Lines that have moved alike, at least: one alone may be another line of the same words. */
  least_moved: 2,
  /** Of the lines that must be on both frames where the page has moved, at least this share is: some are read otherwise or not at all. */
  least_kept: 0.75,
  /** Of a line that stands on a frame more often only so many are compared. */
  most_alike: 20,
  /** A page is at most so many lines long: no list has more entries. */
  most_lines: 200
} as const

/** One line of a frame by what it says. */
export interface KeyedLine {
  readonly key: string
  readonly line: ScreenLine
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const isAt = (one: ScreenLine, left: number, top: number): boolean =>
  Math.abs(one.left - left) < tuning.aligned && Math.abs(one.top - top) < tuning.same_place * one.height

const byKey = <L extends KeyedLine>(lines: ReadonlyArray<L>): ReadonlyMap<string, ReadonlyArray<L>> =>
  new Map(
    Array.from(Map.groupBy(lines, ({ key }) => key), ([key, alike]) => [key, alike.slice(0, tuning.most_alike)])
  )

/** The lines of a frame that stand where the frame before has them too: a site's own bar over a page that scrolls. */
const fixedOn = <L extends KeyedLine>(before: ReadonlyArray<KeyedLine>, now: ReadonlyArray<L>): ReadonlySet<L> => {
  const known = byKey(before)
  return new Set(
    now.filter(({ key, line }) => known.get(key)?.some((one) => isAt(one.line, line.left, line.top)) === true)
  )
}

/** The share of some lines is among others so far from their own place. */
const keptShare = (
  lines: ReadonlyArray<KeyedLine>,
  others: ReadonlyMap<string, ReadonlyArray<KeyedLine>>,
  shift: number
): number =>
  lines.filter(({ key, line }) => others.get(key)?.some((one) => isAt(one.line, line.left, line.top + shift))).length /
  Math.max(1, lines.length)

/**
 * How far, in heights of the frame, a page has moved up from one frame to the next; undefined where it has not, or where anything else has changed as well: lines that
 * stand in the part common to both are on both, and what names the later picture is no new line there.
 */
const scrolledBy = (before: ReadonlyArray<KeyedLine>, now: ReadonlyArray<KeyedLine>): number | undefined => {
  const known = byKey(before)
  const fixed = fixedOn(before, now)
  const free = now.filter((one) => !fixed.has(one))
  const once = byKey(free)
  // Of a line that stands twice nothing tells which of the two has moved where.
  const moves = free.flatMap(({ key, line }) => {
    const [own, ...more] = known.get(key) ?? []
    return own === undefined || more.length > 0 || once.get(key)!.length > 1 ||
        Math.abs(own.line.left - line.left) >= tuning.aligned
      ? []
      : [own.line.top - line.top]
  })
  const shift = median(moves)
  const height = median(free.map(({ line }) => line.height))
  const alike = moves.filter((one) => Math.abs(one - shift) < tuning.same_place * height).length
  if (alike < Math.max(tuning.least_moved, tuning.least_kept * moves.length)) return undefined
  const edges = (lines: ReadonlyArray<KeyedLine>, by: number) => {
    const tops = lines.map(({ line }) => line.top + by)
    return [Math.min(...tops) - height / 2, Math.max(...tops) + height / 2] as const
  }
  const within = (lines: ReadonlyArray<KeyedLine>, by: number, [from, to]: readonly [number, number]) =>
    lines.filter(({ line }) => line.top + by > from && line.top + by < to)
  const still = new Set(Array.from(fixed, ({ key }) => key))
  const earlier = before.filter(({ key }) => !still.has(key))
  const kept = within(earlier, -shift, edges(free, 0))
  const stayed = within(free, shift, edges(earlier, 0))
  if (keptShare(kept, once, -shift) < tuning.least_kept || keptShare(stayed, known, shift) < tuning.least_kept) {
    return undefined
  }
  const heading = stayed.filter(({ line }) => line.heading)
  return keptShare(heading, known, shift) < 1 && heading.length > 0 ? undefined : shift
}

/** Where a line stands on its page. */
interface Place {
  readonly left: number
  readonly top: number
}

/** What is known of a page over the frames that show it, the first of them where it begins. */
export class ScrolledPage {
  readonly #places = new Map<string, Array<Place>>()
  #size = 0
  #offset = 0
  #first = Infinity

  /** How far the page has moved up since its first frame. */
  get offset(): number {
    return this.#offset
  }

  #has({ key, line }: KeyedLine, offset: number): boolean {
    return this.#places.get(key)?.some(({ left, top }) => isAt(line, left, top - offset)) === true
  }

  /**
   * The lines of a frame that are new on the page where it has moved since the frame before; undefined where it has not, where it would go
   * on above its beginning, or where it would be longer than any list.
   */
  scrolled<L extends KeyedLine>(before: ReadonlyArray<L>, now: ReadonlyArray<L>): ReadonlySet<L> | undefined {
    const shift = this.#size > tuning.most_lines ? undefined : scrolledBy(before, now)
    if (shift === undefined) return undefined
    const offset = this.#offset + shift
    const fixed = fixedOn(before, now)
    const fresh = now.filter((one) => !fixed.has(one) && !this.#has(one, offset))
    if (this.#size + fresh.length > tuning.most_lines) return undefined
    if (fresh.some(({ line }) => line.top + offset < this.#first)) return undefined
    this.#offset = offset
    return new Set(fresh)
  }

  /** Whether a frame with one of the page's headings shows it where it was: a page that was scrolled has the same heading wherever it goes on. */
  isStill(before: ReadonlyArray<KeyedLine>, now: ReadonlyArray<KeyedLine>): boolean {
    return this.#offset === 0 || fixedOn(before, now).size >= tuning.least_kept * now.length
  }

  /** Puts lines where the page is now. */
  add(lines: ReadonlyArray<KeyedLine>): void {
    for (const { key, line: { left, top } } of lines) {
      const place = { left, top: top + this.#offset }
      const known = this.#places.get(key)
      if (known === undefined) this.#places.set(key, [place])
      else known.push(place)
      this.#first = Math.min(this.#first, place.top)
      this.#size++
    }
  }
}

/**
 * The lines of a frame that the frame before does not have, wherever it has them: of one that stands there twice and stood there once, the
 * one in the new place.
 */
export const newLines = <L extends KeyedLine>(before: ReadonlyArray<L>, now: ReadonlyArray<L>): ReadonlySet<L> => {
  const fixed = fixedOn(before, now)
  const left = new Map<string, number>()
  for (const { key } of before) left.set(key, (left.get(key) ?? 0) + 1)
  const take = (one: L): boolean => {
    const more = left.get(one.key) ?? 0
    left.set(one.key, more - 1)
    return more > 0
  }
  const known = new Set(now.filter((one) => fixed.has(one) && take(one)))
  return new Set(now.filter((one) => !known.has(one) && !take(one)))
}
