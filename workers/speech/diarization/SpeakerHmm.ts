/** What is heard of one piece: who could say it, and how surely. */
export interface Observation {
  /** In units of the spread of one speaker's voice, per dimension; null where no voice can be told. */
  readonly voice: ArrayLike<number> | null
  /** How much evidence it is, in independent hearings of a voice. */
  readonly weight: number
  /** Probability that whoever spoke before goes on, as far as time alone tells. */
  readonly stays: number
}

export interface HmmOptions {
  /** How strongly speakers are held to be like everybody: the higher, the fewer speakers (`Fb` of the paper). */
  readonly caution: number
  readonly rounds: number
}

export interface HmmFit {
  /** Per observation, which speaker is the likeliest, as numbers of the start. */
  readonly speakers: ReadonlyArray<number>
  /** Lower bound of the log likelihood, to compare starts by. */
  readonly bound: number
}

const TINY = 1e-12
/** Nats by which a round must raise the bound to be followed by another. */
const SETTLED = 1e-3

/**
 * Who speaks in a sequence, from a first guess: variational Bayes over a hidden Markov model whose states are speakers,
 * a voice being drawn once per speaker with variance `spread` and heard with variance 1 (VBx: Landini, Profant, Diez,
 * Burget 2022). Speakers that the sequence does not need lose all pieces. Linear in pieces × speakers; depends on its
 * arguments alone.
 */
export const fitSpeakerHmm = (
  observations: ReadonlyArray<Observation>,
  spread: ReadonlyArray<number>,
  start: ReadonlyArray<number>,
  { caution, rounds }: HmmOptions
): HmmFit => {
  const [length, count, size] = [
    observations.length,
    start.reduce((most, speaker) => Math.max(most, speaker), -1) + 1,
    spread.length
  ]
  const root = spread.map(Math.sqrt)
  const own = observations.map(({ voice }) => voice === null ? 0 : -0.5 * dot(voice, voice))
  // Share of each speaker in each piece; the guess is believed, not sworn to.
  let shares = Float64Array.from({ length: length * count }, (_, at) => {
    const right = start[Math.floor(at / count)] === at % count
    return count === 1 ? 1 : right ? 0.99 : 0.01 / (count - 1)
  })
  let prior = new Float64Array(count).fill(1 / count)
  let bound = -Infinity
  for (let round = 0; round < rounds; round++) {
    const means = new Float64Array(count * size)
    const precisions = new Float64Array(count * size)
    let divergence = 0
    for (let k = 0; k < count; k++) {
      let heard = 0
      const sum = new Float64Array(size)
      for (const [i, { voice, weight }] of observations.entries()) {
        const part = voice === null ? 0 : weight * shares[i * count + k]!
        heard += part
        if (part > 0) { for (let d = 0; d < size; d++) sum[d]! += part * voice![d]! * root[d]! }
      }
      for (let d = 0; d < size; d++) {
        const variance = 1 / (1 + (heard * spread[d]!) / caution)
        const mean = (variance * sum[d]!) / caution
        means[k * size + d] = mean
        precisions[k * size + d] = variance
        divergence += 0.5 * (Math.log(variance) - variance - mean * mean + 1)
      }
    }
    const spreadTerm = Float64Array.from({ length: count }, (_, k) => {
      let sum = 0
      for (let d = 0; d < size; d++) sum += spread[d]! * (precisions[k * size + d]! + means[k * size + d]! ** 2)
      return sum / 2
    })
    const fit = new Float64Array(length * count)
    for (const [i, { voice, weight }] of observations.entries()) {
      if (voice === null) continue
      for (let k = 0; k < count; k++) {
        let match = 0
        for (let d = 0; d < size; d++) match += voice[d]! * root[d]! * means[k * size + d]!
        fit[i * count + k] = weight * (match - spreadTerm[k]! + own[i]!)
      }
    }
    const passed = passBothWays(observations, fit, prior)
    shares = passed.shares
    prior = passed.prior
    const next = passed.likelihood + caution * divergence
    if (next - bound < SETTLED) {
      bound = Math.max(bound, next)
      break
    }
    bound = next
  }
  const speakers = observations.map((_, i) => {
    let best = 0
    for (let k = 1; k < count; k++) if (shares[i * count + k]! > shares[i * count + best]!) best = k
    return best
  })
  return { speakers, bound }
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}

/** Forward and backward pass, each step scaled to sum to one; a change goes to anybody as `prior` says. */
const passBothWays = (observations: ReadonlyArray<Observation>, fit: Float64Array, prior: Float64Array) => {
  const [length, count] = [observations.length, prior.length]
  const [forward, chance, shares] = [fit.slice(), fit.slice(), fit.slice()]
  const scale = new Float64Array(length)
  let likelihood = 0
  for (let i = 0; i < length; i++) {
    let most = -Infinity
    for (let k = 0; k < count; k++) most = Math.max(most, fit[i * count + k]!)
    const stays = i === 0 ? 0 : observations[i]!.stays
    let sum = 0
    for (let k = 0; k < count; k++) {
      const at = i * count + k
      chance[at] = Math.exp(fit[at]! - most)
      const before = (i === 0 ? 0 : stays * forward[at - count]!) + (1 - stays) * prior[k]!
      forward[at] = before * chance[at]! + Number.MIN_VALUE
      sum += forward[at]!
    }
    for (let k = 0; k < count; k++) forward[i * count + k]! /= sum
    scale[i] = sum
    likelihood += Math.log(sum) + most
  }
  let backward = new Float64Array(count).fill(1)
  const entered = new Float64Array(count)
  for (let i = length - 1; i >= 0; i--) {
    let total = 0
    for (let k = 0; k < count; k++) total += shares[i * count + k] = forward[i * count + k]! * backward[k]!
    for (let k = 0; k < count; k++) shares[i * count + k]! /= total
    const stays = i === 0 ? 0 : observations[i]!.stays
    const next = new Float64Array(count)
    let drawn = 0
    for (let k = 0; k < count; k++) {
      const seen = (chance[i * count + k]! * backward[k]!) / scale[i]!
      entered[k]! += (1 - stays) * prior[k]! * seen
      drawn += prior[k]! * seen
      next[k] = stays * seen
    }
    for (let k = 0; k < count; k++) next[k]! += (1 - stays) * drawn
    backward = next
  }
  const sum = entered.reduce((a, b) => a + b, 0) + TINY * count
  return { shares, prior: entered.map((x) => (x + TINY) / sum), likelihood }
}
