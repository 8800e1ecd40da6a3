/** Something heard: a direction in the space of voices, and for how many seconds. */
export interface Sound {
  readonly voice: ArrayLike<number>
  readonly seconds: number
}

/** Sounds that are one speaker's, by their places in the list. */
export interface Cluster {
  /** Duration-weighted sum of the members' unit vectors and of their durations. */
  readonly sum: Float64Array
  readonly seconds: number
  readonly members: ReadonlyArray<number>
}

/** Two clusters that became one, by a member of each, and the mean cosine distance between them. */
export interface Merge {
  readonly a: number
  readonly b: number
  readonly distance: number
}

const single = ({ seconds, voice }: Sound, index: number): Cluster => {
  const norm = Math.sqrt(Array.from(voice).reduce((sum, x) => sum + x * x, 0)) || 1
  return { sum: Float64Array.from(voice, (x) => (x / norm) * seconds), seconds, members: [index] }
}

const union = (a: Cluster, b: Cluster): Cluster => ({
  sum: a.sum.map((x, d) => x + b.sum[d]!),
  seconds: a.seconds + b.seconds,
  members: [...a.members, ...b.members]
})

/** Mean cosine distance of all pairs: for unit vectors that is one minus the product of the means. */
const distanceBetween = (a: Cluster, b: Cluster): number => {
  let dot = 0
  for (let d = 0; d < a.sum.length; d++) dot += a.sum[d]! * b.sum[d]!
  return 1 - dot / (a.seconds * b.seconds)
}

/** How alike two clusters' mean voices are: the cosine between them. */
export const likeness = (a: Cluster, b: Cluster): number => {
  let [dot, aa, bb] = [0, 0, 0]
  for (let d = 0; d < a.sum.length; d++) {
    dot += a.sum[d]! * b.sum[d]!
    aa += a.sum[d]! ** 2
    bb += b.sum[d]! ** 2
  }
  return dot / (Math.sqrt(aa * bb) || 1)
}

/**
 * Agglomerative clustering: all merges of average linkage by cosine distance, by rising distance. Nearest-neighbour chain (Murtagh 1983):
 * quadratic time and linear memory; the earlier of equals wins.
 */
export const mergesOf = (sounds: ReadonlyArray<Sound>): Array<Merge> => {
  const active = sounds.map((sound, first) => ({ cluster: single(sound, first), first }))
  const merges: Array<Merge> = []
  const path: typeof active = []
  while (active.length > 1) {
    if (path.length === 0) path.push(active[0]!)
    const tip = path.at(-1)!
    const before = path.at(-2)
    let best = before
    let least = before === undefined ? Infinity : distanceBetween(tip.cluster, before.cluster)
    for (const other of active) {
      if (other === tip || other === before) continue
      const d = distanceBetween(tip.cluster, other.cluster)
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
  return merges.toSorted((a, b) => a.distance - b.distance)
}

/** Sounds put together as labels say, in the order of their first members. */
export const clustersOf = (sounds: ReadonlyArray<Sound>, labels: ReadonlyArray<number>): ReadonlyArray<Cluster> =>
  [...Map.groupBy(sounds.map(single), (_, i) => labels[i]!).values()].map((parts) => parts.reduce(union))

/** The clusters that the first `count` merges leave, in the order of their first members. */
export const afterMerges = (
  sounds: ReadonlyArray<Sound>,
  merges: ReadonlyArray<Merge>,
  count: number
): ReadonlyArray<Cluster> => {
  const forest = makeForest(sounds.length)
  for (const { a, b } of merges.slice(0, count)) forest.join(a, b)
  return clustersOf(sounds, sounds.map((_, i) => forest.find(i)))
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

/** How long the sounds of each cluster last in all, after every number of merges: `told[n]` after `n` of them. */
export const countLasting = (
  sounds: ReadonlyArray<Sound>,
  merges: ReadonlyArray<Merge>,
  least: number
): Array<number> => {
  const told = [sounds.filter(({ seconds }) => seconds >= least).length]
  const lengths = sounds.map(({ seconds }) => seconds)
  const forest = makeForest(sounds.length)
  const lasts = (seconds: number) => Number(seconds >= least)
  for (const { a, b } of merges) {
    const [left, right] = [lengths[forest.find(a)]!, lengths[forest.find(b)]!]
    lengths[forest.join(a, b)] = left + right
    told.push(told.at(-1)! + lasts(left + right) - lasts(left) - lasts(right))
  }
  return told
}

/** Keeps the clusters that last, or as many of the longest as are wanted, and gives every other to the nearest. */
export const dropStray = (clusters: ReadonlyArray<Cluster>, wanted: number, least: number): ReadonlyArray<Cluster> => {
  const lasting = clusters.filter(({ seconds }) => seconds >= least)
  const kept = lasting.length >= wanted ? lasting : clusters.toSorted((a, b) => b.seconds - a.seconds).slice(0, wanted)
  const whole = [...kept]
  for (const stray of clusters) {
    if (kept.includes(stray)) continue
    const home = nearestTo(stray, kept)
    whole[home] = union(whole[home]!, stray)
  }
  return whole
}

/** Index of the cluster whose members are the least far away on average; the first of equals. */
export const nearestTo = (one: Cluster, clusters: ReadonlyArray<Cluster>): number => {
  let best = 0
  for (let k = 1; k < clusters.length; k++) {
    if (distanceBetween(one, clusters[k]!) < distanceBetween(one, clusters[best]!)) best = k
  }
  return best
}

/** A cluster of one sound, for comparisons. */
export const alone = (sound: Sound): Cluster => single(sound, 0)
