/** A pattern that cannot be matched in linear time, or that is no ECMA-262 regular expression. */
export class PatternUnsupported extends Error {}

type Range = readonly [from: number, to: number]
const highest = 0x10FFFF

const digits: ReadonlyArray<Range> = [[0x30, 0x39]]
const word: ReadonlyArray<Range> = [[0x30, 0x39], [0x41, 0x5A], [0x5F, 0x5F], [0x61, 0x7A]]
const space: ReadonlyArray<Range> = [
  [0x9, 0xD],
  [0x20, 0x20],
  [0xA0, 0xA0],
  [0x1680, 0x1680],
  [0x2000, 0x200A],
  [0x2028, 0x2029],
  [0x202F, 0x202F],
  [0x205F, 0x205F],
  [0x3000, 0x3000],
  [0xFEFF, 0xFEFF]
]
const lineEnds: ReadonlyArray<Range> = [[0xA, 0xA], [0xD, 0xD], [0x2028, 0x2029]]

const complement = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const rest: Array<Range> = []
  let next = 0
  for (const [from, to] of ranges) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  return next > highest ? rest : [...rest, [next, highest]]
}

const code = (point: number): string => `\\x{${point.toString(16)}}`
const inside = (ranges: ReadonlyArray<Range>): string =>
  ranges.map(([from, to]) => from === to ? code(from) : `${code(from)}-${code(to)}`).join("")
/** RE2 has no empty class. */
const oneOf = (body: string): string => body === "" ? `[^${inside([[0, highest]])}]` : `[${body}]`

const properties = new Map<string, ReadonlyArray<Range>>()

let everything: string | undefined

/** Every code point in order, surrogates left out: 4 MB, made once. */
const allCharacters = (): string => {
  if (everything !== undefined) return everything
  const blocks: Array<string> = []
  for (let from = 0; from <= highest; from += 0x800) {
    if (from === 0xD800) continue
    blocks.push(String.fromCodePoint(...Array.from({ length: 0x800 }, (_, at) => from + at)))
  }
  return everything = blocks.join("")
}

/** The code points of a Unicode property, asked of the language's own engine: RE2 knows few of them by name. */
const pointsOf = (property: string): ReadonlyArray<Range> => {
  const known = properties.get(property)
  if (known !== undefined) return known
  const runs = allCharacters().matchAll(new RegExp(`\\p{${property}}+`, "gu"))
  const ranges = Array.from(runs, ({ 0: run }): Range => {
    const last = run.charCodeAt(run.length - 1)
    return [run.codePointAt(0)!, last >= 0xDC00 && last < 0xE000 ? run.codePointAt(run.length - 2)! : last]
  })
  properties.set(property, ranges)
  return ranges
}

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const shorthands: Readonly<Record<string, ReadonlyArray<Range>>> = {
  d: digits,
  w: word,
  s: space,
  D: complement(digits),
  W: complement(word),
  S: complement(space)
}

const compiles = (source: string, flags: string): boolean => {
  try {
    return Boolean(new RegExp(source, flags))
  } catch {
    return false
  }
}

export interface Translated {
  /** The pattern in RE2's words. */
  readonly re2: string
  /**
   * What compiling it costs, in instructions of RE2's program and ranges of its classes, 7 µs each. Repeats are multiplied
   * out, as RE2 does.
   */
  readonly steps: number
  /** Properties of Unicode that are looked up, each for `lookupSteps`, once in a thread. */
  readonly properties: ReadonlySet<string>
}

/** No pattern of a caller's needs more; translating ends here. */
export const mostPatternSteps = 60_000

/** All 1.1 million characters are asked for it. */
export const lookupSteps = 2000

/**
 * An ECMA-262 pattern in RE2's words, with ECMA-262's meaning: `\s` and `.` know Unicode's spaces and line ends, `$` is the
 * end of the text only, a class is what it is there. Read by code point, as with the flag `u`; a needless backslash before
 * punctuation is forgiven. Throws `PatternUnsupported` for what RE2 cannot run, for what ECMA-262 does not know and for what
 * takes more than `mostPatternSteps`, before anything is compiled.
 */
export const translate = (source: string): Translated => {
  if (!compiles(source, "u") && !compiles(source, "")) throw new PatternUnsupported("is not a regular expression")
  const translation = new Translation(source)
  return { re2: translation.pattern(), steps: translation.steps(), properties: translation.properties }
}

/** How large RE2's program of a pattern becomes, while it is read from left to right. */
class PatternSize {
  private classes = 0
  private last = 0
  private total = 0
  private readonly outer: Array<number> = []

  /** Ranges of a class are read once, however often it is repeated. */
  ranges(count: number): void {
    this.classes += count
  }

  atom(): void {
    this.total += this.last
    this.last = 1
  }

  open(): void {
    this.outer.push(this.total + this.last)
    this.total = 0
    this.last = 0
  }

  close(): void {
    this.last = this.total + this.last + 1
    this.total = this.outer.pop() ?? 0
  }

  repeat(times: number): void {
    this.last = this.last * Math.max(1, times) + 1
  }

  steps(): number {
    return this.classes + this.total + this.last + this.outer.reduce((sum, size) => sum + size, 0)
  }
}

class Translation {
  private at = 0
  private readonly source: string
  private readonly size = new PatternSize()
  readonly properties = new Set<string>()
  constructor(source: string) {
    this.source = source
  }

  pattern(): string {
    let out = ""
    while (this.at < this.source.length) {
      out += this.piece()
      if (this.steps() > mostPatternSteps) {
        throw new PatternUnsupported(`is too large: over ${mostPatternSteps} steps with its repeats multiplied out`)
      }
    }
    return out
  }

  steps(): number {
    return this.size.steps()
  }

  private oneOf(ranges: ReadonlyArray<Range>): string {
    this.size.ranges(ranges.length)
    return oneOf(inside(ranges))
  }

  /** What the expression matches at the current place, stepped over; it must be sticky. */
  private take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const match = expression.exec(this.source)
    if (match !== null) this.at = expression.lastIndex
    return match
  }

  private piece(): string {
    if (this.take(/\((?:\?:|\?<[^=!>]*>)?(?!\?)/uy) !== null) {
      this.size.open()
      return "(?:"
    }
    if (this.take(/\(\?(?:<?[=!])/uy) !== null) {
      throw new PatternUnsupported("looks ahead or behind, which cannot run in linear time")
    }
    if (this.take(/\(\?/uy) !== null) throw new PatternUnsupported("sets flags inside, which is not supported")
    const repeat = this.take(/[*+?]|\{(\d+)(?:,(\d*))?\}/uy)
    if (repeat !== null) {
      this.size.repeat(Number(repeat[2] || repeat[1] || 1) + (repeat[2] === "" ? 1 : 0))
      return repeat[0]
    }
    if (this.take(/\)/uy) !== null) {
      this.size.close()
      return ")"
    }
    this.size.atom()
    if (this.take(/\$/uy) !== null) return "\\z"
    if (this.take(/\./uy) !== null) return this.oneOf(complement(lineEnds))
    if (this.take(/\[/uy) !== null) return this.characterClass()
    if (this.take(/\\/uy) !== null) return this.escape()
    return this.take(/[\^|]/uy)?.[0] ?? code(this.point())
  }

  private point(): number {
    const point = this.source.codePointAt(this.at)!
    this.at += point > 0xFFFF ? 2 : 1
    return point
  }

  private escape(): string {
    const boundary = this.take(/[bB]/uy)
    if (boundary !== null) return `\\${boundary[0]}`
    if (this.take(/[1-9]|k</uy) !== null) {
      throw new PatternUnsupported("uses a back reference, which cannot run in linear time")
    }
    const found = this.escaped()
    return typeof found === "number" ? code(found) : this.oneOf(found)
  }

  /** What follows a backslash, in a class or out of one. */
  private escaped(): number | ReadonlyArray<Range> {
    const shorthand = this.take(/[dwsDWS]/uy)
    if (shorthand !== null) return shorthands[shorthand[0]]!
    const property = this.take(/([pP])\{([^}]*)\}/uy)
    if (property !== null) {
      if (!compiles(`\\p{${property[2]!}}`, "u")) {
        throw new PatternUnsupported("names a property that Unicode does not have")
      }
      this.properties.add(property[2]!)
      if (this.properties.size * lookupSteps > mostPatternSteps) {
        throw new PatternUnsupported("names too many properties of Unicode")
      }
      const points = pointsOf(property[2]!)
      return property[1] === "p" ? points : complement(points)
    }
    const control = this.take(/[tnvfr]/uy)
    if (control !== null) return controls[control[0]]!
    const letter = this.take(/c([A-Za-z])/uy)
    if (letter !== null) return letter[1]!.codePointAt(0)! % 32
    if (this.take(/0(?!\d)/uy) !== null) return 0
    const pair = this.take(/u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iuy)
    if (pair !== null) {
      return String.fromCharCode(Number.parseInt(pair[1]!, 16), Number.parseInt(pair[2]!, 16)).codePointAt(0)!
    }
    const hex = this.take(/x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}/uy)
    if (hex !== null) return Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16)
    const next = this.point()
    if (/[\da-z]/iu.test(String.fromCodePoint(next))) {
      throw new PatternUnsupported(`has the escape \\${String.fromCodePoint(next)}, which ECMA-262 does not know`)
    }
    return next
  }

  private characterClass(): string {
    const negated = this.take(/\^/uy) !== null
    const ranges: Array<Range> = []
    while (this.take(/\]/uy) === null) {
      const first = this.member()
      const dash = typeof first === "number" ? this.take(/-(?!\])/uy) : null
      const last = dash === null ? first : this.member()
      if (typeof first === "number" && typeof last === "number") ranges.push([first, last])
      else if (typeof last === "number") ranges.push(...first as ReadonlyArray<Range>, [last, last])
      else if (typeof first === "number") ranges.push([first, first], [0x2D, 0x2D], ...last)
      else ranges.push(...first)
    }
    if (!negated) return this.oneOf(ranges)
    this.size.ranges(ranges.length)
    const body = inside(ranges)
    return body === "" ? `[${inside([[0, highest]])}]` : `[^${body}]`
  }

  private member(): number | ReadonlyArray<Range> {
    if (this.take(/\\/uy) === null) return this.point()
    if (this.take(/b/uy) !== null) return 8
    if (this.take(/[1-9]/uy) !== null) throw new PatternUnsupported("has an octal escape")
    return this.escaped()
  }
}
