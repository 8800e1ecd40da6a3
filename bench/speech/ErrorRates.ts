import { spokenNumbers } from "./SpokenNumbers.ts"

/** Words as they are compared: lower case, letters and apostrophes only, without accents, numbers as they are said, three titles written out. */
export const comparable = (text: string): Array<string> =>
  spokenNumbers(text.normalize("NFD").replaceAll(/\p{M}/gu, ""))
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[^a-z0-9' ]/gu, " ")
    .split(/\s+/u)
    .map((word) => word.replaceAll(/^'+|'+$/gu, ""))
    .filter((word) => word !== "")
    .map((word) => titles[word] ?? word)

const titles: Readonly<Record<string, string>> = { mr: "mister", mrs: "missus", dr: "doctor" }

/** Pairs of equal items in the cheapest alignment (Levenshtein 1966), and what it costs. */
export interface Alignment {
  readonly errors: number
  readonly equal: ReadonlyArray<readonly [reference: number, hypothesis: number]>
}

/** Aligns two sequences; among equally cheap ways, substitutions come before gaps. */
export const align = (reference: ReadonlyArray<string>, hypothesis: ReadonlyArray<string>): Alignment => {
  const width = hypothesis.length + 1
  const costs = new Uint32Array((reference.length + 1) * width)
  for (let j = 0; j < width; j++) costs[j] = j
  for (let i = 1; i <= reference.length; i++) {
    costs[i * width] = i
    for (let j = 1; j < width; j++) {
      costs[i * width + j] = Math.min(
        costs[(i - 1) * width + j - 1]! + (reference[i - 1] === hypothesis[j - 1] ? 0 : 1),
        costs[(i - 1) * width + j]! + 1,
        costs[i * width + j - 1]! + 1
      )
    }
  }
  const equal: Array<readonly [number, number]> = []
  let [i, j] = [reference.length, hypothesis.length]
  while (i > 0 && j > 0) {
    const here = costs[i * width + j]!
    const same = reference[i - 1] === hypothesis[j - 1]
    if (here === costs[(i - 1) * width + j - 1]! + (same ? 0 : 1)) {
      if (same) equal.push([i - 1, j - 1])
      i--
      j--
    } else if (here === costs[(i - 1) * width + j]! + 1) i--
    else j--
  }
  return { errors: costs.at(-1)!, equal: equal.toReversed() }
}

/** Errors and reference length, summed over utterances before dividing. */
export interface Tally {
  errors: number
  total: number
}

export const rate = ({ errors, total }: Tally): number => total === 0 ? 0 : errors / total

/** Adds one utterance's word and letter errors. */
export const tally = (words: Tally, letters: Tally, reference: string, hypothesis: string): void => {
  const [a, b] = [comparable(reference), comparable(hypothesis)]
  words.errors += align(a, b).errors
  words.total += a.length
  const [x, y] = [[...a.join(" ")], [...b.join(" ")]]
  letters.errors += align(x, y).errors
  letters.total += x.length
}
