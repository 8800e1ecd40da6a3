const ones = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen"
]
const tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
const scales = [[1e9, "billion"], [1e6, "million"], [1e3, "thousand"], [100, "hundred"]] as const

const cardinal = (value: number): string => {
  if (value < 20) return ones[value]!
  if (value < 100) return [tens[Math.floor(value / 10)]!, ...(value % 10 === 0 ? [] : [ones[value % 10]!])].join(" ")
  const [scale, name] = scales.find(([scale]) => value >= scale)!
  const rest = value % scale
  return `${cardinal(Math.floor(value / scale))} ${name}${rest === 0 ? "" : ` ${cardinal(rest)}`}`
}

const digits = (text: string): string => Array.from(text, (digit) => ones[Number(digit)]!).join(" ")

const whole = (text: string): string => {
  const plain = text.replaceAll(",", "")
  if (plain.length > 12 || (plain.length > 1 && plain.startsWith("0"))) return digits(plain)
  const value = Number(plain)
  // Years are said in two halves, but for those of which nothing but the thousands would be left.
  if (text.length !== 4 || value < 1100 || value >= 2100 || (value >= 2000 && value < 2010)) return cardinal(value)
  const rest = value % 100
  const half = rest === 0 ? "hundred" : rest < 10 ? `oh ${cardinal(rest)}` : cardinal(rest)
  return `${cardinal(Math.floor(value / 100))} ${half}`
}

const irregular: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth"
}

const ordinal = (number: string): string =>
  number.replace(/[a-z]+$/u, (last) => irregular[last] ?? `${last.replace(/y$/u, "ie")}th`)

/** One of a thing, and several. */
const units: Readonly<Record<string, readonly [string, string]>> = {
  "$": ["dollar", "dollars"],
  "£": ["pound", "pounds"],
  "€": ["euro", "euros"],
  "%": ["percent", "percent"],
  "km/h": ["kilometer per hour", "kilometers per hour"],
  km: ["kilometer", "kilometers"],
  cm: ["centimeter", "centimeters"],
  kg: ["kilogram", "kilograms"]
}

const WRITTEN =
  /([$£€])?(\d[\d,]*\d|\d)(?:\.(\d+))?(?:(st|nd|rd|th)(?![a-z]))?(?:\s(hundred|thousand|million|billion|trillion)(?![a-z]))?(?:\s?(%|km\/h|km|cm|kg)(?![a-z])|\s?([$£€])(?!\s?\d))?/giu

/** "Two thousand (and) twenty four" for what others call "twenty twenty four": both are 2024. */
const TWENTY_HUNDRED =
  /\btwo[\s-]+thousand[\s-]+(?:and\s+)?(?=(?:ten|eleven|twelve|\p{L}+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b(?!\s+(?:hundred|thousand)))/giu

/** Numbers, money and units as they are said: a recogniser that writes "$40" has heard the same as one that writes "forty dollars". */
export const spokenNumbers = (text: string): string =>
  text.replaceAll(
    WRITTEN,
    (
      _,
      before: string | undefined,
      number: string,
      part: string | undefined,
      place: string | undefined,
      scale: string | undefined,
      unit: string | undefined,
      after: string | undefined
    ) => {
      const said = part === undefined ? whole(number) : `${whole(number)} point ${digits(part)}`
      const one = number === "1" && part === undefined && scale === undefined
      const named = [before, unit?.toLowerCase() ?? after].flatMap((sign) =>
        sign === undefined ? [] : units[sign]![one ? 0 : 1]
      )
      return ` ${
        [place === undefined ? said : ordinal(said), ...(scale === undefined ? [] : [scale]), ...named].join(" ")
      } `
    }
  ).replaceAll(TWENTY_HUNDRED, "twenty ")
