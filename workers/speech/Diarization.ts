import { smoothVoices } from "./VoiceSmoothing.ts"

/** A piece of speech with its voice, as a vector of unit length, and how long it lasts. */
export interface VoicedPiece {
  readonly t_start: number
  readonly t_end: number
  readonly voice: ReadonlyArray<number> | null
}

/** How many speakers the caller knows or bounds. `num_speakers` outranks the others. */
export interface SpeakerBounds {
  readonly num_speakers?: number
  readonly min_speakers?: number
  readonly max_speakers?: number
}

export interface DiarizationOptions {
  /** Clusters further apart than this cosine distance are different people. */
  readonly threshold: number
  /** Only pieces of this length found speakers; shorter ones join the nearest. */
  readonly sure_seconds: number
  /** A voice heard for less than this, or than this share of a short conversation, is a stray piece of another. */
  readonly least_speaker_seconds: number
  readonly least_speaker_share: number
}

/** Tuned on panels composed of unseen speakers' utterances, pieces of 2.3 s in the median. */
const defaults: DiarizationOptions = {
  threshold: 0.44,
  sure_seconds: 1.2,
  least_speaker_seconds: 3,
  least_speaker_share: 0.15
}

interface Cluster {
  /** Duration-weighted sum of the members' vectors and of their durations. */
  readonly sum: Float64Array
  readonly weight: number
  readonly members: ReadonlyArray<number>
}

/** Two clusters that became one, by the number of a piece in each. */
interface Merge {
  readonly a: number
  readonly b: number
  readonly distance: number
}

const seconds = (piece: VoicedPiece) => piece.t_end - piece.t_start

/**
 * Tells who speaks: a number per piece, 0 for the first speaker to be heard, 1 for the next and so on. It depends on the
 * pieces alone, never on their order in the array. Average-linkage clustering by cosine distance with the
 * nearest-neighbour chain (Murtagh 1983), then one look at the whole sequence: quadratic time and linear memory in the
 * number of pieces. Without any usable voice all pieces are one speaker's.
 */
export const diarize = (
  pieces: ReadonlyArray<VoicedPiece>,
  bounds: SpeakerBounds = {},
  options: DiarizationOptions = defaults
): Array<number> => {
  const order = pieces.map((_, i) => i).toSorted((a, b) =>
    pieces[a]!.t_start - pieces[b]!.t_start || pieces[a]!.t_end - pieces[b]!.t_end
  )
  const voiced = order.filter((i) => pieces[i]!.voice !== null)
  const sure = voiced.filter((i) => seconds(pieces[i]!) >= options.sure_seconds)
  const founders = sure.length >= Math.max(1, bounds.num_speakers ?? bounds.min_speakers ?? 1) ? sure : voiced
  if (founders.length === 0) return pieces.map(() => 0)

  const clusters = cut(founders.map((i) => single(pieces[i]!, i)), bounds, options)
  const speakerOf = new Map<number, number>()
  clusters.forEach(({ members }, k) => members.forEach((i) => speakerOf.set(i, k)))
  for (const i of voiced) {
    if (!speakerOf.has(i)) speakerOf.set(i, nearest(single(pieces[i]!, i), clusters))
  }
  // A piece without a voice of its own goes to whoever speaks closest in time; the earlier of equals.
  const known = order.filter((i) => speakerOf.has(i))
  for (const i of order) {
    if (!speakerOf.has(i)) speakerOf.set(i, speakerOf.get(closest(pieces, known, i))!)
  }
  const smoothed = smoothVoices(order.map((i) => pieces[i]!), order.map((i) => speakerOf.get(i)!))
  const names = new Map<number, number>()
  for (const speaker of smoothed) if (!names.has(speaker)) names.set(speaker, names.size)
  const result = pieces.map(() => 0)
  order.forEach((i, at) => result[i] = names.get(smoothed[at]!)!)
  return result
}

const single = (piece: VoicedPiece, index: number): Cluster => {
  const weight = seconds(piece)
  return { sum: Float64Array.from(piece.voice!, (x) => x * weight), weight, members: [index] }
}

const union = (a: Cluster, b: Cluster): Cluster => ({
  sum: a.sum.map((x, d) => x + b.sum[d]!),
  weight: a.weight + b.weight,
  members: [...a.members, ...b.members]
})

/** Mean cosine distance of all pairs: for unit vectors that is one minus the product of the means. */
const distance = (a: Cluster, b: Cluster): number => {
  let dot = 0
  for (let d = 0; d < a.sum.length; d++) dot += a.sum[d]! * b.sum[d]!
  return 1 - dot / (a.weight * b.weight)
}

/**
 * Merges by rising distance: until the threshold, or, where that gives a count outside of the bounds, until as many
 * voices are left that are heard for long enough. A stray piece must not use up one of the speakers asked for.
 */
const cut = (
  singles: ReadonlyArray<Cluster>,
  bounds: SpeakerBounds,
  { least_speaker_seconds, least_speaker_share, threshold }: DiarizationOptions
): ReadonlyArray<Cluster> => {
  const total = singles.reduce((sum, { weight }) => sum + weight, 0)
  const least = Math.min(least_speaker_seconds, least_speaker_share * total)
  const merges = chain(singles).toSorted((a, b) => a.distance - b.distance)
  /** How many voices there are after each number of merges. */
  const voices = [singles.filter(({ weight }) => weight >= least).length]
  const weights = singles.map(({ weight }) => weight)
  const forest = makeForest(singles.length)
  for (const { a, b } of merges) {
    const [left, right] = [weights[forest.find(a)]!, weights[forest.find(b)]!]
    weights[forest.join(a, b)] = left + right
    const isVoice = (weight: number) => Number(weight >= least)
    voices.push(voices.at(-1)! + isVoice(left + right) - isVoice(left) - isVoice(right))
  }
  const usual = merges.filter((merge) => merge.distance <= threshold).length
  const found = Math.max(1, voices[usual]!)
  const wanted = bounds.num_speakers ??
    Math.max(bounds.min_speakers ?? 1, Math.min(found, bounds.max_speakers ?? Infinity))
  if (wanted === found) return dropStray(after(singles, merges.slice(0, usual)), wanted, least)
  const enough = voices.findLastIndex((count) => count >= wanted)
  const count = enough === -1 ? Math.max(0, singles.length - wanted) : enough
  return dropStray(after(singles, merges.slice(0, count)), wanted, least)
}

/** The clusters that some merges leave, in the order of their first members. */
const after = (singles: ReadonlyArray<Cluster>, merges: ReadonlyArray<Merge>): ReadonlyArray<Cluster> => {
  const forest = makeForest(singles.length)
  for (const { a, b } of merges) forest.join(a, b)
  return [...Map.groupBy(singles, (_, i) => forest.find(i)).values()].map((parts) => parts.reduce(union))
}

/** Disjoint sets of numbers below `count`; `join` gives the name of the union. */
const makeForest = (count: number) => {
  const parents = Int32Array.from({ length: count }, (_, i) => i)
  const find = (i: number): number => {
    let root = i
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!
    return root
  }
  return { find, join: (a: number, b: number): number => parents[find(b)] = find(a) }
}

/** All merges of average linkage. Follows nearest neighbours until two are each other's; the earlier of equals wins. */
const chain = (singles: ReadonlyArray<Cluster>): Array<Merge> => {
  const active = singles.map((cluster, first) => ({ cluster, first }))
  const merges: Array<Merge> = []
  const path: Array<{ readonly cluster: Cluster; readonly first: number }> = []
  while (active.length > 1) {
    if (path.length === 0) path.push(active[0]!)
    const tip = path.at(-1)!
    const before = path.at(-2)
    let best = before
    let least = before === undefined ? Infinity : distance(tip.cluster, before.cluster)
    for (const other of active) {
      if (other === tip || other === before) continue
      const d = distance(tip.cluster, other.cluster)
      if (d < least) {
        least = d
        best = other
      }
    }
    if (best !== before) {
      path.push(best!)
      continue
    }
    path.length -= 2
    merges.push({ a: before!.first, b: tip.first, distance: least })
    active.splice(active.indexOf(tip), 1)
    active.splice(active.indexOf(before!), 1, { cluster: union(before!.cluster, tip.cluster), first: before!.first })
  }
  return merges
}

/** Keeps the voices, or as many of the longest clusters as are wanted, and gives every other cluster to the nearest. */
const dropStray = (
  clusters: ReadonlyArray<Cluster>,
  wanted: number,
  least_seconds: number
): ReadonlyArray<Cluster> => {
  const voices = clusters.filter(({ weight }) => weight >= least_seconds)
  const kept = voices.length >= wanted ? voices : clusters.toSorted((a, b) => b.weight - a.weight).slice(0, wanted)
  const whole = [...kept]
  for (const stray of clusters) {
    if (kept.includes(stray)) continue
    const home = nearest(stray, kept)
    whole[home] = union(whole[home]!, stray)
  }
  return whole
}

/** Index of the cluster whose members are the least far away on average; the first of equals. */
const nearest = (one: Cluster, clusters: ReadonlyArray<Cluster>): number => {
  let best = 0
  for (let k = 1; k < clusters.length; k++) {
    if (distance(one, clusters[k]!) < distance(one, clusters[best]!)) best = k
  }
  return best
}

/** Among pieces in time order, the one with the smallest silence between it and the piece asked for. */
const closest = (pieces: ReadonlyArray<VoicedPiece>, known: ReadonlyArray<number>, index: number): number => {
  const piece = pieces[index]!
  const apart = (i: number) => Math.max(0, pieces[i]!.t_start - piece.t_end, piece.t_start - pieces[i]!.t_end)
  return known.reduce((a, b) => apart(b) < apart(a) ? b : a)
}
