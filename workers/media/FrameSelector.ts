import { makeTiling, type TiledPlane } from "./FrameTiles.ts"
import { type AnalysisSize, makeSquareReducer } from "./LumaPlane.ts"
import { HASH_SIDE, hashDistance, type PerceptualHash, perceptualHash, spread } from "./PerceptualHash.ts"

/** Tuned on twelve kinds of screen and camera material: recall 0.99 at 1.19 kept frames per true state (bench/frames). */
const tuning = {
  /** A tile has changed when its difference exceeds this, or four times the video's own noise. */
  tile_difference: 5,
  noise_factor: 4,
  tile_mean_shift: 14,
  /** Share of recent samples in which a tile changed, above which it shows moving pictures and has no vote. */
  busy: 0.6,
  activity_memory: 0.8,
  /** Share of busy tiles above which the camera itself moves: only the hash votes then. */
  moving: 0.35,
  hash_changed: 12,
  hash_settled_moving: 12,
  hash_changed_moving: 16,
  hard_cut: 20,
  revisit: 6,
  wait_seconds: 3,
  least_segment_seconds: 1,
  /** While the camera moves on, one frame in this many seconds is kept at least. */
  moving_floor_seconds: 60,
  /** Kept frames that a revisit is looked for among, 58 kB each; older ones are no longer compared. */
  remembered: 2000,
  blank_spread: 3
} as const

interface Sample extends TiledPlane {
  readonly index: number
  readonly hash: PerceptualHash
  readonly blank: boolean
}

/** A settled segment: the sample that stands for it and its cluster, or -1 for one that shows nothing. */
export interface Commitment {
  readonly index: number
  readonly cluster: number
  /** False for a revisit of an earlier cluster and for blank pictures. */
  readonly kept: boolean
}

/**
 * Decides, in one pass and with no knowledge of the future beyond 3 s, which samples carry new information. It follows
 * the tiles that changed, waits until the picture has settled, and so catches one changed number on a slide without
 * keeping every step of a fade. The same samples give the same decisions. `push` returns the commitment that the sample
 * caused; its index is the sample itself or the one before, so two raw frames in memory are enough.
 */
export class FrameSelector {
  readonly #tiling: ReturnType<typeof makeTiling>
  readonly #reduce: ReturnType<typeof makeSquareReducer>
  readonly #rate: number
  readonly #square = new Uint8Array(HASH_SIDE * HASH_SIDE)
  readonly #step: Float64Array
  readonly #against: Float64Array
  readonly #activity: Float64Array
  readonly #remembered: Array<{ readonly sample: Sample; readonly cluster: number }> = []
  readonly #clusters: Array<number> = []
  #kept = 0
  #noise = 1
  #previous: Sample | undefined
  #anchor: Sample | undefined
  #cluster = -1
  #open = 0
  #lastCommit = 0

  constructor(size: AnalysisSize, samples_per_second: number) {
    this.#tiling = makeTiling(size)
    this.#reduce = makeSquareReducer(size)
    this.#rate = samples_per_second
    this.#step = new Float64Array(this.#tiling.count)
    this.#against = new Float64Array(this.#tiling.count)
    this.#activity = new Float64Array(this.#tiling.count)
  }

  /** The cluster of each sample; complete after `finish`. */
  get clusters(): ReadonlyArray<number> {
    return this.#clusters
  }

  /** Takes the next sample's analysis plane, kept by reference. The same array again means the same picture again. */
  push(plane: Uint8Array): { readonly hash: PerceptualHash; readonly commitment: Commitment | undefined } {
    const previous = this.#previous
    const index = previous === undefined ? 0 : previous.index + 1
    const sample = previous?.plane === plane ? { ...previous, index } : this.#look(plane, index)
    const commitment = previous === undefined ? undefined : this.#judge(sample, previous)
    this.#previous = sample
    return { hash: sample.hash, commitment }
  }

  /** Ends the video: the segment that is still open is represented by the last sample. */
  finish(): Commitment | undefined {
    const last = this.#previous
    if (last === undefined) return undefined
    if (this.#open >= 0) return this.#commit(last)
    this.#assign(last.index)
    return undefined
  }

  #look(plane: Uint8Array, index: number): Sample {
    this.#reduce(plane, this.#square)
    return {
      ...this.#tiling.measure(plane),
      index,
      hash: perceptualHash(this.#square),
      blank: spread(this.#square) < tuning.blank_spread
    }
  }

  #judge(sample: Sample, previous: Sample): Commitment | undefined {
    const { changed, moving } = this.#watch(sample, previous)
    const moved = hashDistance(sample.hash, previous.hash)
    if (moved >= tuning.hard_cut) {
      this.#activity.fill(0)
      const worthKeeping = this.#open >= 0 && sample.index - this.#open >= tuning.least_segment_seconds * this.#rate
      const commitment = worthKeeping ? this.#commit(previous) : undefined
      if (this.#open < 0) this.#assign(previous.index)
      this.#open = sample.index
      return commitment
    }
    if (this.#open >= 0) {
      const settled = moving ? moved <= tuning.hash_settled_moving : changed === 0
      return settled || sample.index - this.#open >= tuning.wait_seconds * this.#rate ? this.#commit(sample) : undefined
    }
    if (moving && sample.index - this.#lastCommit >= tuning.moving_floor_seconds * this.#rate) {
      this.#assign(previous.index)
      return this.#commit(sample)
    }
    if (this.#differsFromAnchor(sample, moving)) {
      this.#assign(previous.index)
      this.#open = sample.index
    }
    return undefined
  }

  /** Updates noise and activity from two neighbours; counts the voting tiles that changed between them. */
  #watch(sample: Sample, previous: Sample): { readonly changed: number; readonly moving: boolean } {
    const step = this.#step
    this.#tiling.differences(sample, previous, step)
    const median = step.toSorted()[step.length >> 1]!
    this.#noise = 0.9 * this.#noise + 0.1 * median
    const threshold = this.#threshold()
    let changed = 0
    let busy = 0
    for (let tile = 0; tile < step.length; tile++) {
      const moved = step[tile]! > threshold ||
        Math.abs(sample.means[tile]! - previous.means[tile]!) > tuning.tile_mean_shift
      const activity = this.#activity[tile]! * tuning.activity_memory + (moved ? 1 - tuning.activity_memory : 0)
      this.#activity[tile] = activity
      if (activity > tuning.busy) busy++
      else if (moved) changed++
    }
    return { changed, moving: busy > step.length * tuning.moving }
  }

  #differsFromAnchor(sample: Sample, moving: boolean): boolean {
    const anchor = this.#anchor!
    const distance = hashDistance(sample.hash, anchor.hash)
    if (moving) return distance > tuning.hash_changed_moving
    return (distance > tuning.hash_changed && !(sample.blank && anchor.blank)) || !this.#alike(sample, anchor)
  }

  /** No voting tile differs. */
  #alike(a: Sample, b: Sample): boolean {
    const threshold = this.#threshold()
    const against = this.#against
    this.#tiling.differences(a, b, against)
    for (let tile = 0; tile < against.length; tile++) {
      if (this.#activity[tile]! > tuning.busy) continue
      if (against[tile]! > threshold) return false
      if (Math.abs(a.means[tile]! - b.means[tile]!) > tuning.tile_mean_shift) return false
    }
    return true
  }

  #threshold(): number {
    return Math.max(tuning.tile_difference, tuning.noise_factor * this.#noise)
  }

  #commit(sample: Sample): Commitment {
    this.#anchor = sample
    this.#open = -1
    this.#lastCommit = sample.index
    const earlier = sample.blank ?
      -1 :
      this.#remembered.findLast(({ sample: kept }) =>
        hashDistance(sample.hash, kept.hash) <= tuning.revisit && this.#alike(sample, kept)
      )?.cluster
    const kept = earlier === undefined
    this.#cluster = kept ? this.#kept++ : earlier
    if (kept) this.#remembered.push({ sample, cluster: this.#cluster })
    if (this.#remembered.length > tuning.remembered) this.#remembered.shift()
    this.#assign(sample.index)
    return { index: sample.index, cluster: this.#cluster, kept }
  }

  /** Gives every sample up to `index` that has none yet the current cluster. */
  #assign(index: number): void {
    while (this.#clusters.length <= index) this.#clusters.push(this.#cluster)
  }
}
