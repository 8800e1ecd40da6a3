const days = ["1970-01-01", "2000-01-01", "2020-01-01", "2026-12-31"]
const moments = days.map((day) => `${day}T00:00:00Z`)

/** Short values of each format that is asserted, the smallest first; more than one where patterns ask for one of a part of them. */
const formats: Readonly<Record<string, string | ReadonlyArray<string>>> = {
  "date-time": moments,
  "iso-date-time": moments,
  date: days,
  time: "00:00:00Z",
  "iso-time": "00:00:00Z",
  duration: "PT0S",
  email: "a@b.co",
  "idn-email": "a@b.co",
  hostname: "a.co",
  "idn-hostname": "a.co",
  ipv4: "0.0.0.0",
  ipv6: "::",
  uri: "about:blank",
  iri: "about:blank",
  url: "https://a.co",
  uuid: "00000000-0000-0000-0000-000000000000",
  "relative-json-pointer": "0",
  "x-footnote-json": "null",
  "x-footnote-base64-json": "bnVsbA=="
}

const common = [
  "a",
  "A",
  "0",
  "1",
  "aa",
  "1.0.0",
  "v1",
  "/",
  "/a",
  "a/b",
  "a.b",
  "a-b",
  "a@b.co",
  "https://a.co/",
  "#000000",
  "1970-01-01",
  "00:00"
]

/** Strings to try for a schema, shortest first: one of its format, one made from its pattern, common shapes, `minLength`. */
export function* sampleStrings(
  schema: { readonly format?: unknown; readonly pattern?: unknown; readonly minLength?: unknown }
): Generator<string> {
  const length = typeof schema.minLength === "number" ? Math.min(schema.minLength, 10_000) : 0
  const sized = (text: string) => text.padEnd(length, text.slice(-1) || "a")
  yield sized("")
  if (typeof schema.format === "string" && Object.hasOwn(formats, schema.format)) {
    for (const sample of [formats[schema.format]!].flat()) {
      yield sample
      yield sized(sample)
    }
  }
  const made = typeof schema.pattern === "string" ? matching(schema.pattern) : undefined
  // A pattern may be of an end or a beginning alone, such as `@example\.com$` beside the format of an address.
  for (const sample of made === undefined ? common : [made, `a${made}`, `${made}a`, ...common]) {
    yield sample
    if (length > 0) yield sized(sample)
  }
}

/** A string that a pattern's usual constructs match; the caller tests it, so that a guess can only be useless. */
export const matching = (pattern: string): string | undefined => {
  try {
    return new PatternWalk(pattern).alternatives()
  } catch {
    return undefined
  }
}

const escapes: Readonly<Record<string, string>> = {
  d: "0",
  w: "a",
  s: " ",
  D: "a",
  S: "a",
  W: "-",
  n: "\n",
  t: "\t",
  r: "\r",
  b: "",
  B: ""
}

const usual = ["a", "A", "0", "-", "_", " ", "é", "."]

/** The first character, of the usual ones or in Unicode's order, that is of a class as ECMA-262 writes it; undefined where none is below U+3100. */
const characterOf = (written: string): string | undefined => {
  const one = new RegExp(`^${written}$`, "u")
  const found = usual.find((char) => one.test(char))
  if (found !== undefined) return found
  for (let code = 0x21; code < 0x3100; code++) {
    if (one.test(String.fromCodePoint(code))) return String.fromCodePoint(code)
  }
  return undefined
}

/** Recursive descent over a regular expression, taking the first alternative and the fewest repeats. */
class PatternWalk {
  private at = 0
  private readonly source: string
  constructor(source: string) {
    this.source = source
  }

  alternatives(): string {
    const first = this.sequence()
    while (this.source[this.at] === "|") {
      this.at++
      this.sequence()
    }
    return first
  }

  private sequence(): string {
    let text = ""
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      text += this.piece()
    }
    return text
  }

  private piece(): string {
    const atom = this.atom()
    const repeat = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/u.exec(this.source.slice(this.at))
    if (repeat === null) return atom
    this.at += repeat[0].length
    if (repeat[1] !== undefined) return atom.repeat(Math.min(Number(repeat[1]), 1000))
    return repeat[0].startsWith("+") ? atom : ""
  }

  private atom(): string {
    const char = this.source[this.at++]!
    if (char === "^" || char === "$") return ""
    if (char === ".") return "a"
    if (char === "\\") return this.escape()
    if (char === "[") return this.characterClass()
    if (char !== "(") return char
    const group = /^\?(?::|P?<[^>=!]*>|[=!]|<[=!])/u.exec(this.source.slice(this.at))
    if (group !== null) this.at += group[0].length
    const inside = this.alternatives()
    this.at++
    return group !== null && /[=!]$/u.test(group[0]) ? "" : inside
  }

  private escape(): string {
    const char = this.source[this.at++]!
    const rest = this.source.slice(this.at)
    const code = char === "u"
      ? /^\{?([0-9a-f]{4,6})\}?/iu.exec(rest)
      : char === "x"
      ? /^([0-9a-f]{2})/iu.exec(rest)
      : null
    if (code !== null) {
      this.at += code[0].length
      return String.fromCodePoint(Number.parseInt(code[1]!, 16))
    }
    if (char === "c") return String.fromCharCode(this.source.charCodeAt(this.at++) % 32)
    if (char === "p" || char === "P") {
      const property = /^\{[^}]*\}/u.exec(rest)?.[0] ?? ""
      this.at += property.length
      return characterOf(`\\${char}${property}`) ?? "a"
    }
    return escapes[char] ?? char
  }

  private characterClass(): string {
    const from = this.at - 1
    const negated = this.source[this.at] === "^"
    if (negated) this.at++
    const options: Array<string> = []
    for (let first = true; this.source[this.at] !== "]" || first; first = false) {
      if (this.at >= this.source.length) break
      const char = this.source[this.at++]!
      options.push(char === "\\" ? this.escape() : char)
      if (this.source[this.at] !== "-" || this.source[this.at + 1] === "]") continue
      this.at++
      const end = this.source[this.at++]!
      const last = end === "\\" ? this.escape() : end
      // Only the letters and digits of a range are of use here.
      for (let code = options.at(-1)!.codePointAt(0)! + 1; code <= last.codePointAt(0)! && code < 128; code++) {
        options.push(String.fromCodePoint(code))
      }
    }
    this.at++
    // What an escape stands for here is one of many: `\\w` of a class that is negated is more than its letter.
    if (negated) return characterOf(this.source.slice(from, this.at)) ?? "é"
    return options.find((char) => /[a-z0-9A-Z]/u.test(char)) ?? options[0] ?? ""
  }
}
