import { distance } from "fastest-levenshtein"
import { numberAt } from "../lexicon/Numbers.ts"
import { type Passage, quoteOf, type Span } from "../text/SourceDocument.ts"
import { stem, type Token, tokenise } from "../text/Tokens.ts"

export interface Alignment extends Span {
  readonly tier: "exact" | "normalised" | "fuzzy"
  /** 1 for exact and normalised; for fuzzy the share of the value that was found. */
  readonly similarity: number
}

/** A word or number in comparable form with the tokens `[first, last]` that it stands for. */
interface Unit {
  readonly key: string
  readonly plain: string
  readonly first: number
  readonly last: number
}

/** A map: "constructor" and "toString" are words that people say. */
const SIGNS = new Map([["%", "percent"], ["$", "dollar"], ["&", "and"]])

/** Number words as digits, signs as words, stems for the rest: "twelve point four million" and "12.4M" are equal. */
export const canonicalUnits = (tokens: ReadonlyArray<Token>): ReadonlyArray<Unit> => {
  const out: Array<Unit> = []
  for (let at = 0; at < tokens.length;) {
    const numeral = numberAt(tokens, at)
    if (numeral === undefined) {
      const word = tokens[at]!.norm.replaceAll("'", "")
      out.push({ key: stem(SIGNS.get(word) ?? word), plain: word, first: at, last: at })
      at++
    } else {
      out.push({ key: String(numeral.value), plain: String(numeral.value), first: at, last: numeral.end - 1 })
      at = numeral.end
    }
  }
  return out
}

/** The units of many passages in one row, with an inverted index. */
export interface AlignmentIndex {
  readonly units: ReadonlyArray<Unit & { readonly passage: Passage }>
  readonly places: ReadonlyMap<string, ReadonlyArray<number>>
  /** Keys by length with first letter and by length with last letter: misspelling rarely changes both. */
  readonly shapes: ReadonlyMap<string, ReadonlyArray<string>>
}

const shapesOf = (
  key: string,
  length: number
): ReadonlyArray<string> => [`${length}${key[0]}-`, `${length}-${key.at(-1)}`]

const push = <T>(map: Map<string, Array<T>>, key: string, value: T): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/** Indexes passages in their order; a value is then found without reading them again. */
export const alignmentIndex = (passages: ReadonlyArray<Passage>): AlignmentIndex => {
  const units = passages.flatMap((passage) =>
    canonicalUnits(passage.tokens).map(({ first, key, last, plain }) => ({ key, plain, first, last, passage }))
  )
  const places = new Map<string, Array<number>>()
  const shapes = new Map<string, Array<string>>()
  units.forEach(({ key }, at) => {
    if (!places.has(key)) { for (const shape of shapesOf(key, key.length)) push(shapes, shape, key) }
    push(places, key, at)
  })
  return { units, places, shapes }
}

/** Keys that are spelled nearly so: at most two edits, which change the length by at most two. */
const nearKeys = ({ shapes }: AlignmentIndex, key: string): ReadonlySet<string> => {
  const near = new Set<string>()
  for (let length = key.length - 2; length <= key.length + 2; length++) {
    for (const shape of shapesOf(key, length)) {
      for (const other of shapes.get(shape) ?? []) if (wordLikeness(other, key) > 0) near.add(other)
    }
  }
  return near
}

const spanOf = ({ units }: AlignmentIndex, from: number, to: number): Span => {
  const { first, passage } = units[from]!
  return { passage, from: passage.tokens[first]!.from, to: passage.tokens[units[to]!.last]!.to }
}

/**
 * Every place where a value stands unit by unit. Values of one or two units must match without stemming: by stem alone
 * they are often found where they are not.
 */
export const findExact = (index: AlignmentIndex, value: string): ReadonlyArray<Alignment> => {
  const wanted = canonicalUnits(tokenise(value))
  if (wanted.length === 0) return []
  const counts = wanted.map(({ key }) => index.places.get(key)?.length ?? 0)
  const rarest = counts.indexOf(Math.min(...counts))
  return (index.places.get(wanted[rarest]!.key) ?? []).flatMap((place): ReadonlyArray<Alignment> => {
    const from = place - rarest
    const to = from + wanted.length - 1
    if (from < 0 || to >= index.units.length || index.units[from]!.passage !== index.units[to]!.passage) return []
    const same = wanted.every(({ key, plain }, at) => {
      const unit = index.units[from + at]!
      return unit.key === key &&
        (wanted.length > 2 || unit.plain === plain || unit.plain.replace(/s$/u, "") === plain.replace(/s$/u, ""))
    })
    if (!same) return []
    const span = spanOf(index, from, to)
    const text = span.passage.text.slice(span.from, span.to)
    return [{ ...span, tier: text === value ? "exact" : "normalised", similarity: 1 }]
  })
}

/** 1 for equal words; for words of four letters or more, their likeness up to two edits and a third of the length. */
const wordLikeness = (a: string, b: string): number => {
  if (a === b) return 1
  if (a.length < 4 || b.length < 4 || /^\d/u.test(a) || /^\d/u.test(b)) return 0
  const edits = distance(a, b)
  const longest = Math.max(a.length, b.length)
  return edits <= 2 && edits / longest <= 0.34 ? 1 - edits / longest : 0
}

/** Share of the value that must be found, and share of the found stretch that must belong to it. */
const GATES = { coverage: 0.7, density: 0.5 } as const

const anchorsOf = (index: AlignmentIndex, wanted: ReadonlyArray<Unit>): ReadonlyArray<number> => {
  const anchors = new Set<number>()
  wanted.forEach(({ key }, at) => {
    const places = index.places.get(key)
    if (places !== undefined) {
      // A word in four hundred places anchors nothing.
      if (places.length < 400) { for (const place of places) anchors.add(place - at) }
    } else if (wanted.length <= 6 && key.length >= 5) {
      for (const other of nearKeys(index, key)) for (const place of index.places.get(other)!) anchors.add(place - at)
    }
  })
  return Array.from(new Set(Array.from(anchors, (anchor) => Math.max(0, anchor - 2))))
}

/**
 * Semi-global alignment (Needleman, S. and Wunsch, C., 1970, free ends in the source) of a value inside one window: a gap in
 * the source costs 0.1, a missing word of the value its share of coverage. Gives the score and the unit range.
 */
const alignWindow = (
  index: AlignmentIndex,
  wanted: ReadonlyArray<Unit>,
  from: number
): { readonly score: number; readonly first: number; readonly last: number } => {
  const size = Math.max(0, Math.min(index.units.length, from + 4 + Math.ceil(wanted.length * 1.5)) - from)
  let scores = new Float64Array(size + 1)
  let starts = Int32Array.from({ length: size + 1 }, (_, at) => at)
  for (const { key } of wanted) {
    const next = new Float64Array(size + 1)
    const begun = new Int32Array(size + 1)
    for (let at = 1; at <= size; at++) {
      const like = wordLikeness(key, index.units[from + at - 1]!.key)
      const match = like > 0 ? scores[at - 1]! + like : -1
      const missing = scores[at]!
      const extra = next[at - 1]! - 0.1
      next[at] = Math.max(match, missing, extra)
      begun[at] = match >= missing && match >= extra
        ? scores[at - 1]! > 0 ? starts[at - 1]! : at - 1
        : missing >= extra
        ? starts[at]!
        : begun[at - 1]!
    }
    scores = next
    starts = begun
  }
  let best = 0
  for (let at = 1; at <= size; at++) if (scores[at]! > scores[best]! + 1e-9) best = at
  return { score: scores[best]!, first: from + starts[best]!, last: from + best - 1 }
}

/** Places where a value of three units or more stands nearly, as a recogniser with some wrong words would leave it. */
export const findFuzzy = (index: AlignmentIndex, value: string): ReadonlyArray<Alignment> => {
  const wanted = canonicalUnits(tokenise(value))
  if (wanted.length < 3) return []
  return anchorsOf(index, wanted).flatMap((anchor): ReadonlyArray<Alignment> => {
    const { first, last, score } = alignWindow(index, wanted, anchor)
    if (last < first || index.units[first]!.passage !== index.units[last]!.passage) return []
    const coverage = score / wanted.length
    if (coverage < GATES.coverage || score / (last - first + 1) < GATES.density) return []
    return [{ ...spanOf(index, first, last), tier: "fuzzy", similarity: Math.min(1, coverage) }]
  })
}

/**
 * Whether what stands nearly as a value begins and ends as the value does: a stretch that breaks off before the value's last word may say
 * something else.
 */
export const endsAlike = (span: Span, value: string): boolean => {
  const [said, wanted] = [quoteOf(span), value].map((text) => canonicalUnits(tokenise(text)))
  return [0, -1].every((at) => wordLikeness(said!.at(at)?.key ?? "", wanted!.at(at)?.key ?? "") > 0)
}

/**
 * Where a value is said or shown: exactly, else in other letters or number words, else nearly. `near` and `prefer` only
 * break ties. Undefined where it is nowhere.
 */
export const align = (
  index: AlignmentIndex,
  value: string,
  { near = 0, prefer }: { readonly near?: number; readonly prefer?: ReadonlySet<string> } = {}
): Alignment | undefined => {
  const exact = findExact(index, value)
  const hits = exact.length > 0 ? exact : findFuzzy(index, value)
  const away = (hit: Span): number => Math.max(0, hit.passage.t_start - near, near - hit.passage.t_end)
  const rank = { exact: 0, normalised: 1, fuzzy: 2 }
  return hits.toSorted((a, b) =>
    Number(prefer?.has(b.passage.source_ref) ?? false) - Number(prefer?.has(a.passage.source_ref) ?? false) ||
    rank[a.tier] - rank[b.tier] || b.similarity - a.similarity || away(a) - away(b) ||
    a.passage.index - b.passage.index || a.from - b.from
  )[0]
}

/** The comparable form of a bare text, for callers that compare whole texts. */
export const canonicalText = (text: string): string => canonicalUnits(tokenise(text)).map(({ key }) => key).join(" ")
