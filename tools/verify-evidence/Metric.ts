import type { Quantity } from "./Quantities.ts"

/** Metric units of one dimension and how large they are beside one another. */
const dimensions: ReadonlyArray<ReadonlyArray<readonly [words: string, size: number]>> = [
  [
    ["mm|millimet(?:er|re)s?", 1],
    ["cm|centimet(?:er|re)s?", 10],
    ["m|met(?:er|re)s?", 1000],
    ["kms?|kilomet(?:er|re)s?", 1e6]
  ],
  [
    ["mg|milligrams?", 1],
    ["g|gram(?:me)?s?", 1000],
    ["kg|kilo(?:gram)?s?", 1e6],
    ["t|tonnes?", 1e9]
  ],
  [["ml|millilit(?:er|re)s?", 1], ["cl|centilit(?:er|re)s?", 10], ["dl", 100], ["l|lit(?:er|re)s?", 1000]],
  [["m2|m²|square met(?:er|re)s?", 1], ["ha|hectares?", 1e4], ["km2|km²|square kilomet(?:er|re)s?", 1e6]],
  [["w|watts?", 1], ["kw|kilowatts?", 1000], ["mw|megawatts?", 1e6]]
]

interface MetricUnit {
  readonly dimension: number
  readonly size: number
  readonly whole: RegExp
  readonly behind: RegExp
}

const units: ReadonlyArray<MetricUnit> = dimensions.flatMap((names, dimension) =>
  names.map(([words, size]) => ({
    dimension,
    size,
    whole: new RegExp(`(?<![\\p{L}\\d/])(?:${words})(?![\\p{L}\\d²/])`, "iu"),
    behind: new RegExp(`^[\\s-]*(?:${words})(?![\\p{L}\\d²/])`, "u")
  }))
)
const metres = units.find(({ whole }) => whole.test("metres"))!
/** "2m" alone reads as two million too, and the letter stands inside of the number then. */
const withLetter = /\d\s?m$/u

/**
 * The numbers that a text says in one metric unit, in that of which the field's own words speak: 2100 for "2.1 tonnes" and `weight_kg`.
 */
export const convertedTo = (
  asked: string,
  plain: string,
  quantities: ReadonlyArray<Quantity>
): ReadonlyArray<number> => {
  const wanted = units.filter(({ whole }) => whole.test(asked))
  if (wanted.length === 0) return []
  return quantities.flatMap(({ from, to, values }) => {
    const own = plain.slice(from, to)
    const said = units.find(({ behind }) => behind.test(plain.slice(to, to + 24))) ??
      (metres.whole.test(own) || withLetter.test(own) ? metres : undefined)
    if (said === undefined) return []
    return wanted.filter((one) => one.dimension === said.dimension && one.size !== said.size)
      .flatMap(({ size }) => values.map((value) => value * said.size / size))
  })
}
