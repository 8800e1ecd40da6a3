import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"

const MAGIC = "FNLM1\n"

/**
 * How likely words are after up to two others: a back-off model (Katz 1987) in sorted tables, about 9 MB for two million
 * entries. A place stands for the words before, as far as the model tells them apart.
 */
export interface WordModel {
  /** By number, the commonest first. */
  readonly words: ReadonlyArray<string>
  /** Undefined for a word that the model does not know. */
  readonly number: (word: string) => number | undefined
  /** `ln p` of a word on its own. */
  readonly alone: (word: number) => number
  /** Before the first word. */
  readonly start: number
  /** `ln p` of a word after what a place stands for, and the place that it leads to. */
  readonly after: (place: number, word: number) => { readonly score: number; readonly place: number }
}

/** The place after words that the model does not know. */
export const NOWHERE = -1

interface Table {
  readonly count: number
  /** Entries below entry `i` of the table one shorter are `[begins[i], begins[i + 1])`. */
  readonly begins: Uint32Array
  readonly word: Uint16Array
  readonly score: Uint8Array
  /** What is added where the next table has no entry. */
  readonly back: Int8Array
}

/** Reads values from bytes one after another. */
const makeReader = (bytes: Buffer) => {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new OnnxModelError("A word model ends too early")
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    take,
    uint8: () => take(1).readUInt8(),
    uint32: () => take(4).readUInt32LE(),
    /** All high bytes, then all low bytes. */
    uint16s: (count: number): Uint16Array => {
      const high = take(count)
      const low = take(count)
      const values = new Uint16Array(count)
      for (let i = 0; i < count; i++) values[i] = (high[i]! << 8) | low[i]!
      return values
    },
    end: () => at === bytes.length
  }
}

type Reader = ReturnType<typeof makeReader>

const readTable = (reader: Reader, count: number, shorter: number, last: boolean): Table => {
  const begins = new Uint32Array(shorter + 1)
  const sizes = reader.uint16s(shorter)
  for (let i = 0; i < shorter; i++) begins[i + 1] = begins[i]! + sizes[i]!
  if (shorter > 0 && begins[shorter] !== count) throw new OnnxModelError("A word model's tables do not fit each other")
  const word = reader.uint16s(shorter > 0 ? count : 0)
  // Each stretch holds the step from the word before.
  for (let i = 0; i < shorter; i++) {
    for (let at = begins[i]! + 1; at < begins[i + 1]!; at++) word[at] = word[at]! + word[at - 1]!
  }
  const score = Uint8Array.from(reader.take(count))
  const back = last ? new Int8Array(0) : Int8Array.from(reader.take(count), (byte) => (byte << 24) >> 24)
  return { count, begins, word, score, back }
}

const find = ({ begins, word }: Table, entry: number, wanted: number): number => {
  let low = begins[entry]!
  let high = begins[entry + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (word[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low < begins[entry + 1]! && word[low] === wanted ? low : -1
}

/** Parses the layout that models/lm/README.md tells. Throws `OnnxModelError` when it is another or damaged. */
export const parseWordModel = (bytes: Buffer): WordModel => {
  const reader = makeReader(bytes)
  if (reader.take(Math.min(MAGIC.length, bytes.length)).toString("latin1") !== MAGIC) {
    throw new OnnxModelError("Not a word model")
  }
  const order = reader.uint8()
  const step = reader.uint8()
  const words = reader.take(reader.uint32()).toString("latin1").split("\n")
  const counts = Array.from({ length: order }, () => reader.uint32())
  if (order !== 3 || step === 0 || counts[0] !== words.length) {
    throw new OnnxModelError("A word model needs tables of one, two and three words")
  }
  const one = readTable(reader, counts[0]!, 0, false)
  const two = readTable(reader, counts[1]!, counts[0]!, false)
  const three = readTable(reader, counts[2]!, counts[1]!, true)
  if (!reader.end()) throw new OnnxModelError("A word model goes on after its end")

  const numbers = new Map(words.map((word, i) => [word, i]))
  const start = numbers.get("<s>")
  if (start === undefined) throw new OnnxModelError("A word model needs <s>")
  const alone = (word: number) => -one.score[word]! / step

  // Places are `NOWHERE`, a word's number, or the number of words plus an entry of two words.
  const afterOne = (first: number, word: number) => {
    const entry = find(two, first, word)
    return entry === -1
      ? { score: one.back[first]! / step + alone(word), place: word }
      : { score: -two.score[entry]! / step, place: one.count + entry }
  }
  const after = (place: number, word: number) => {
    if (place === NOWHERE) return { score: alone(word), place: word }
    if (place < one.count) return afterOne(place, word)
    const pair = place - one.count
    const shorter = afterOne(two.word[pair]!, word)
    const entry = find(three, pair, word)
    return entry === -1
      ? { score: two.back[pair]! / step + shorter.score, place: shorter.place }
      : { score: -three.score[entry]! / step, place: shorter.place }
  }
  return { words, number: (word) => numbers.get(word), alone, start, after }
}

/** Reads a gzipped word model. Throws `OnnxModelError` when the file is absent or broken. */
export const readWordModel = (path: string): WordModel => {
  let bytes: Buffer
  try {
    bytes = gunzipSync(readFileSync(path))
  } catch (cause) {
    throw new OnnxModelError(`The word model ${path} cannot be read`, { cause })
  }
  return parseWordModel(bytes)
}
