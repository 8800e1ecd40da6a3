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
/** Parts of one whole: "half", "two thirds". */
const parts = new Map([
  ["half", 2],
  ["halves", 2],
  ["quarter", 4],
  ["quarters", 4],
  ...ordinals.slice(3, 11).flatMap((word, at): Array<[string, number]> => [[word, at + 3], [`${word}s`, at + 3]])
])
const articles = new Set(["a", "an", "the", "one"])
const timeWord = /^(?:hour|minute|second|day|week|month|year|century|decade)$/u

interface Piece {
  readonly value: number
  readonly kind: "unit" | "teen" | "ten" | "scale"
  readonly last: boolean
}

const pieces = new Map<string, Piece>([
  ...Array.from(scales, ([word, value]): [string, Piece] => [word, { value, kind: "scale", last: false }]),
  ...[small, ordinals].flatMap((words, list) =>
    words.map((word, value): [string, Piece] => [word, { value, kind: value < 10 ? "unit" : "teen", last: list === 1 }])
  ),
  ...[tens, tensOrdinals].flatMap((words, list) =>
    words.map((word, at): [string, Piece] => [word, { value: at * 10, kind: "ten", last: list === 1 }])
  ),
  ["fourty", { value: 40, kind: "ten", last: false }],
  ["nought", { value: 0, kind: "unit", last: false }],
  ["naught", { value: 0, kind: "unit", last: false }]
])
pieces.delete("_")

export interface Token {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** One number of a text, in each way that it may be read, and where it stands. */
export interface Quantity {
  readonly values: ReadonlyArray<number>
  readonly from: number
  readonly to: number
}

interface Read {
  readonly values: ReadonlyArray<number>
  readonly end: number
}

/** Adds up number words from `at` on as far as they make one number; `end` is `at` where there is none. */
const spoken = (words: ReadonlyArray<string>, at: number): { readonly value: number; readonly end: number } => {
  let total = 0
  let group = 0
  let before: Piece | undefined
  let end = at
  /** The number up to its last thousand, million and so on. */
  let upTo = { value: 0, end: at, scale: Infinity }
  if ((words[at] === "a" || words[at] === "an") && scales.has(words[at + 1] ?? "")) {
    group = 1
    end++
  }
  for (; end < words.length; end++) {
    const piece = pieces.get(words[end]!)
    if (piece === undefined) {
      const goesOn = words[end] === "and"
        ? before?.kind === "scale"
        : words[end] === "," && before?.kind === "scale" && before.value > 100
      if (goesOn && pieces.has(words[end + 1] ?? "")) continue
      break
    }
    if (piece.kind === "scale") {
      if (before === undefined && group === 0) break
      if (piece.value === 100) group = Math.max(1, group) * 100
      else {
        // "One thousand, two thousand" are two numbers.
        if (piece.value >= upTo.scale) return upTo
        total += Math.max(1, group) * piece.value
        group = 0
        upTo = { value: total, end: end + 1, scale: piece.value }
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
  if (/^\d{1,9}$/u.test(words[at] ?? "")) return { text: words[at]!, end: at + 1 }
  let text = ""
  let end = at
  for (; end < words.length; end++) {
    const digit = /^(?:oh|nought|naught)$/u.test(words[end]!) ? 0 : small.indexOf(words[end]!)
    if (digit < 0 || digit > 9) break
    text += String(digit)
  }
  return { text, end }
}

/** The scales from `at` on, multiplied: "hundred thousand". */
const scaleFrom = (words: ReadonlyArray<string>, at: number): { readonly factor: number; readonly end: number } => {
  let factor = 1
  let end = at
  for (; scales.has(words[end] ?? ""); end++) factor *= scales.get(words[end]!)!
  return { factor, end }
}

/** How digits are written: with groups of thousands, with a point or a comma before the decimals. */
const written = (text: string): ReadonlyArray<number> => {
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/u.test(text)) return [Number(text.replaceAll(".", "").replace(",", "."))]
  if (/^\d{1,3}(?:[ \u202f]\d{3})+(?:[.,]\d+)?$/u.test(text)) return written(text.replaceAll(/[ \u202f]/gu, ""))
  if (/^\d+,\d{1,2}$/u.test(text)) return [Number(text.replace(",", ".")), ...text.split(",").map(Number)]
  return [Number(text.replaceAll(",", ""))]
}

/** A part of a whole from `at` on: "half a million", "three quarters of a million", "two thirds of the voters". */
const partFrom = (words: ReadonlyArray<string>, at: number): Read | undefined => {
  const counted = words[at] === "half" || words[at] === "quarter" ? at : at + 1
  const by = parts.get(words[counted] ?? "")
  if (by === undefined) return undefined
  const many = counted === at || words[at] === "a" ? 1 : small.indexOf(words[at]!)
  const plural = /(?:s|halves)$/u.test(words[counted]!)
  const next = words[counted + 1]
  // "A third" is also the one after the second.
  if (many < 1 || (by !== 2 && by !== 4 && !plural && next !== "of")) return undefined
  let end = counted + 1
  if (words[end] === "of") end++
  if (articles.has(words[end] ?? "")) end++
  const dozen = words[end] === "dozen"
  const { end: after, factor } = scaleFrom(words, end)
  if (dozen) return { values: [many * 12 / by], end: end + 1 }
  if (after > end) return { values: [many * factor / by], end: after }
  const share = many / by
  const ofAll = (next === "of" || next === "the") && !timeWord.test(words[end] ?? "")
  return { values: ofAll ? [share, share * 100] : [share], end: counted + 1 }
}

/** "A couple of hundred", "two dozen": how many there are of a scale or of twelve. */
const countedFrom = (words: ReadonlyArray<string>, at: number): Read | undefined => {
  const start = articles.has(words[at] ?? "") ? at + 1 : at
  if (words[start] === "couple") {
    const of = words[start + 1] === "of" ? start + 2 : start + 1
    if (words[of] === "dozen") return { values: [24], end: of + 1 }
    const { end, factor } = scaleFrom(words, of)
    return { values: [2 * factor], end: end > of ? end : start + 1 }
  }
  return words[start] === "dozen" ? { values: [12], end: start + 1 } : undefined
}

/** What may come after a number and changes it: decimals, scales, dozens, "and a half". */
const extended = (words: ReadonlyArray<string>, value: number, at: number): Read => {
  let end = at
  let total = value
  if (words[end] === "point") {
    const rest = decimals(words, end + 1)
    if (rest.text !== "") {
      total = Number(`${value}.${rest.text}`)
      end = rest.end
    }
  }
  const more = ["half", "quarter", "third"].indexOf(words[end + 2] ?? "")
  if (words[end] === "and" && words[end + 1] === "a" && more >= 0) {
    total += [1 / 2, 1 / 4, 1 / 3][more]!
    end += 3
  } else if (words[end] === "and" && words[end + 1] === "three" && words[end + 2] === "quarters") {
    total += 0.75
    end += 3
  }
  if (words[end] === "dozen") return { values: [total * 12], end: end + 1 }
  const scale = scaleFrom(words, end)
  return { values: [total * scale.factor], end: scale.end }
}

/** Words before a point with which no number begins: a point of time, of view, of a list. */
const pointed =
  /^(?:the|this|that|which|what|each|every|some|any|one|first|second|third|next|last|my|our|your|his|her|their|its)$/u
const beforePoint =
  /^(?:is|was|are|were|be|been|equals|of|by|to|at|from|about|around|under|below|over|above|than|roughly|nearly|almost|only|just|approximately)$/u
const notCounted = /^(?:[.,;:!?…—]|of|is|was|on|in|and|or|the|to|for|that|we)$/u

/** "Point three one", "nil point two": what begins with its decimal point; it may be the figure alone where the point may be one of a list. */
const fromPoint = (words: ReadonlyArray<string>, at: number): Read | undefined => {
  const point = words[at] === "nil" ? at + 1 : at
  if (words[point] !== "point") return undefined
  const { end, text } = decimals(words, point + 1)
  const before = words[at - 1] ?? "."
  if (text === "" || (point === at && (pointed.test(before) || pieces.has(before) || /^\d/u.test(before)))) {
    return undefined
  }
  const scale = scaleFrom(words, end)
  const value = Number(`0.${text}`) * scale.factor
  const sure = point > at || text.length > 1 ||
    (beforePoint.test(before) && words[end] !== undefined && !notCounted.test(words[end]))
  return { values: sure ? [value] : [value, Number(text)], end: scale.end }
}

const vulgar = /[¼½¾⅐-⅞]/u
/** "4 ½" as 4.5, "½" as 0.5. */
const plainFractions = (text: string): string =>
  text.replaceAll(/(?:(\d+)\s?)?([¼½¾⅐-⅞])/gu, (_, whole: string | undefined, sign: string) => {
    const [over, under] = sign.normalize("NFKC").split("⁄").map(Number)
    return String(Number(whole ?? 0) + over! / under!)
  })

/** A text in lower case as it is read for numbers. */
export const plainText = (text: string): string =>
  (text.search(vulgar) >= 0 ? plainFractions(text) : text).normalize("NFKC").toLowerCase()

const money = String.raw`[$€£¥₹]`
const tokenPattern = new RegExp(
  String.raw`(?<=${money} ?)\d{1,3}(?:[ \u202f]\d{3}){1,6}(?!\d)(?:[.,]\d+)?`
    + String.raw`|\d{1,3}(?:[ \u202f]\d{3}){1,6}(?=(?:[.,]\d{1,9})? ?${money})(?:[.,]\d+)?`
    + String
      .raw`|(?<![\p{L}\d.…])\.\d+|\d{1,3}(?:\.\d{3}){1,6},\d+|\d+(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+,\d{1,2}(?![\d,])|\d+(?:\.\d+)?|\p{L}+|[.,;:!?…—](?!\d)`,
  "gu"
)

/** Words, numbers, and the signs at which a sentence or a part of it ends: no number goes on behind one. */
export const tokensIn = (plain: string): ReadonlyArray<Token> =>
  Array.from(plain.matchAll(tokenPattern), ({ 0: text, index }) => ({ text, from: index, to: index + text.length }))

const digitsFrom = (words: ReadonlyArray<string>, tokens: ReadonlyArray<Token>, at: number): Read => {
  const [value, ...others] = written(words[at]!) as [number, ...Array<number>]
  const next = tokens[at + 1]
  const letters = next?.from === tokens[at]!.to ? letterScales.get(next.text) : undefined
  if (letters !== undefined) {
    return { values: next!.text === "m" ? [value * letters, value] : [value * letters], end: at + 2 }
  }
  const read = extended(words, value, at + 1)
  return read.end > at + 1 ? read : { values: [value, ...others], end: at + 1 }
}

/** Whether a sign before a number makes it negative, may do so, or is none. */
const minusBefore = (plain: string, tokens: ReadonlyArray<Token>, at: number): "is" | "may be" | "is not" => {
  const before = tokens[at - 1]?.text
  if (before === "minus" || before === "negative") {
    const first = tokens[at - 2]?.text ?? ""
    return /^\d/u.test(first) || pieces.has(first) ? "may be" : "is"
  }
  const head = plain.slice(Math.max(0, tokens[at]!.from - 4), tokens[at]!.from)
  const sign = new RegExp(String.raw`(^|[^\p{L}\d])[-−–‒]${money}?$`, "u").exec(head)
  if (sign === null || !/^\.?\d/u.test(tokens[at]!.text)) return "is not"
  return /\d\s*$/u.test(head.slice(0, sign.index + sign[1]!.length)) ? "may be" : "is"
}

/** Every number that a text in lower case says, in the order in which they stand. */
export const quantitiesIn = (plain: string): ReadonlyArray<Quantity> => {
  const tokens = tokensIn(plain)
  const words = tokens.map(({ text }) => text)
  const found: Array<Quantity> = []
  for (let at = 0; at < words.length;) {
    const digits = /^\.?\d/u.test(words[at]!) ? digitsFrom(words, tokens, at) : undefined
    let read = digits ?? partFrom(words, at) ?? countedFrom(words, at) ?? fromPoint(words, at)
    if (read === undefined) {
      const { end, value } = spoken(words, at)
      if (end === at) {
        at++
        continue
      }
      read = extended(words, value, end)
    }
    const minus = minusBefore(plain, tokens, at)
    const negative = minus === "is not" ? [] : read.values.map((value) => -value)
    found.push({
      values: minus === "is" ? negative : [...read.values, ...negative],
      from: tokens[at]!.from,
      to: tokens[read.end - 1]!.to
    })
    at = read.end
  }
  return found
}
