const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
const tens = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const ordinals =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
    .split(" ")
const tensOrdinals = "_ _ twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split(" ")
const scales = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12]
])
const letterScales = new Map([["k", 1000], ["m", 1e6], ["mn", 1e6], ["bn", 1e9], ["b", 1e9]])
const wordValues = new Map([["a dozen", 12], ["dozen", 12], ["couple", 2], ["half", 0.5], ["quarter", 0.25], [
  "quarters",
  0.75
]])

interface Piece {
  readonly value: number
  readonly kind: "unit" | "teen" | "ten" | "scale"
  readonly last: boolean
}

const pieceOf = (word: string): Piece | undefined => {
  const scale = scales.get(word)
  if (scale !== undefined) return { value: scale, kind: "scale", last: false }
  for (const [list, last] of [[small, false], [ordinals, true]] as const) {
    const value = list.indexOf(word)
    if (value >= 0) return { value, kind: value < 10 ? "unit" : "teen", last }
  }
  for (const [list, last] of [[tens, false], [tensOrdinals, true]] as const) {
    const value = list.indexOf(word)
    if (value >= 2) return { value: value * 10, kind: "ten", last }
  }
  return word === "fourty" ? { value: 40, kind: "ten", last: false } : undefined
}

/** Adds up number words from `at` as far as they make one number; `end` is `at` where there is none. */
const spoken = (words: ReadonlyArray<string>, at: number): { readonly value: number; readonly end: number } => {
  let total = 0
  let group = 0
  let before: Piece | undefined
  let end = at
  if ((words[at] === "a" || words[at] === "an") && scales.has(words[at + 1] ?? "")) {
    group = 1
    end++
  }
  for (; end < words.length; end++) {
    const piece = pieceOf(words[end]!)
    if (piece === undefined) {
      if (words[end] === "and" && before?.kind === "scale" && pieceOf(words[end + 1] ?? "") !== undefined) continue
      break
    }
    if (piece.kind === "scale") {
      if (before === undefined && group === 0) break
      if (piece.value === 100) group = Math.max(1, group) * 100
      else {
        total += Math.max(1, group) * piece.value
        group = 0
      }
    } else {
      const follows = before === undefined || before.kind === "scale" ||
        (before.kind === "ten" && piece.kind === "unit" && piece.value > 0)
      if (!follows) break
      group += piece.value
    }
    before = piece
    if (piece.last) {
      end++
      break
    }
  }
  return before === undefined ? { value: 0, end: at } : { value: total + group, end }
}

/** "point five oh": digits said one by one after the decimal point. */
const decimals = (words: ReadonlyArray<string>, at: number): { readonly text: string; readonly end: number } => {
  let text = ""
  let end = at
  for (; end < words.length; end++) {
    const digit = words[end] === "oh" ? 0 : small.indexOf(words[end]!)
    if (digit < 0 || digit > 9) break
    text += String(digit)
  }
  return { text, end }
}

/** Units after which their hundredths are said without a unit of their own. */
const inHundredths = /^(?:pounds?|quid|euros?|dollars?|bucks|francs?|met(?:er|re)s?)(?: and)?$/u
/** "An hour and a half": lengths of time that begin without a number. */
const oneAnd = /\ban? (?:hour|minute|day|night|week|month|year) and a (half|quarter)\b/gu

/** Every number that a text says: in digits, in words, with its scale ("12.4 million", "3k"), as a year in pairs. */
export const numbersSaid = (text: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  const plain = text.normalize("NFKC").toLowerCase()
  for (const match of plain.matchAll(/\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?/gu)) {
    const value = Number(match[0].replaceAll(",", ""))
    const after = /^\s*(hundred|thousand|million|billion|trillion)\b|^(k|mn|bn|m|b)\b/u.exec(
      plain.slice(match.index + match[0].length)
    )
    const scale = after === null ? undefined : scales.get(after[1] ?? "") ?? letterScales.get(after[2] ?? "")
    found.push(scale === undefined ? value : value * scale)
    const rest = /^\s+and a half\b(?:\s+(hundred|thousand|million|billion|trillion)\b)?/u.exec(
      plain.slice(match.index + match[0].length)
    )
    if (rest !== null) found.push((value + 0.5) * (scales.get(rest[1] ?? "") ?? 1))
    if (/\b(?:minus|negative)\s+$/u.test(plain.slice(Math.max(0, match.index - 12), match.index))) found.push(-value)
    if (plain[match.index - 1] === "-" && !/[\p{L}\d]/u.test(plain[match.index - 2] ?? " ")) found.push(-value)
  }
  for (const match of plain.matchAll(oneAnd)) found.push(match[1] === "half" ? 1.5 : 1.25)
  for (const match of plain.matchAll(/(\d+)\s*(?:cents?|penny|pence)\b/gu)) found.push(Number(match[1]) / 100)
  for (const match of plain.matchAll(/\b(\p{L}+) (?:hour|minute|day|week|month|year)s? and a (half|quarter)\b/gu)) {
    const whole = small.indexOf(match[1]!)
    if (whole > 0) found.push(whole + (match[2] === "half" ? 0.5 : 0.25))
  }
  if (/\ban? (?:hour|minute|day|night|week|month|year)\b/u.test(plain)) found.push(1)
  const words = plain.match(/\p{L}+/gu) ?? []
  let previous: { readonly value: number; readonly end: number } | undefined
  for (let at = 0; at < words.length;) {
    const word = wordValues.get(words[at]!)
    if (word !== undefined) found.push(word)
    const number = spoken(words, at)
    if (number.end === at) {
      at++
      continue
    }
    let { end, value } = number
    if (words[end] === "point") {
      const rest = decimals(words, end + 1)
      if (rest.text !== "") {
        value = Number(`${value}.${rest.text}`)
        end = rest.end
        const scale = scales.get(words[end] ?? "")
        if (scale !== undefined) {
          value *= scale
          end++
        }
      }
    }
    // "seven and a half", "two and a half million", "minus four".
    if (words[end] === "and" && words[end + 1] === "a" && words[end + 2] === "half") {
      found.push(value + 0.5, (value + 0.5) * (scales.get(words[end + 3] ?? "") ?? 1))
    }
    if (words[at - 1] === "minus" || words[at - 1] === "negative") found.push(-value)
    found.push(value)
    // "nineteen ninety", "twenty nine ninety nine": two numbers side by side are also a year or a price.
    if (previous?.end === at && previous.value < 100 && value < 100) {
      found.push(previous.value * 100 + value, previous.value + value / 100)
    }
    // "two-oh-five"; "eight pounds forty", "one dollar and six cents", "eight metres twenty".
    if (previous?.end === at - 1 && words[at - 1] === "oh" && value < 10) found.push(previous.value * 100 + value)
    const between = previous === undefined ? "" : words.slice(previous.end, at).join(" ")
    if (previous !== undefined && value < 100 && inHundredths.test(between)) found.push(previous.value + value / 100)
    if (/^(?:cents?|penny|pence)$/u.test(words[end] ?? "")) found.push(value / 100)
    previous = { value, end }
    at = end
  }
  return found
}

const units = new Map<RegExp, number>([
  [/\bsec(?:ond)?s?\b/u, 1],
  [/\bmin(?:ute)?s?\b/u, 60],
  [/\bh(?:ou)?rs?\b/u, 3600],
  [/\b(?:day|night)s?\b/u, 86_400],
  [/\bweeks?\b/u, 604_800],
  [/\bmonths?\b/u, 2_592_000],
  [/\byears?\b/u, 31_536_000]
])

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))

/** Whether a text says this number, as it is or as a length of time in another unit. */
export const saysNumber = (text: string, value: number): boolean => {
  const numbers = numbersSaid(text)
  if (numbers.some((number) => near(number, value))) return true
  const lower = text.toLowerCase()
  return [...units].some(([word, seconds]) =>
    word.test(lower) &&
    [1, 60, 3600, 86_400].some((wanted) => numbers.some((number) => near((number * seconds) / wanted, value)))
  )
}
