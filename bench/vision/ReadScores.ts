import { distance } from "fastest-levenshtein"

/** What was written in pictures against what was read in them. */
export interface ReadScore {
  readonly pictures: number
  readonly lines: number
  readonly exact: number
  /** Lines that were read where none is written. */
  readonly extra: number
  readonly characters: number
  readonly wrong_characters: number
  /** Pictures whose lines came in the order in which a person reads them. */
  readonly ordered: number
}

export const nothingRead: ReadScore = {
  pictures: 0,
  lines: 0,
  exact: 0,
  extra: 0,
  characters: 0,
  wrong_characters: 0,
  ordered: 0
}

interface Pair {
  readonly truth: number
  readonly read: number
  readonly errors: number
}

/** Every true line with a line that was read, each of these once, the nearest pairs first. */
const pairs = (truth: ReadonlyArray<string>, read: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const all = truth.flatMap((line, i) =>
    read.map((one, j): Pair => ({ truth: i, read: j, errors: distance(line, one) }))
      .filter(({ errors }) => errors <= line.length * 0.4)
  ).toSorted((a, b) => a.errors - b.errors || a.truth - b.truth || a.read - b.read)
  const takenTruth = new Set<number>()
  const takenRead = new Set<number>()
  return all.filter(({ read, truth }) => {
    if (takenTruth.has(truth) || takenRead.has(read)) return false
    takenTruth.add(truth)
    takenRead.add(read)
    return true
  })
}

/**
 * Scores one picture. A true line that was not read counts with all of its characters; a line that resembles none of the
 * true ones is extra. Pure; `told` hears of every line that is not exact.
 */
export const readScore = (
  truth: ReadonlyArray<string>,
  read: ReadonlyArray<string>,
  told: (line: string, read: string | undefined) => void = () => {}
): ReadScore => {
  const found = pairs(truth, read).toSorted((a, b) => a.truth - b.truth)
  const errors = new Map(found.map((pair) => [pair.truth, pair]))
  truth.forEach((line, i) => {
    const pair = errors.get(i)
    if (pair?.errors !== 0) told(line, pair === undefined ? undefined : read[pair.read])
  })
  return {
    pictures: 1,
    lines: truth.length,
    exact: found.filter(({ errors }) => errors === 0).length,
    extra: read.length - found.length,
    characters: truth.reduce((sum, line) => sum + line.length, 0),
    wrong_characters: truth.reduce((sum, line, i) => sum + (errors.get(i)?.errors ?? line.length), 0),
    ordered: found.every((pair, i) => i === 0 || pair.read > found[i - 1]!.read) ? 1 : 0
  }
}

export const sumOf = (a: ReadScore, b: ReadScore): ReadScore => ({
  pictures: a.pictures + b.pictures,
  lines: a.lines + b.lines,
  exact: a.exact + b.exact,
  extra: a.extra + b.extra,
  characters: a.characters + b.characters,
  wrong_characters: a.wrong_characters + b.wrong_characters,
  ordered: a.ordered + b.ordered
})
