import { parseWordModel, type WordModel } from "../../../workers/speech/ctc/WordModel.ts"

const STEP = 16

/** What a table of one, two and three words says; scores are `ln p`, `back` what is added where more words are unknown. */
export interface Gram {
  readonly words: string
  readonly score: number
  readonly back?: number
}

const planes = (values: ReadonlyArray<number>): Buffer =>
  Buffer.from([...values.map((value) => value >> 8), ...values.map((value) => value & 255)])

const uint32s = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => bytes.writeUInt32LE(value, 4 * i))
  return bytes
}

/** The file's bytes of a model by hand, in the layout of models/lm/README.md. `<s>` and all single words must be given. */
export const packed = (grams: ReadonlyArray<Gram>): Buffer => {
  const ones = grams.filter(({ words }) => !words.includes(" "))
  const numbers = new Map(ones.map(({ words }, i) => [words, i]))
  const rows = [1, 2, 3].map((order) =>
    grams
      .map((gram) => ({ ...gram, ids: gram.words.split(" ").map((word) => numbers.get(word)!) }))
      .filter(({ ids }) => ids.length === order)
      .toSorted((a, b) => a.ids.map((id, i) => id - b.ids[i]!).find((order) => order !== 0) ?? 0)
  )
  const text = Buffer.from(ones.map(({ words }) => words).join("\n"))
  const parts = [Buffer.from("FNLM1\n"), Buffer.from([3, STEP]), uint32s(text.length), text]
  parts.push(uint32s(...rows.map((row) => row.length)))
  rows.forEach((row, n) => {
    if (n > 0) {
      const starts = row.map(({ ids }) => ids.slice(0, -1).join(" "))
      parts.push(planes(rows[n - 1]!.map(({ ids }) => starts.filter((start) => start === ids.join(" ")).length)))
      parts.push(
        planes(row.map(({ ids }, i) => ids[n]! - (i > 0 && starts[i] === starts[i - 1] ? row[i - 1]!.ids[n]! : 0)))
      )
    }
    parts.push(Buffer.from(row.map(({ score }) => Math.round(-score * STEP))))
    if (n < 2) parts.push(Buffer.from(Int8Array.from(row, ({ back = 0 }) => Math.round(back * STEP)).buffer))
  })
  return Buffer.concat(parts)
}

export const wordModel = (grams: ReadonlyArray<Gram>): WordModel => parseWordModel(packed(grams))
