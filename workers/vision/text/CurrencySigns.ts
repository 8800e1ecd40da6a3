import type { Picture } from "../picture/Picture.ts"
import type { ReadCharacter } from "./CtcText.ts"
import { currencyWeights } from "./CurrencyWeights.ts"
import type { Gap } from "./WordGaps.ts"

/** What a glyph beside a number is told to be; the last is anything that is no sign of a currency. */
export const SIGNS = ["$", "€", "£", "¥", ""] as const

/** A glyph is looked at on a raster of this size, stretched to it, and by how wide and high it is against the digits. */
const ACROSS = 12
const DOWN = 20
export const FEATURES = ACROSS * DOWN + 2

const tuning = {
  /** Probability from which a glyph is a sign, where the reader gave it as a letter, and where it passed over it. */
  instead: 0.9,
  passed: 0.98,
  /** In heights of the line: how far a sign stands from its number at most, before and behind it, and how wide it is. */
  before: 0.25,
  behind: 0.6,
  narrow: 0.12,
  wide: 0.75,
  /** Share of the line's contrast that ink has at least. */
  inked: 0.25
} as const

/** What the recogniser makes of signs that it does not know, as PP-OCRv4 does of € and mostly of £. */
const CONFUSED = /^[$€£¥￥￡＄fFeEεєcCGtLS6]$/u

interface Glyph {
  readonly from: number
  readonly to: number
}

/** Strokes of a line from left to right that no column without ink parts. */
export const glyphsBetween = (gaps: ReadonlyArray<Gap>, width: number): ReadonlyArray<Glyph> => {
  const glyphs: Array<Glyph> = []
  let from = 0
  for (const gap of gaps) {
    glyphs.push({ from, to: gap.from })
    from = gap.to
  }
  return [...glyphs, { from, to: width }]
}

/** Difference of every pixel from the line's ground, 0 to 1. */
const inkOf = ({ rgb }: Picture): Float32Array => {
  const ink = new Float32Array(rgb.length / 3)
  const lumas = new Uint32Array(256)
  for (let i = 0; i < ink.length; i++) {
    const luma = (77 * rgb[i * 3]! + 150 * rgb[i * 3 + 1]! + 29 * rgb[i * 3 + 2]!) >> 8
    ink[i] = luma
    lumas[luma]!++
  }
  let ground = -1
  for (let below = 0; 2 * below < ink.length;) below += lumas[++ground]!
  let most = 1
  for (let i = 0; i < ink.length; i++) most = Math.max(most, ink[i] = Math.abs(ink[i]! - ground))
  for (let i = 0; i < ink.length; i++) ink[i] = ink[i]! / most
  return ink
}

/** The glyph's own box: its columns without what is empty at either side, and its rows. */
const boxOf = (ink: Float32Array, width: number, height: number, { from, to }: Glyph) => {
  let [left, right, top, bottom] = [to, from, height, 0]
  for (let y = 0; y < height; y++) {
    for (let x = from; x < to; x++) {
      if (ink[y * width + x]! < tuning.inked) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  }
  return { left, right, top, bottom }
}

/** Looks at the glyphs of a line one by one. */
export const glyphReader = (line: Picture) => {
  const { height, width } = line
  const ink = inkOf(line)

  /** What a glyph looks like; `digit` is the one beside it. Undefined where there is nothing, or no sign is so narrow or wide. */
  const featuresOf = (glyph: Glyph, digit: Glyph): Float32Array | undefined => {
    const box = boxOf(ink, width, height, glyph)
    const other = boxOf(ink, width, height, digit)
    const [wide, high, digitHigh] = [box.right - box.left, box.bottom - box.top, other.bottom - other.top]
    if (high <= 0 || digitHigh <= 0 || wide < tuning.narrow * height || wide > tuning.wide * height) return undefined
    const features = new Float32Array(FEATURES)
    for (let row = 0; row < DOWN; row++) {
      const y = box.top + ((row + 0.5) * high) / DOWN - 0.5
      const above = Math.max(0, Math.min(height - 1, Math.floor(y)))
      const below = Math.min(height - 1, above + 1)
      for (let column = 0; column < ACROSS; column++) {
        const x = box.left + ((column + 0.5) * wide) / ACROSS - 0.5
        const before = Math.max(0, Math.min(width - 1, Math.floor(x)))
        const behind = Math.min(width - 1, before + 1)
        const [down, across] = [Math.max(0, y - above), Math.max(0, x - before)]
        const at = (r: number, c: number) => ink[r * width + c]!
        features[row * ACROSS + column] = (at(above, before) * (1 - across) + at(above, behind) * across) * (1 - down) +
          (at(below, before) * (1 - across) + at(below, behind) * across) * down
      }
    }
    features[ACROSS * DOWN] = wide / digitHigh
    features[ACROSS * DOWN + 1] = high / digitHigh
    return features
  }
  return { featuresOf }
}

/** The likeliest sign of a glyph by multinomial logistic regression (`tools/fit-currency.ts`). */
const signOf = (
  features: Float32Array
): { readonly sign: typeof SIGNS[number]; readonly probability: number } => {
  const scores = SIGNS.map((_, kind) => {
    const { bias, step, weights } = currencyWeights[kind]!
    let sum = 0
    for (let i = 0; i < FEATURES; i++) sum += weights[i]! * features[i]!
    return bias + step * sum
  })
  const most = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - most))
  const all = shares.reduce((a, b) => a + b, 0)
  const best = scores.indexOf(most)
  return { sign: SIGNS[best]!, probability: shares[best]! / all }
}

const isDigit = (character: ReadCharacter | undefined): boolean =>
  character !== undefined && /^\d$/u.test(character.text)
const isInNumber = (character: ReadCharacter | undefined): boolean =>
  character !== undefined && /^[\d.,%]$/u.test(character.text)
const isSpace = (character: ReadCharacter | undefined): boolean => character === undefined || character.text === " "

/**
 * The characters of a line with the signs of currencies before and behind its numbers as they look: PP-OCRv4 has no €, and
 * reads £ as f or not at all. Whatever looks like none stays as it was read. Pure.
 */
export const withSigns = (
  characters: ReadonlyArray<ReadCharacter>,
  stepWidth: number,
  gaps: ReadonlyArray<Gap>,
  line: Picture
): ReadonlyArray<ReadCharacter> => {
  if (!characters.some(isDigit)) return characters
  const glyphs = glyphsBetween(gaps, line.width)
  const glyphOf = characters.map(({ step }) => {
    const centre = (step + 0.5) * stepWidth
    return glyphs.findIndex(({ from, to }) => centre >= from - 1 && centre <= to)
  })
  let reader: ReturnType<typeof glyphReader> | undefined
  /** The sign that the glyph is, whose character, if it was read, is the one at `index`. */
  const look = (glyph: number, digit: number, index: number): string | undefined => {
    const [seen, beside] = [glyphs[glyph], glyphs[digit]]
    if (seen === undefined || beside === undefined) return undefined
    const read = glyphOf[index] === glyph
    if (read ? !CONFUSED.test(characters[index]!.text) : glyphOf.includes(glyph)) return undefined
    const apart = glyph < digit ? beside.from - seen.to : seen.from - beside.to
    if (apart > (glyph < digit ? tuning.before : tuning.behind) * line.height) return undefined
    reader ??= glyphReader(line)
    const features = reader.featuresOf(seen, beside)
    if (features === undefined) return undefined
    const { probability, sign } = signOf(features)
    return sign !== "" && probability >= (read ? tuning.instead : tuning.passed) ? sign : undefined
  }
  const out = characters.map((character) => [character])
  characters.forEach((digit, index) => {
    const at = glyphOf[index]!
    if (!isDigit(digit) || at < 0) return
    const { probability, step } = digit
    const place = (sign: string, into: number, spaced: boolean, instead: boolean, where: number) => {
      const there = { text: sign, probability, step: Math.max(0, where) }
      if (instead) out[into] = [there]
      else if (spaced) out[into] = [...out[into]!, { ...there, text: " " }, there]
      else out[into] = [there, ...out[into]!]
    }
    if (!isInNumber(characters[index - 1])) {
      const sign = look(at - 1, at, index - 1)
      const read = glyphOf[index - 1] === at - 1
      if (sign !== undefined) place(sign, read ? index - 1 : index, false, read, step - 1)
    }
    if (isInNumber(characters[index + 1])) return
    const next = characters[index + 1]?.text === " " ? index + 2 : index + 1
    const read = glyphOf[next] === at + 1
    if (read && !isSpace(characters[next + 1])) return
    const sign = look(at + 1, at, next)
    if (sign !== undefined) place(sign, read ? next : index, !read, read, step + 1)
  })
  return out.flat()
}
