import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { OnnxModelError } from "../onnx/OnnxSession.ts"

const BACKOFF = Math.log(0.4)
const SENTENCE_START = "<s>"

/** How likely words are after others, in natural logarithms, by counts of one, two and three words. */
export interface WordCounts {
  /** Every word that was counted, with its probability on its own. */
  readonly words: ReadonlyMap<string, number>
  /**
   * `ln p(word | first second)` by stupid backoff with 0.4 (Brants et al. 2007); `<s>` stands before a sentence. An
   * unknown word costs more the longer it is.
   */
  readonly score: (first: string, second: string, word: string) => number
  /** What an unknown word of some letters costs. */
  readonly unknown: (letters: number) => number
}

/** Parses lines of `count<TAB>word[ word[ word]]`. Throws `OnnxModelError` when there is nothing usable. */
export const parseWordCounts = (text: string): WordCounts => {
  const counts = new Map<string, number>()
  const words = new Map<string, number>()
  let total = 0
  for (const line of text.split("\n")) {
    const cut = line.indexOf("\t")
    if (cut === -1) continue
    const gram = line.slice(cut + 1)
    const count = Number(line.slice(0, cut))
    counts.set(gram, count)
    if (!gram.includes(" ")) total += count
  }
  if (!(total > 0)) throw new OnnxModelError("A table of word counts needs at least one single word")
  for (const [gram, count] of counts) {
    if (!gram.includes(" ") && !gram.startsWith("<")) words.set(gram, Math.log(count / total))
  }
  const rare = Math.log((counts.get("<unk>") ?? 1) / total)
  // At 0.6 a letter whole unparted sentences passed for a word; 1.5 took 1.6 points off the word error rate.
  const unknown = (letters: number) => rare - 2 - 1.5 * letters
  return {
    words,
    unknown,
    score: (first, second, word) => {
      const three = counts.get(`${first} ${second} ${word}`)
      if (three !== undefined) return Math.log(three / (counts.get(`${first} ${second}`) ?? three))
      const two = counts.get(`${second} ${word}`)
      if (two !== undefined) return BACKOFF + Math.log(two / (counts.get(second) ?? two))
      return 2 * BACKOFF + (words.get(word) ?? unknown(word.length))
    }
  }
}

/** Reads gzipped counts. Throws `OnnxModelError` when the file is absent or broken. */
export const readWordCounts = (path: string): WordCounts => {
  let text: string
  try {
    text = gunzipSync(readFileSync(path)).toString("utf8")
  } catch (cause) {
    throw new OnnxModelError(`Word counts ${path} cannot be read`, { cause })
  }
  return parseWordCounts(text)
}

export { SENTENCE_START }
