/** A frame of the network, and how likely each voice is in it. */
export interface CachedFrame {
  readonly embed: ReadonlyArray<number>
  readonly p: ReadonlyArray<number>
}

const clamped = (p: number) => Math.log(p < 0.25 ? 0.25 : p)

/** The cache of the paper in lists of frames, each choice by looking for the best one again and again. */
export const compressed = (
  frames: ReadonlyArray<CachedFrame>,
  size: number,
  silence: ReadonlyArray<number>
): Array<CachedFrame> => {
  const channels = frames[0]!.p.length
  const budget = Math.floor(size / channels) - 1
  const scores = frames.map(({ p }) =>
    p.map((own, s) =>
      own > 0.5
        ? clamped(own) - Math.log(0.5) + p.reduce((sum, other, k) => k === s ? sum : sum + clamped(1 - other), 0)
        : null
    )
  )
  const raise = (s: number, count: number, by: number) => {
    const done = new Set<number>()
    while (done.size < count) {
      let best = -1
      for (let t = 0; t < frames.length; t++) {
        const score = scores[t]![s]
        if (score != null && !done.has(t) && (best < 0 || score > scores[best]![s]!)) best = t
      }
      if (best < 0) break
      done.add(best)
    }
    for (const t of done) scores[t]![s]! += by
  }
  for (let s = 0; s < channels; s++) {
    if (scores.filter((row) => row[s] != null && row[s]! > 0).length >= Math.floor(budget / 2)) {
      for (const row of scores) if (row[s] != null && row[s]! <= 0) row[s] = null
    }
    for (let t = size; t < frames.length; t++) if (scores[t]![s] != null) scores[t]![s]! += 0.05
    raise(s, Math.floor(budget * 0.75), -2 * Math.log(0.5))
    raise(s, Math.floor(budget * 1.5), -Math.log(0.5))
  }
  const pairs = scores.flatMap((row, t) => row.flatMap((score, s) => score === null ? [] : [{ s, t, score }]))
  const kept = pairs.toSorted((a, b) => b.score - a.score || a.s - b.s || a.t - b.t).slice(0, size - channels)
  const nothing: CachedFrame = { embed: silence, p: Array.from({ length: channels }, () => 0) }
  const grouped = Array.from({ length: channels }, (_, s) => [
    ...kept.filter((pair) => pair.s === s).toSorted((a, b) => a.t - b.t).map(({ t }) => frames[t]!),
    nothing
  ]).flat()
  return [...grouped, ...Array.from({ length: size - grouped.length }, () => nothing)]
}
