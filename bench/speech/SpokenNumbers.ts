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
  // Years are said in two halves.
  const year = text.length === 4 && value % 100 >= 10 && value >= 1100 && value < 2000
  return year ? `${cardinal(Math.floor(value / 100))} ${cardinal(value % 100)}` : cardinal(value)
}

const units: Readonly<Record<string, string>> = {
  "%": " percent",
  "km/h": " kilometers per hour",
  km: " kilometers",
  cm: " centimeters",
  kg: " kilograms"
}

/** Numbers, money and units as they are said: a recogniser that writes "$40" has heard the same as one that writes "forty dollars". */
export const spokenNumbers = (text: string): string =>
  text.replaceAll(
    /([$£€])?(\d[\d,]*\d|\d)(?:\.(\d+))?(?:\s?(%|km\/h|km|cm|kg)(?![a-z]))?/giu,
    (_, money: string | undefined, number: string, part: string | undefined, unit: string | undefined) => {
      const currency = money === undefined ? "" : { $: " dollars", "£": " pounds", "€": " euros" }[money]!
      return ` ${whole(number)}${part === undefined ? "" : ` point ${digits(part)}`}${currency}${
        unit === undefined ? "" : units[unit.toLowerCase()]!
      } `
    }
  )
