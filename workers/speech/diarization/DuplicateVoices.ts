/**
 * Mean square distance per dimension, in units of the variance of one speaker's voice, up to which two voices are one
 * sound heard twice. Two pieces of one speaker are 2 apart on average; of 1,176 pieces of seven recordings no two were
 * closer than 0.6.
 */
const COPY = 0.3

/**
 * Finds duplicate speaker embeddings: for each voice the index of the first that it is a copy of, its own where it is none. Hearing a recording nine times
 * over is no more evidence than hearing it once: taken for independent, five voices became twelve. Quadratic, but most
 * pairs are told apart by their first dimensions: 16,000 pieces, ten hours, take seconds.
 */
export const originalsOf = (voices: ReadonlyArray<ReadonlyArray<number>>): Array<number> => {
  const originals: Array<number> = []
  return voices.map((voice, i) => {
    const original = originals.find((first) => isCopy(voice, voices[first]!))
    if (original === undefined) originals.push(i)
    return original ?? i
  })
}

const isCopy = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean => {
  const most = COPY * a.length
  let apart = 0
  for (let d = 0; d < a.length; d++) {
    apart += (a[d]! - b[d]!) ** 2
    if (apart > most) return false
  }
  return true
}
