import { exactly } from "./Arithmetic.ts"
import { CURRENCIES, DURATIONS, MINOR } from "./Numbers.ts"

/** What a number measures: two units of one dimension that differ are another quantity, of two dimensions another thing. */
export interface Unit {
  readonly dimension: string
  readonly unit: string
}

// Dimension, then its units with the words and signs for each, as they are said, written and put into names of fields.
const TABLE: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["length", [
    "mm millimetre millimeter",
    "cm centimetre centimeter",
    "m metre meter",
    "km kilometre kilometer kms",
    "inch inches in",
    "foot feet ft",
    "mile miles mi",
    "yard yards"
  ]],
  ["area", [
    "m2 m² sqm sq_m square_metre square_meter",
    "sqft sq_ft square_foot square_feet ft2",
    "hectare hectares ha",
    "acre acres",
    "km2 km²"
  ]],
  ["volume", [
    "ml millilitre milliliter",
    "l litre liter",
    "tablespoon tbsp",
    "teaspoon tsp",
    "cup cups",
    "gallon gallons",
    "cl",
    "dl"
  ]],
  ["mass", [
    "mg milligram",
    "g gram grams gramme",
    "kg kilogram kilo kilos",
    "tonne tonnes ton tons",
    "lb lbs",
    "ounce ounces oz"
  ]],
  ["speed", [
    "km/h kmh kph km_h km_per_hour kilometre_per_hour kilometer_per_hour kilometre_an_hour kilometer_an_hour",
    "mph mile_per_hour miles_per_hour mile_an_hour",
    "m/s m_s mps metre_per_second meter_per_second",
    "knot knots"
  ]],
  ["temperature", [
    "°c celsius degc degree degrees degree_celsius degrees_celsius ° c",
    "°f fahrenheit degf degree_fahrenheit degrees_fahrenheit"
  ]],
  ["power", ["w watt watts", "kw kilowatt kilowatts", "hp horsepower bhp", "mw megawatt megawatts"]],
  ["energy", ["kwh kilowatt_hour", "kcal calorie calories", "mah"]],
  ["frequency", ["hz hertz", "khz", "mhz", "ghz gigahertz", "rpm", "bpm"]],
  ["data", ["kb", "mb megabyte megabytes", "gb gigabyte gigabytes", "tb terabyte terabytes", "mbps megabit megabits"]],
  ["voltage", ["v volt volts"]],
  ["pressure", ["bar bars", "psi", "hpa"]],
  ["share", ["% percent percentage pct"]]
]

const LONG: Readonly<Record<string, string>> = { sec: "second", min: "minute", hr: "hour", h: "hour" }

const lookUp = (() => {
  const known = new Map<string, Unit>()
  for (const [dimension, units] of TABLE) {
    for (const names of units) {
      const [unit, ...others] = names.split(" ")
      for (const name of [unit!, ...others]) known.set(name.replaceAll("_", " "), { dimension, unit: unit! })
    }
  }
  for (const [name, code] of Object.entries(CURRENCIES)) known.set(name, { dimension: "money", unit: code })
  for (const name of Object.keys(DURATIONS)) {
    const unit = name.replace(/s$/u, "")
    known.set(name, { dimension: "time", unit: LONG[unit] ?? unit })
  }
  return (words: string): Unit | undefined => {
    const plain = words.toLowerCase()
    return known.get(plain) ?? known.get(plain.replace(/s(?= |$)/gu, "")) ?? known.get(plain.replace(/s$/u, ""))
  }
})()

/** Words that stand for more than one unit, and letters that are one only where a unit is looked for. */
const MANY: Readonly<Record<string, ReadonlyArray<string>>> = {
  pound: ["GBP", "lb"],
  pounds: ["GBP", "lb"],
  lb: ["lb"],
  lbs: ["lb"],
  degree: ["°c", "°f"],
  degrees: ["°c", "°f"],
  "°": ["°c", "°f"],
  f: ["°f"],
  h: ["hour"],
  s: ["second"],
  t: ["tonne"],
  k: ["km"]
}

/** Every unit that a word may stand for: "pounds" money and weight, "degrees" either scale; none for any other word. */
export const unitsOf = (word: string | undefined): ReadonlySet<string> => {
  const plain = word?.toLowerCase() ?? ""
  const one = lookUp(plain)
  return new Set(Object.hasOwn(MANY, plain) ? MANY[plain] : one === undefined ? [] : [one.unit])
}

/** The unit that stands right after a number: "kilometres per hour" before "kilometres". */
export const unitAfter = (text: string): Unit | undefined => {
  const words = /^[\s-]*([\p{L}°%²/]+\d?(?:\s+(?:per|an?)\s+\p{L}+|\s+\p{L}+)?)/u.exec(text)?.[1]
  // "40 in" is of inches where nothing follows that it could be in.
  if (/^[\s-]*in(?:\.\s*$|\s*(?:$|[|,;)x×/]))/u.test(text)) return { dimension: "length", unit: "inch" }
  if (words === undefined || /^in\b/u.test(words)) return undefined
  const [first] = words.split(/\s+/u)
  return lookUp(words.replace(/\s+/gu, " ")) ?? lookUp(first!) ??
    (first === "s" ? { dimension: "time", unit: "second" } : undefined)
}

/** Dollars of many countries are said alike, and so is the hundredth part of many currencies. */
const isSameMoney = (said: string, wanted: string, word: string): boolean =>
  MINOR.test(word) || (said.endsWith("D") && wanted.endsWith("D"))

/**
 * Whether what is said with one unit is no value of a field in another: "forty dollars" of `price_eur`, "two hours" of
 * `duration_minutes`. `words` begin with the unit. A word that may stand for the field's own one never is.
 */
export const isOtherUnit = (said: Unit | undefined, words: string, wanted: Unit | undefined): boolean => {
  if (said === undefined || wanted === undefined || said.dimension !== wanted.dimension) return false
  if (said.unit === "" || wanted.unit === "" || said.unit === wanted.unit) return false
  const [, word = "", next] = /^[\s-]*([\p{L}°]+)(?:\s+(\p{L}+))?/u.exec(words.toLowerCase()) ?? []
  // "Degrees" alone may be of either scale, "degrees Fahrenheit" are not.
  if (unitsOf(word).has(wanted.unit) && !unitsOf(next).has(said.unit)) return false
  if (said.dimension === "money") return !isSameMoney(said.unit, wanted.unit, word)
  return said.dimension !== "time" || DURATIONS[said.unit] !== DURATIONS[wanted.unit]
}

/** Letters that are a unit at the end of a field's name alone: `max_load_t`, `acceleration_s`, `oven_temp_f`. */
const LETTER_UNITS: Readonly<Record<string, Unit>> = {
  t: { dimension: "mass", unit: "tonne" },
  s: { dimension: "time", unit: "second" },
  f: { dimension: "temperature", unit: "°f" }
}

/** How large the metric units of a dimension are beside one another. */
const SIZES: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  m: 1000,
  km: 1e6,
  ml: 1,
  cl: 10,
  dl: 100,
  l: 1000,
  mg: 1,
  g: 1000,
  kg: 1e6,
  tonne: 1e9,
  m2: 1,
  hectare: 1e4,
  km2: 1e6,
  w: 1,
  kw: 1000,
  mw: 1e6
}
/** Who says tonnes does not mean grams: farther apart, they are of other things. */
const FARTHEST = 1000

/**
 * A quantity in another metric unit of its dimension, or undefined where none is wanted: 2100 for "2.1 tonnes" in kilograms. `words` begin
 * with the unit; a ton is of three sizes.
 */
export const converted = (
  value: number,
  said: Unit | undefined,
  words: string,
  wanted: Unit | undefined
): number | undefined => {
  if (said === undefined || wanted === undefined || said.dimension !== wanted.dimension) return undefined
  if (!isOtherUnit(said, words, wanted) || /^[\s-]*tons?\b/iu.test(words)) return undefined
  if (!Object.hasOwn(SIZES, said.unit) || !Object.hasOwn(SIZES, wanted.unit)) return undefined
  const by = SIZES[said.unit]! / SIZES[wanted.unit]!
  return by > FARTHEST || by < 1 / FARTHEST ? undefined : exactly(value * by)
}

/** One-letter units and words that mean more in a sentence count only at the end of a field's name. */
const LOOSE = /^(?:c|m|l|g|w|v|in|ha|mi|ton|bar|cup|yard|foot|a|min|sec)$/u

/** What a rate is reckoned by where its name has no "per": `sugar_g_l`, `price_eur_t`, `rate_ml_h`. */
const RECKONED_BY = /^(?:h|s|d|l|t|g|kg|km|m2|m3|ha|day|hour|hr|min|month|week|year)$/u

/** A name without what its rate is reckoned by: whoever gives `price_per_kg` says an amount of money. */
const withoutRate = (name: ReadonlyArray<string>): ReadonlyArray<string> => {
  const per = name.indexOf("per")
  if (per > 0) return name.slice(0, per)
  const [unit, by] = name.slice(-2)
  return name.length > 1 && RECKONED_BY.test(by!) && lookUp(unit!) !== undefined && unit !== by
    ? name.slice(0, -1)
    : name
}

/** The unit that a field's name ends with or its description names: `speed_kmh`, "Weight in grams". */
export const unitOfField = (whole: ReadonlyArray<string>, description: string): Unit | undefined => {
  const rate = [3, 2].map((size) => lookUp(whole.slice(-size).join(" "))).find((unit) => unit !== undefined)
  if (rate !== undefined && whole.length > 1) return rate
  const name = withoutRate(whole)
  const last = lookUp(name.at(-1) ?? "") ??
    (name.length > 1 && Object.hasOwn(LETTER_UNITS, name.at(-1)!) ? LETTER_UNITS[name.at(-1)!] : undefined)
  if (last !== undefined && (name.length > 1 || !LOOSE.test(name.join(" ")))) return last
  for (const word of name) {
    const found = LOOSE.test(word) ? undefined : lookUp(word)
    if (found !== undefined) return found
  }
  for (const word of description.match(/[\p{L}$€£¥]+/gu) ?? []) {
    if (Object.hasOwn(CURRENCIES, word)) return { dimension: "money", unit: CURRENCIES[word]! }
  }
  const told = /\bin (?:the )?((?:us |square )?[\p{L}°]+(?:\/\p{L}+| per \p{L}+)?)/gu
  for (const match of description.matchAll(told)) {
    const words = match[1]!.replace(/^us /u, "")
    const found = lookUp(words) ?? lookUp(words.split(" ")[0]!)
    if (found !== undefined) return found
  }
  return undefined
}
