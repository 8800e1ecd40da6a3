import type { Posteriors } from "./CtcAlignment.ts"

/**
 * Knowledge that the sound does not have: which letters and words are likely after others. A state is opaque to the
 * search. Scores are natural logarithms, added to those of the sound.
 */
export interface Scorer<State> {
  readonly start: State
  /** What a token adds after a state, and the state it leads to. */
  readonly extend: (state: State, token: number) => { readonly state: State; readonly score: number }
  /** What the end of the utterance adds. */
  readonly finish: (state: State) => number
}

export interface BeamOptions {
  readonly width: number
  /** Tokens less likely than this factor (natural log) below the frame's best are not tried. */
  readonly token_margin: number
}

const beamDefaults: BeamOptions = { width: 32, token_margin: 7 }

interface Prefix<State> {
  readonly parent: Prefix<State> | undefined
  readonly token: number
  readonly state: State
  /** What the scorer has added on the way here. */
  readonly bonus: number
  /** Kept beyond a prefix's time in the beam, so that one that comes back is the same one. */
  children: Map<number, Prefix<State>> | undefined
  /** Log probabilities of all paths to here that end in a blank, and in the token. */
  blank: number
  ends: number
  nextBlank: number
  nextEnds: number
  /** Creation order, so that equals are ranked the same on every run. */
  readonly order: number
}

const logAdd = (a: number, b: number): number => {
  if (a === -Infinity) return b
  if (b === -Infinity) return a
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b))
}

/**
 * The token sequence with the best sum of sound and scorer: CTC prefix beam search (Hannun et al. 2014). Deterministic,
 * also among equals. Gives the empty sequence for no frames.
 */
export const beamSearch = <State>(
  { data, frames, tokens }: Posteriors,
  blank: number,
  scorer: Scorer<State>,
  { token_margin, width }: BeamOptions = beamDefaults
): Array<number> => {
  let created = 0
  const make = (parent: Prefix<State> | undefined, token: number, state: State, bonus: number): Prefix<State> => ({
    parent,
    token,
    state,
    bonus,
    children: undefined,
    blank: -Infinity,
    ends: -Infinity,
    nextBlank: -Infinity,
    nextEnds: -Infinity,
    order: created++
  })
  const root = make(undefined, blank, scorer.start, 0)
  root.blank = 0
  let beam = [root]
  const total = (prefix: Prefix<State>) => logAdd(prefix.blank, prefix.ends) + prefix.bonus

  for (let t = 0; t < frames; t++) {
    const row = data.subarray(t * tokens, (t + 1) * tokens)
    let best = -Infinity
    for (const value of row) best = Math.max(best, value)
    const candidates: Array<number> = []
    for (let v = 0; v < tokens; v++) if (v !== blank && row[v]! >= best - token_margin) candidates.push(v)

    const touched = new Set<Prefix<State>>(beam)
    for (const prefix of beam) {
      const any = logAdd(prefix.blank, prefix.ends)
      prefix.nextBlank = logAdd(prefix.nextBlank, any + row[blank]!)
      if (prefix.parent !== undefined) {
        prefix.nextEnds = logAdd(prefix.nextEnds, prefix.ends + row[prefix.token]!)
      }
      for (const token of candidates) {
        // The same token twice needs a blank between.
        const from = token === prefix.token ? prefix.blank : any
        if (from === -Infinity) continue
        let child = prefix.children?.get(token)
        if (child === undefined) {
          const { score, state } = scorer.extend(prefix.state, token)
          child = make(prefix, token, state, prefix.bonus + score)
          ;(prefix.children ??= new Map()).set(token, child)
        }
        child.nextEnds = logAdd(child.nextEnds, from + row[token]!)
        touched.add(child)
      }
    }
    for (const prefix of touched) {
      prefix.blank = prefix.nextBlank
      prefix.ends = prefix.nextEnds
      prefix.nextBlank = prefix.nextEnds = -Infinity
    }
    const ranked = [...touched].map((prefix) => ({ prefix, score: total(prefix) }))
    ranked.sort((a, b) => b.score - a.score || a.prefix.order - b.prefix.order)
    for (const { prefix } of ranked.splice(width)) prefix.blank = prefix.ends = -Infinity
    beam = ranked.map(({ prefix }) => prefix)
  }

  let winner = root
  let best = -Infinity
  for (const prefix of beam) {
    const score = total(prefix) + scorer.finish(prefix.state)
    if (score > best) {
      best = score
      winner = prefix
    }
  }
  const sequence: Array<number> = []
  for (let at: Prefix<State> | undefined = winner; at?.parent !== undefined; at = at.parent) sequence.push(at.token)
  return sequence.toReversed()
}
