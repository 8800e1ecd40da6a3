/** Log probabilities of every token for each frame, row-major `[frames, tokens]`; rows may be followed by padding. */
export interface Posteriors {
  readonly data: Float32Array
  readonly frames: number
  readonly tokens: number
}

/** Where a token is heard: frames `[from, to)` and the mean of its log probability over them. */
export interface TokenSpan {
  readonly token: number
  readonly from: number
  readonly to: number
  readonly log_probability: number
}

/**
 * Forced alignment: the likeliest frames of a known token sequence, Viterbi over the CTC lattice (Graves et al. 2006). Gives one span per
 * token, in order and without overlap. Throws a `RangeError` when the sequence does not fit into the frames.
 */
export const alignTokens = (
  { data, frames, tokens }: Posteriors,
  sequence: ReadonlyArray<number>,
  blank: number
): Array<TokenSpan> => {
  if (sequence.length === 0) return []
  const states = 2 * sequence.length + 1
  const tokenOf = (state: number) => state % 2 === 0 ? blank : sequence[state >> 1]!
  /** By how many states the best path came forward into each cell: 0, 1 or 2. */
  const moves = new Uint8Array(frames * states)
  let scores = new Float64Array(states).fill(-Infinity)
  let next = new Float64Array(states)
  scores[0] = 0
  for (let t = 0; t < frames; t++) {
    for (let s = 0; s < states; s++) {
      // Before the first frame only state 0 is alive, from where a path enters the first blank or the first token.
      let best = scores[s]!
      let move = 0
      if (s > 0 && scores[s - 1]! > best) {
        best = scores[s - 1]!
        move = 1
      }
      const skips = s > 2 && s % 2 === 1 && sequence[s >> 1] !== sequence[(s >> 1) - 1]
      if (skips && scores[s - 2]! > best) {
        best = scores[s - 2]!
        move = 2
      }
      moves[t * states + s] = move
      next[s] = best + data[t * tokens + tokenOf(s)]!
    }
    ;[scores, next] = [next, scores]
  }
  let state = scores[states - 1]! > scores[states - 2]! ? states - 1 : states - 2
  if (!(scores[state]! > -Infinity)) throw new RangeError(`${sequence.length} tokens do not fit into ${frames} frames`)
  const spans = sequence.map((token) => ({ token, from: frames, to: 0, log_probability: 0 }))
  for (let t = frames - 1; t >= 0; t--) {
    if (state % 2 === 1) {
      const span = spans[state >> 1]!
      span.from = t
      span.to = Math.max(span.to, t + 1)
      span.log_probability += data[t * tokens + span.token]!
    }
    state -= moves[t * states + state]!
  }
  for (const span of spans) span.log_probability /= span.to - span.from
  return spans
}
