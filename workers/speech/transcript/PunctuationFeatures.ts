/** What is known of a turn's words before anything is decided; all words are in lower case. */
export interface TurnWords {
  readonly words: ReadonlyArray<string>
  readonly ids: Int32Array
  /** The word itself where it is a small common one, else what its last two letters are. */
  readonly kinds: Int32Array
  readonly ends: Int32Array
  readonly heads: Int32Array
  /** What a list of English words and names says of each word. */
  readonly listed: Int32Array
  /** How long the silence after each word is, in steps; 0 where it is not known. */
  readonly gaps: Uint8Array
}

/** Hashed word list: which slot says what of a word, see `listedAs`. */
export interface WordList {
  readonly slots: number
  readonly weights: Int8Array
}

/** 0 for a word that no list has, 1 for an ordinary word, 2 for a name, 3 for what can be both. */
const listedAs = ({ slots, weights }: WordList, word: string): number =>
  weights[slotOf(word.replace(/'s?$/u, ""), slots)]!

/** Where a word list keeps a word. */
export const slotOf = (word: string, slots: number): number => {
  const hash = hashOf(word)
  return (hash ^ (hash >>> 15)) & (slots - 1)
}

/** Words whose identity says more about the build of a sentence than any ending does. */
const SMALL = new Set(
  ("a an the this that these those my your his her its our their i you he she it we they me him us them who what which whose whom when where why " +
    "how and or but so because if then than as while though although since until unless of to in on at for from by with about into over after before " +
    "between through during under without within not no yes yeah okay ok well oh um uh now here there is are was were be been being am do does did done have " +
    "has had will would can could may might shall should must let let's i'm i'd i'll i've you're you'd you'll you've it's that's there's what's we're " +
    "we'll we've they're don't doesn't didn't isn't aren't wasn't can't couldn't won't wouldn't shouldn't haven't please thanks thank also too just very " +
    "really first next finally however therefore hi hello hey sure right great actually maybe today mister missus doctor president professor")
    .split(" ")
)

/** 32-bit FNV-1a (Fowler, Noll, Vo) over UTF-16 code units. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash | 0
}

const EDGE = hashOf("<edge>")
const FIGURE = hashOf("<figure>")
const LETTER = hashOf("<letter>")

const NAME = hashOf("<name>")

const kindOf = (word: string, listed: number): number => {
  if (SMALL.has(word)) return hashOf(word)
  if (listed === 2) return NAME
  if (/\d/u.test(word)) return FIGURE
  return word.length === 1 ? LETTER : hashOf(`-${word.slice(-2)}`)
}

/** Upper bounds of the silences told apart, in seconds: 0 is an unknown one. */
const GAPS = [0.06, 0.15, 0.3, 0.45, 0.7, 1.2]

const gapOf = (pause: number): number => {
  const at = GAPS.findIndex((bound) => pause < bound)
  return at < 0 ? GAPS.length + 1 : at + 1
}

export const turnWords = (
  words: ReadonlyArray<string>,
  pauses: ReadonlyArray<number> | null,
  list: WordList
): TurnWords => {
  const listed = Int32Array.from(words, (word) => listedAs(list, word))
  return {
    words,
    ids: Int32Array.from(words, (word) => /\d/u.test(word) ? FIGURE : hashOf(word)),
    kinds: Int32Array.from(words, (word, i) => kindOf(word, listed[i]!)),
    ends: Int32Array.from(words, (word) => hashOf(`-${word.slice(-3)}`)),
    heads: Int32Array.from(words, (word) => hashOf(`${word.slice(0, 3)}-`)),
    listed,
    gaps: Uint8Array.from(words, (_, i) => pauses === null ? 0 : gapOf(pauses[i]!))
  }
}

/** Collects the hashed features (Weinberger et al. 2009) of one decision: indices below a power of two. */
export class FeatureList {
  readonly indices = new Int32Array(96)
  size = 0
  private readonly mask: number
  constructor(slots: number) {
    this.mask = slots - 1
  }
  clear(): void {
    this.size = 0
  }
  add(template: number, a: number, b = 0, c = 0, d = 0): void {
    let hash = Math.imul(template + 1, 0x9e3779b1) ^ a
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ b
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ c
    hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f) ^ d
    hash = Math.imul(hash ^ (hash >>> 15), 0x165667b1)
    this.indices[this.size++] = (hash ^ (hash >>> 13)) & this.mask
  }
}

const at = (values: Int32Array, index: number): number => index < 0 || index >= values.length ? EDGE : values[index]!

const LENGTHS = [1, 2, 3, 4, 6, 8, 11, 15, 20, 28]
const lengthOf = (count: number): number => {
  const bucket = LENGTHS.findIndex((bound) => count <= bound)
  return bucket < 0 ? LENGTHS.length : bucket
}

/** Features of what stands after word `i`, in a sentence begun at word `start` whose last comma stands after word `comma`. */
export const markFeatures = (turn: TurnWords, i: number, start: number, comma: number, out: FeatureList): void => {
  const { ends, gaps, ids, kinds } = turn
  const [w0, w1, w2] = [ids[i]!, at(ids, i + 1), at(ids, i + 2)]
  const [v1, v2] = [at(ids, i - 1), at(ids, i - 2)]
  const [k0, k1, k2, k3] = [kinds[i]!, at(kinds, i + 1), at(kinds, i + 2), at(kinds, i + 3)]
  const j1 = at(kinds, i - 1)
  const gap = gaps[i]!
  const length = lengthOf(i + 1 - start)
  const clause = lengthOf(i - Math.max(comma, start - 1))
  out.clear()
  out.add(0, 0)
  out.add(1, w0)
  out.add(2, w1)
  out.add(3, w2)
  out.add(4, v1)
  out.add(5, v2)
  out.add(6, at(ids, i + 3))
  out.add(7, w0, w1)
  out.add(8, v1, w0)
  out.add(9, w1, w2)
  out.add(10, v2, v1, w0)
  out.add(11, v1, w0, w1)
  out.add(12, w0, w1, w2)
  out.add(14, k0, k1)
  out.add(15, j1, k0, k1)
  out.add(16, k0, k1, k2)
  out.add(17, k1, k2, k3)
  out.add(18, j1, k0, k1, k2)
  out.add(20, ends[i]!)
  out.add(21, at(ends, i + 1))
  out.add(22, ends[i]!, k1)
  out.add(23, k0, at(ends, i + 1))
  out.add(24, gap)
  out.add(25, gap, k1)
  out.add(26, gap, k0)
  out.add(27, gap, k0, k1)
  out.add(28, gap, k1, k2)
  out.add(29, gap, length)
  out.add(30, gap, i > 0 ? gaps[i - 1]! : 9, i + 1 < gaps.length ? gaps[i + 1]! : 9)
  out.add(31, length, k1)
  out.add(32, clause, k1)
  out.add(33, clause, k0, k1)
  out.add(34, gap, clause, k1)
  out.add(35, at(kinds, start), length, k1)
  out.add(36, at(kinds, start), at(kinds, start + 1), gap)
  out.add(37, comma >= start ? at(kinds, comma + 1) : 0, k1, clause)
  out.add(38, k1, k2, length)
}

const ASKING = new Set(
  ("what who whose which where when why how is are was were do does did can could will would should shall may have has had am isn't aren't don't doesn't " +
    "didn't can't couldn't won't wouldn't haven't what's who's where's how's").split(" ")
)

/** Features of whether the words `[from, to)` ask. */
export const questionFeatures = (
  { ids, kinds, words }: TurnWords,
  from: number,
  to: number,
  out: FeatureList
) => {
  const inside = (values: Int32Array, index: number) => index < from || index >= to ? EDGE : values[index]!
  out.clear()
  out.add(50, 0)
  const length = lengthOf(to - from)
  out.add(51, length)
  out.add(52, ids[from]!)
  out.add(53, ids[from]!, inside(ids, from + 1))
  out.add(54, ids[from]!, inside(ids, from + 1), inside(ids, from + 2))
  out.add(55, inside(kinds, from), inside(kinds, from + 1), inside(kinds, from + 2), inside(kinds, from + 3))
  out.add(56, inside(ids, from + 1), inside(ids, from + 2))
  out.add(57, inside(ids, to - 1))
  out.add(58, inside(ids, to - 2), inside(ids, to - 1))
  out.add(59, inside(ids, to - 3), inside(ids, to - 2), inside(ids, to - 1))
  out.add(60, ids[from]!, length)
  let asking = 0
  for (let i = from; i < to && asking < 8; i++) {
    if (!ASKING.has(words[i]!)) continue
    asking++
    const place = Math.min(4, i - from)
    out.add(61, ids[i]!, inside(kinds, i + 1))
    out.add(62, ids[i]!, inside(kinds, i + 1), place)
    out.add(63, inside(kinds, i - 1), ids[i]!, inside(kinds, i + 1))
    out.add(64, ids[i]!, inside(kinds, i + 1), inside(kinds, i + 2))
  }
  out.add(65, asking)
}

/** How the word before is written: `STARTS` for a sentence's first word, which says nothing about a name. */
export const STARTS = 3

/**
 * Features of how word `i` of a sentence is written: `last` is how the word before it is, `before` and `after` whether a mark
 * stands on either side (0 none, 1 comma, 2 end).
 */
export const caseFeatures = (
  turn: TurnWords,
  i: number,
  last: number,
  before: number,
  after: number,
  out: FeatureList
) => {
  const { ends, heads, ids, kinds, listed, words } = turn
  const [l0, l1, m1] = [listed[i]!, at(listed, i + 1), at(listed, i - 1)]
  const [w0, w1, v1] = [ids[i]!, at(ids, i + 1), at(ids, i - 1)]
  const [k0, k1, j1] = [kinds[i]!, at(kinds, i + 1), at(kinds, i - 1)]
  const length = Math.min(9, words[i]!.length)
  out.clear()
  out.add(100, 0)
  out.add(101, w0)
  out.add(102, v1, w0)
  out.add(103, w0, w1)
  out.add(104, v1)
  out.add(105, w1)
  out.add(106, at(ids, i - 2), v1)
  out.add(107, w1, at(ids, i + 2))
  out.add(108, v1, w0, w1)
  out.add(109, ends[i]!)
  out.add(110, heads[i]!)
  out.add(111, k0, length)
  out.add(112, last, before)
  out.add(113, last, w0)
  out.add(114, last, k0, length)
  out.add(115, last, k0, k1)
  out.add(116, last, v1)
  out.add(117, last, w1)
  out.add(118, j1, k0, k1)
  out.add(119, at(kinds, i - 2), j1, k0)
  out.add(120, before, after, k0)
  out.add(121, last, k1, after)
  out.add(122, v1, ends[i]!)
  out.add(123, last, ends[i]!, length)
  out.add(124, last, at(ids, i - 2), v1)
  out.add(125, j1, w0)
  out.add(126, w0, k1)
  out.add(127, before, w0)
  out.add(128, l0, length)
  out.add(129, l0, last)
  out.add(130, l0, last, v1)
  out.add(131, l0, j1, k1)
  out.add(132, m1, l0, l1, last)
  out.add(133, l0, at(kinds, i - 2), j1)
  out.add(134, l0, last, w1)
  out.add(135, l0, ends[i]!)
  out.add(136, l0, l1, before, after)
}
