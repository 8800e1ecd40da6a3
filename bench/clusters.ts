import { hashDistance, type PerceptualHash } from "../workers/media/pixels/PerceptualHash.ts"
import { FrameSelector } from "../workers/media/selection/FrameSelector.ts"
import { HashIndex } from "../workers/media/selection/HashIndex.ts"
import { Chance } from "./frames/Drawing.ts"

const FRAMES = 100_000
/** Brute force is only asked for these: all would take it a quarter of a minute. */
const COMPARED = 30_000
const SAME_BITS = 6

export interface ClustersReport {
  readonly frames: number
  readonly clusters: number
  /** Processor time, as all times here: that of the clock on a machine that does nothing else. */
  readonly index_ms: number
  readonly compared_frames: number
  readonly compared_index_ms: number
  readonly compared_brute_force_ms: number
  /** Brute force over index, at that number of frames; it grows with the number. */
  readonly times_faster: number
  /** All frames unlike one another: the most that the index can be asked. */
  readonly all_different_ms: number
  /** Hashing, comparing and deciding on one analysis plane of each kind: the work per sampled frame beside decoding it. */
  readonly selector_ms_per_frame: Readonly<Record<string, number>>
}

const word = (chance: Chance): number => Math.floor(chance.unit() * 2 ** 32)

/** Half of them like an earlier one but for a few bits, as frames of a long recording are. */
const recording = (): ReadonlyArray<PerceptualHash> => {
  const chance = new Chance(7)
  const hashes: Array<PerceptualHash> = []
  while (hashes.length < FRAMES) {
    const earlier = hashes.length > 0 && chance.unit() < 0.6 ? chance.one(hashes) : undefined
    let { high, low } = earlier ?? { high: word(chance), low: word(chance) }
    for (let flips = earlier === undefined ? 0 : chance.whole(0, 3); flips > 0; flips--) {
      if (chance.unit() < 0.5) high = (high ^ (1 << chance.whole(0, 31))) >>> 0
      else low = (low ^ (1 << chance.whole(0, 31))) >>> 0
    }
    hashes.push({ high, low })
  }
  return hashes
}

const time = <A>(work: () => A): { readonly value: A; readonly ms: number } => {
  const before = process.threadCpuUsage()
  const value = work()
  const { system, user } = process.threadCpuUsage(before)
  return { value, ms: (system + user) / 1000 }
}

/** Each hash joins the latest leader within 6 bits, or leads a cluster of its own: what the selector does. */
const byIndex = (hashes: ReadonlyArray<PerceptualHash>): Int32Array => {
  const index = new HashIndex()
  return Int32Array.from(hashes, (hash) => index.within(hash, SAME_BITS)[0] ?? index.add(hash))
}

const byBruteForce = (hashes: ReadonlyArray<PerceptualHash>): Int32Array => {
  const leaders: Array<PerceptualHash> = []
  return Int32Array.from(hashes, (hash) => {
    const leader = leaders.findLastIndex((one) => hashDistance(hash, one) <= SAME_BITS)
    return leader >= 0 ? leader : leaders.push(hash) - 1
  })
}

const size = { width: 320, height: 180 }

/** Milliseconds per frame over two minutes of pictures that `draw` changes. */
const perFrame = (draw: (plane: Uint8Array, frame: number, chance: Chance) => void): number => {
  const chance = new Chance(3)
  const base = Uint8Array.from({ length: size.width * size.height }, (_, i) => (i * 7919 + (i >> 6) * 31) % 97 + 60)
  const planes = Array.from({ length: 240 }, (_, frame) => {
    const plane = Uint8Array.from(base)
    draw(plane, frame, chance)
    return plane
  })
  const selector = new FrameSelector(size, 2)
  const { ms } = time(() => {
    for (const plane of planes) selector.push(plane)
    selector.finish()
  })
  return ms / planes.length
}

const kinds = {
  still: (plane, frame) => plane.fill(frame >> 4, 4000, 4400),
  camera_noise: (plane, _, chance) => {
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! + chance.whole(-4, 4)
  },
  moving_inset: (plane, _, chance) => {
    for (let y = 120; y < 176; y++) for (let x = 240; x < 310; x++) plane[y * size.width + x] = chance.whole(0, 255)
  },
  another_each_time: (plane, _, chance) => {
    const shade = chance.whole(0, 120)
    for (let i = 0; i < plane.length; i++) plane[i] = (plane[i]! * (i % 7 + 1) + shade) % 256
  }
} satisfies Record<string, (plane: Uint8Array, frame: number, chance: Chance) => void>

const bestOf = (times: number, work: () => number): number => Math.min(...Array.from({ length: times }, work))

/**
 * 100,000 frames, 14 hours of video, put into clusters through the index; the first 30,000 of them also by comparing each
 * with all leaders, which must find the same. Throws when they differ.
 */
export const run = async (): Promise<ClustersReport> => {
  const hashes = recording()
  const fewer = hashes.slice(0, COMPARED)
  const indexed = byIndex(hashes)
  const index_ms = bestOf(3, () => time(() => byIndex(hashes)).ms)
  const compared_index_ms = bestOf(3, () => time(() => byIndex(fewer)).ms)
  const brute = time(() => byBruteForce(fewer))
  if (brute.value.some((cluster, frame) => cluster !== indexed[frame])) {
    throw new Error("The index finds other clusters than comparing with every leader.")
  }
  const chance = new Chance(8)
  const different = Array.from({ length: FRAMES }, () => ({ high: word(chance), low: word(chance) }))
  const report: ClustersReport = {
    frames: FRAMES,
    clusters: new Set(indexed).size,
    index_ms,
    compared_frames: COMPARED,
    compared_index_ms,
    compared_brute_force_ms: brute.ms,
    times_faster: brute.ms / compared_index_ms,
    all_different_ms: bestOf(3, () => time(() => byIndex(different)).ms),
    selector_ms_per_frame: Object.fromEntries(
      Object.entries(kinds).map(([kind, draw]) => [kind, bestOf(3, () => perFrame(draw))])
    )
  }
  const { selector_ms_per_frame, ...clusters } = report
  console.table(clusters)
  console.table({ selector_ms_per_frame })
  return report
}
