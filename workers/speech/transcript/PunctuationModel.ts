import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { FeatureList } from "./PunctuationFeatures.ts"

/** One linear classifier over hashed features: weights in steps of `scale`, `classes` of them side by side for each slot. */
export interface LinearTable {
  readonly slots: number
  readonly classes: number
  readonly scale: number
  readonly weights: Int8Array
}

/** Three decisions: the mark after a word (none, comma, end), whether a sentence asks, how a word is written (small, capital, capitals). */
export interface PunctuationModel {
  /** Which words are English ones and which are names: one step for each slot of a word's hash. */
  readonly list: LinearTable
  readonly marks: LinearTable
  readonly questions: LinearTable
  readonly cases: LinearTable
}

const isHeader = Schema.is(Schema.Struct({
  tables: Schema.Array(
    Schema.Struct({ name: Schema.String, slots: Schema.Int, classes: Schema.Int, scale: Schema.Finite })
  )
}))

/**
 * Reads a model: gzip of one line of JSON that lists the tables, then their bytes one after the other. A file of another
 * make, or a cut one, throws a `RangeError`.
 */
export const parsePunctuationModel = (file: Uint8Array): PunctuationModel => {
  const bytes = gunzipSync(file)
  const line = bytes.indexOf(10)
  const header: unknown = JSON.parse(bytes.toString("utf8", 0, line))
  if (!isHeader(header)) throw new RangeError("not a punctuation model")
  const { tables } = header
  let at = line + 1
  const read = new Map(tables.map(({ classes, name, scale, slots }): readonly [string, LinearTable] => {
    const weights = new Int8Array(bytes.buffer, bytes.byteOffset + at, slots * classes)
    at += slots * classes
    return [name, { slots, classes, scale, weights }]
  }))
  const [list, marks, questions, cases] = ["list", "marks", "questions", "cases"].map((name) => read.get(name))
  if (
    at !== bytes.length || list === undefined || marks === undefined || questions === undefined || cases === undefined
  ) throw new RangeError("not a punctuation model")
  return { list, marks, questions, cases }
}

const BUILT_IN = new URL("../../../models/footnote-punctuation-en.bin.gz", import.meta.url)
let builtIn: PunctuationModel | undefined

/** The model that comes with the service, read once per process. */
export const builtInPunctuation = (): PunctuationModel => builtIn ??= parsePunctuationModel(readFileSync(BUILT_IN))

/** A list that fills with the features of one table. */
export const featuresOf = ({ slots }: LinearTable): FeatureList => new FeatureList(slots)

/** The class with the largest sum of weights; the first of equals. */
export const bestClass = ({ classes, weights }: LinearTable, { indices, size }: FeatureList): number => {
  let [best, most] = [0, -Infinity]
  for (let k = 0; k < classes; k++) {
    let sum = 0
    for (let f = 0; f < size; f++) sum += weights[indices[f]! * classes + k]!
    if (sum > most) [best, most] = [k, sum]
  }
  return best
}
