import { convertedTo } from "./Metric.ts"
import { plainText, quantitiesIn, type Quantity } from "./Quantities.ts"

/** Units after which their hundredths are said without a unit of their own. */
const inHundredths = /^\s*(?:pounds?|quid|euros?|dollars?|bucks|francs?|met(?:er|re)s?|[$€£])(?: and)?\s*$/u
const hundredths = /^\s*(?:cents?|penny|pence|p\b)/u

const seconds: ReadonlyArray<readonly [RegExp, number]> = [
  [/^sec(?:ond)?s?$/u, 1],
  [/^min(?:ute)?s?$/u, 60],
  [/^h(?:(?:ou)?rs?)?$/u, 3600],
  [/^(?:day|night)s?$/u, 86_400],
  [/^weeks?$/u, 604_800],
  [/^months?$/u, 2_592_000],
  [/^years?$/u, 31_536_000]
]

/** A number with the unit of time that stands behind it, in seconds. */
interface Timed extends Quantity {
  readonly unit: number
  /** Where the unit ends. */
  readonly until: number
}

const unitAfter =
  /^[\s-]*((?:of\s+)?(?:an?\s+|the\s+)?)(\p{L}+)\.?(?:\s+and\s+(?:an?\s+(half|quarter)|three\s+(quarters))\b(?!\s+(?:past|to)\b))?/u

const timedAt = (plain: string, quantity: Quantity): Timed | undefined => {
  const match = unitAfter.exec(plain.slice(quantity.to, quantity.to + 40))
  const unit = match === null ? undefined : seconds.find(([word]) => word.test(match[2]!))?.[1]
  if (match === null || unit === undefined) return undefined
  // "A quarter of an hour" is a length of time, "60 an hour" is none.
  if (match[1] !== "" && !quantity.values.some((value) => value > 0 && value < 1)) return undefined
  const more = match[4] === undefined ? match[3] === undefined ? 0 : match[3] === "half" ? 0.5 : 0.25 : 0.75
  const values = quantity.values.map((value) => value + more)
  return { values, from: quantity.from, to: quantity.to, unit, until: quantity.to + match[0].length }
}

/** "An hour", "an hour and a half": lengths of time that begin without a number. */
const withoutNumber = (plain: string): ReadonlyArray<Quantity> =>
  Array.from(
    plain.matchAll(
      /(?<!\b(?:half|quarter|quarters|third|thirds|of)\s)\ban?(?=\s(?:hour|minute|day|night|week|month|year)\b)/gu
    ),
    ({ 0: text, index }) => ({ values: [1], from: index, to: index + text.length })
  )

/** Numbers that two side by side make together: a year or a price in pairs, units and their hundredths. */
const joined = (plain: string, quantities: ReadonlyArray<Quantity>): ReadonlyArray<Quantity> =>
  quantities.slice(1).flatMap((right, at) => {
    const left = quantities[at]!
    const between = plain.slice(left.to, right.from)
    const values = left.values.flatMap((a) =>
      right.values.flatMap((b) => {
        if (!(b >= 0 && b < 100) || !Number.isInteger(a) || !Number.isInteger(b)) return []
        if (inHundredths.test(between)) return [a + b / 100]
        if (/^[\s-]+(?:oh|o)[\s-]+$/u.test(between)) return b < 10 ? [a * 100 + b] : []
        const inWords = /^[\s-]+$/u.test(between) && /^\p{L}/u.test(plain.slice(left.from)) &&
          /^\p{L}/u.test(plain.slice(right.from))
        if (!inWords) return []
        return a < 100 ? [a * 100 + b, a + b / 100] : b >= 10 ? [a + b / 100] : []
      })
    )
    return values.length === 0 ? [] : [{ values, from: left.from, to: right.to }]
  })

/** Numbers that are only one part of a price: of "12 dollars 50" neither 12 nor 50 is said. */
const partial = (plain: string, left: Quantity, right: Quantity): boolean => {
  const rest = plain.slice(right.to, right.to + 8)
  return inHundredths.test(plain.slice(left.to, right.from)) &&
    right.values.some((value) => value >= 0 && value < 100) &&
    (hundredths.test(rest) || /^\s*(?:$|[.,;:!?)](?!\d))/u.test(rest))
}

/** Farther no number is looked for that a quote cuts. */
const nearby = 60

/**
 * The quote, in plain form, with the rest of every number that it cuts: the number that "two" says is another where the
 * source goes on with "dozen", "thirds" or "dollars 50".
 */
export const withWholeNumbers = (before: string, quote: string, after: string): string => {
  const head = before.slice(-nearby).replace(before.length > nearby ? /^\S*\s/u : /^$/u, "")
  const tail = after.slice(0, nearby).replace(after.length > nearby ? /\s\S*$/u : /^$/u, "")
  const plain = plainText(head + quote + tail)
  const from = plainText(head).length
  const to = from + plainText(quote).length
  const all = quantitiesIn(plain)
  const pairs = all.slice(1).flatMap((right, at) =>
    partial(plain, all[at]!, right) ? [{ from: all[at]!.from, to: right.to }] : []
  )
  const cut = [...all, ...pairs].filter((one) => one.from < to && one.to > from)
  const start = Math.min(from, ...cut.map((one) => one.from))
  const end = Math.max(to, ...cut.map((one) => one.to))
  const minus = /(?:\b(?:minus|negative)\s+|(?<![\p{L}\d])[-−–‒][$€£¥₹]?)$/u.exec(plain.slice(0, start))?.[0] ?? ""
  const cents = cut.some((one) => one.to === end) ? hundredths.exec(plain.slice(end))?.[0] ?? "" : ""
  return minus + plain.slice(start, end) + cents
}

interface Said {
  /** Of cents the first half of the values is in whole ones. */
  readonly quantities: ReadonlyArray<Quantity & { readonly cents?: boolean }>
  readonly plain: string
}

const read = (text: string): Said => {
  const plain = plainText(text)
  const all = quantitiesIn(plain)
  const whole = all.filter((quantity, at) => {
    const [before, after] = [all[at - 1], all[at + 1]]
    return !(before !== undefined && partial(plain, before, quantity)) &&
      !(after !== undefined && partial(plain, quantity, after))
  })
  const quantities = [...whole, ...withoutNumber(plain)].map((quantity) => {
    if (hundredths.test(plain.slice(quantity.to, quantity.to + 8))) {
      const values = quantity.values.map((value) => value / 100).concat(quantity.values)
      return { from: quantity.from, to: quantity.to, cents: true, values }
    }
    // "Two hours and a half" are not two.
    const timed = timedAt(plain, quantity)
    return timed ?? quantity
  })
  return { plain, quantities: [...quantities, ...joined(plain, all)] }
}

/** Every number that a text says, in each way that it may be read: in digits, in words, with its scale, as a year in pairs. */
export const readingsOf = (text: string): ReadonlyArray<ReadonlyArray<number>> =>
  read(text).quantities.map(({ values }) => values)

export const numbersSaid = (text: string): ReadonlyArray<number> => readingsOf(text).flat()

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))

/** "1h30", "1:30 hours". */
const hoursAndMinutes = /\b(\d{1,3})(?:\s?h\s?|:)([0-5]\d)(?!\d)(?:(?<=h\s?\d{2})|\s?(?:h|hrs?|hours?)\b)/gu

/** "2h 45m", "4m 30s": letters that are minutes and seconds only side by side. */
const inLetters =
  /(?<![\d.,])(?:(\d{1,3})\s?h\s?(\d{1,2})\s?m(?:\s?(\d{1,2})\s?s)?|()(\d{1,3})m\s?(\d{1,2})s)(?![\p{L}\d])/gu

/** "One hour forty": what may follow the smaller unit that is not said, where nothing is counted by it. */
const endsThere = /^\s*(?:$|[.,;:!?)](?!\d))/u
const smaller: ReadonlyMap<number, number> = new Map([[3600, 60], [60, 1]])

/** The part of a duration whose unit is the next smaller one and not said. */
const bareAfter = (plain: string, before: Timed | undefined, { from, values }: Quantity): ReadonlyArray<number> => {
  const unit = smaller.get(before?.unit ?? 0)
  return before === undefined || unit === undefined || !/^\s+$/u.test(plain.slice(before.until, from))
    ? []
    : values.filter((value) => Number.isInteger(value) && value > 1 && value < 60).map((value) => value * unit)
}

const covered = (matches: ReadonlyArray<RegExpExecArray>): ReadonlyArray<number> =>
  matches.flatMap(({ 0: text, index }) => Array.from(text, (_, at) => index + at))

/**
 * Lengths of time in seconds, of which each number has its own unit: "2 hrs 10 min" is one, "two to three hours" are two, and of "one
 * hour forty" the last has none.
 */
const lengthsIn = (plain: string): ReadonlyArray<number> => {
  const letters = Array.from(plain.matchAll(inLetters))
  const taken = new Set(covered(letters))
  const compact = Array.from(plain.matchAll(hoursAndMinutes)).filter(({ index }) => !taken.has(index))
  for (const at of covered(compact)) taken.add(at)
  const lengths: Array<number> = [
    ...letters.map(([, h, m, s, , minutes, seconds]) =>
      Number(h ?? 0) * 3600 + Number(m ?? minutes) * 60 + Number(s ?? seconds ?? 0)
    ),
    ...compact.map(([, hours, minutes]) => Number(hours) * 3600 + Number(minutes) * 60)
  ]
  const quantities = [...quantitiesIn(plain), ...withoutNumber(plain)].filter(({ from }) => !taken.has(from))
    .toSorted((a, b) => a.from - b.from)
  let before: (Timed & { readonly sums: ReadonlyArray<number> }) | undefined
  let open: ReadonlyArray<{ readonly one: Quantity; readonly at: number }> = []
  for (const [at, one] of quantities.entries()) {
    const timed = timedAt(plain, one)
    if (timed === undefined) {
      const next = quantities[at + 1]
      const ranges = next !== undefined && /^\s*(?:to|or|and|-|–)\s*$/u.test(plain.slice(one.to, next.from))
      open = ranges ? [...open, { one, at }] : []
      const bare = bareAfter(plain, before, one)
      if (bare.length > 0 && endsThere.test(plain.slice(one.to))) lengths.splice(-before!.sums.length)
      lengths.push(...bare.flatMap((rest) => before!.sums.map((sum) => sum + rest)).slice(0, 16))
      before = undefined
      continue
    }
    for (const earlier of open) lengths.push(...earlier.one.values.map((value) => value * timed.unit))
    open = []
    const own = timed.values.map((value) => value * timed.unit)
    const goesOn = before !== undefined && before.unit > timed.unit &&
      /^,?\s*(?:and\s+)?$/u.test(plain.slice(before.until, timed.from))
    const sums = goesOn ? before!.sums.flatMap((sum) => own.map((length) => sum + length)).slice(0, 16) : own
    if (goesOn) { for (let left = before!.sums.length; left > 0; left--) lengths.pop() }
    lengths.push(...sums)
    before = { ...timed, sums }
  }
  return lengths
}

/** What a field is counted in, as far as its own words say. */
const inCents = /\b(?:cents?|pence|penn(?:y|ies))\b/iu
const inWholes = /\b(?:dollars?|euros?|pounds?|usd|eur|gbp|chf|francs?)\b|[$€£]/iu

/** Scales in which a field may be counted: `revenue_m`, "in thousands". */
const counted: ReadonlyArray<readonly [RegExp, number]> = [
  [/\b(?:k|thousands?|k(?:usd|eur|gbp|chf))\b/iu, 1e3],
  [/\b(?:m|mn|mm|mio|millions?|m(?:usd|eur|gbp|chf))\b/iu, 1e6],
  [/\b(?:b|bn|billions?|b(?:usd|eur|gbp|chf))\b/iu, 1e9]
]

/**
 * Whether a text says this number, as it is or as a length of time in another unit. Where the field's own words `about` it ask
 * for dollars, 99 cents are not 99.
 */
export const saysNumber = (text: string, value: number, about: ReadonlyArray<string> = []): boolean => {
  const { plain, quantities } = read(text)
  const asked = about.map((one) => one.replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2").replaceAll(/[_-]/gu, " ")).join(" ; ")
  const wanted = [value, ...counted.flatMap(([words, scale]) => words.test(asked) ? [value * scale] : [])]
  const wholes = inWholes.test(asked) && !inCents.test(asked)
  const said = quantities.some(({ cents, values }) =>
    (wholes && cents === true ? values.slice(0, values.length / 2) : values).some((number) =>
      wanted.some((one) => near(number, one))
    )
  )
  return said || convertedTo(asked, plain, quantities).some((number) => near(number, value)) ||
    lengthsIn(plain).some((length) => [1, 60, 3600, 86_400].some((wanted) => near(length / wanted, value)))
}
