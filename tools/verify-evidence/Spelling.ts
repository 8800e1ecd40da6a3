const units = "zero one two three four five six seven eight nine".split(" ")
const teens = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ")
const tens = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const alphabet =
  "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu"
    .split(" ")

/** A number below 100 in words from `at` on, and where it ends. */
const smallNumber = (
  words: ReadonlyArray<string>,
  at: number
): { readonly value: number; readonly end: number } | undefined => {
  const word = words[at] ?? ""
  if (/^\d{1,2}$/u.test(word)) return { value: Number(word), end: at + 1 }
  if (units.includes(word)) return { value: units.indexOf(word), end: at + 1 }
  if (teens.includes(word)) return { value: 10 + teens.indexOf(word), end: at + 1 }
  const ten = tens.indexOf(word)
  if (ten < 2) return undefined
  const unit = units.indexOf(words[at + 1] ?? "")
  return unit > 0 ? { value: 10 * ten + unit, end: at + 2 } : { value: 10 * ten, end: at + 1 }
}

const noughts = new Set(["oh", "o", "nought", "zero"])

/** What one or more words from `at` on write when they are spelled: every way to take them. */
const writings = (
  words: ReadonlyArray<string>,
  plain: ReadonlyArray<string>,
  at: number
): ReadonlyArray<{ readonly text: string; readonly end: number }> => {
  const word = words[at]!
  const times = { double: 2, triple: 3, treble: 3 }[word]
  if (times !== undefined && at + 1 < words.length) {
    return writings(words, plain, at + 1).filter(({ text }) => text.length === 1).map(({ end, text }) => ({
      text: text.repeat(times),
      end
    }))
  }
  const one = (text: string) => ({ text, end: at + 1 })
  const number = smallNumber(words, at)
  return [
    ...(/^\d+$/u.test(word) ? [one(word)] : []),
    ...(noughts.has(word) ? [one("0")] : []),
    ...(number === undefined ? [] : [{ text: String(number.value), end: number.end }]),
    ...(number !== undefined && number.value < 10 && words[number.end] === "hundred"
      ? [{ text: `${number.value}00`, end: number.end + 1 }]
      : []),
    ...(/^\p{Lu}{1,3}$/u.test(plain[at]!) ? [one(plain[at]!)] : []),
    ...(alphabet.includes(word) ? [one(word[0]!.toUpperCase())] : []),
    ...(word === "zed" ? [one("Z")] : []),
    // "H as in hotel", "then", "dash": words around what is spelled.
    ...(/^(?:as|in|for|like|then|and|dash|hyphen|slash|hash)$/u.test(word) || alphabet.includes(word) ? [one("")] : [])
  ]
}

const bare = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/gu, "")

/** Whether words are figures and capitals that stand for themselves, some of them more than one: nobody spells so. */
const standsWritten = (words: ReadonlyArray<string>): boolean =>
  words.every((word) => /^(?:\d+|\p{Lu}+)$/u.test(word)) && words.some((word) => word.length > 1)

/** Whether a text spells a value, letter by letter and figure by figure, without a word between that writes nothing. */
export const spells = (text: string, value: string): boolean => {
  const wanted = bare(value)
  const plain = text.match(/\d+|\p{L}+/gu) ?? []
  const words = plain.map((word) => word.toLowerCase())
  const from = (start: number, at: number, rest: string): boolean =>
    rest === "" ?
      !standsWritten(plain.slice(start, at)) :
      at < words.length &&
      writings(words, plain, at).some((way) =>
        rest.startsWith(way.text) && from(start, way.end, rest.slice(way.text.length))
      )
  return wanted.length > 1 && words.some((_, at) => from(at, at, wanted))
}

/** Whether a value without blanks and hyphens stands in a text with them, for a field that asks for it so. */
export const standsUnspaced = (text: string, value: string, about: ReadonlyArray<string>): boolean =>
  value.length > 1 && bare(value) === value && bare(text).includes(value) &&
  about.some((one) => /\b(?:digits only|(?:no|without) (?:blanks?|spaces?))\b/iu.test(one))

/** Whether a text says a time of day in words, in the half of the day that is left open: "half past nine", "six twenty-two". */
export const saysTimeInWords = (text: string, hour: number, minute: number): boolean => {
  const named = text.toLowerCase().replaceAll(/\bmidnight\b/gu, "24").replaceAll(/\b(?:noon|midday)\b/gu, "12")
  const words = named.match(/\d+|\p{L}+/gu) ?? []
  const is = (h: number, m: number): boolean =>
    m === minute && (h === hour || h + 12 === hour || (h % 12 === 0 && h > 0 && hour === 0))
  return words.some((word, at) => {
    const hours = smallNumber(words, at)
    if (hours !== undefined) {
      const next = words[hours.end] ?? ""
      const minutes = smallNumber(words, noughts.has(next) ? hours.end + 1 : hours.end)
      if (is(hours.value, 0) || (minutes !== undefined && is(hours.value, minutes.value))) return true
      const way = /^minutes?$/u.test(next) ? words[hours.end + 1] : next
      const whole = smallNumber(words, hours.end + (way === next ? 1 : 2))
      if (whole !== undefined && /^(?:past|after)$/u.test(way ?? "") && is(whole.value, hours.value)) return true
      if (whole !== undefined && way === "to" && is(whole.value - 1, 60 - hours.value)) return true
    }
    if (word !== "half" && word !== "quarter") return false
    const [way] = [words[at + 1] ?? ""]
    const whole = smallNumber(words, /^(?:past|to|after)$/u.test(way) ? at + 2 : at + 1)
    const past = word === "half" ? 30 : 15
    return whole !== undefined && (way === "to" ? is(whole.value - 1, 60 - past) : is(whole.value, past))
  })
}
