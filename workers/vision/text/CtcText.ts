/** One recognised character with the probability that the network gave it and its place, in steps of the network. */
export interface ReadCharacter {
  readonly text: string
  readonly probability: number
  readonly step: number
}

/**
 * Greedy CTC decoding of `[steps, keys.length]` probabilities: the likeliest key of each step, repetitions once, the
 * blank (key 0) dropped.
 */
export const decodeCtc = (
  probabilities: Float32Array,
  steps: number,
  keys: ReadonlyArray<string>
): ReadonlyArray<ReadCharacter> => {
  const width = keys.length
  const out: Array<ReadCharacter> = []
  let previous = 0
  for (let step = 0; step < steps; step++) {
    let best = 0
    let probability = -1
    for (let key = 0; key < width; key++) {
      const value = probabilities[step * width + key]!
      if (value > probability) {
        probability = value
        best = key
      }
    }
    if (best !== 0 && best !== previous) out.push({ text: keys[best]!, probability, step })
    previous = best
  }
  return out
}
