import { makeTiling, TILE, type TiledPlane } from "../pixels/FrameTiles.ts"
import { type AnalysisSize, makeSquareReducer } from "../pixels/LumaPlane.ts"
import { HASH_SIDE, hashDistance, type PerceptualHash, perceptualHash, spread } from "../pixels/PerceptualHash.ts"
import { KeptFrames } from "./KeptFrames.ts"
import { makeOverlayText } from "./OverlayText.ts"
import { PictureChange } from "./PictureChange.ts"
import { makeViewMatch } from "./ViewMatch.ts"

/** Tuned on twelve kinds of recordings, on made clips of seed 1 and on filmed photographs; `npm run eval -- frames` measures other seeds too. */
const tuning = {
  /** Bits of the hash that changed, and the share of tiles that goes with it, from which the picture is another. */
  cut_bits: 20,
  cut_share: 0.5,
  /** Without such bits, a share this large after a step this quiet: slides that share a layout. */
  turn_share: 0.3,
  quiet_share: 0.1,
  /** Share of busy tiles above which the camera itself moves: only the hash votes then. */
  moving: 0.35,
  changed_bits: 12,
  settled_moving_bits: 12,
  changed_moving_bits: 16,
  /** Share of busy tiles up to which they are an inset that outlives a cut. */
  inset: 0.2,
  /** Share of tiles from which a change that never settles is kept all the same. */
  large_share: 0.05,
  wait_seconds: 3,
  least_scene_seconds: 1,
  /** While the camera moves on, one frame in this many seconds is kept at least. */
  moving_floor_seconds: 60,
  /** Spread below which a picture is nearly plain: its hash is noise, and its tiles alone tell what it shows. */
  plain_spread: 3
} as const

interface Sample extends TiledPlane {
  readonly index: number
  readonly moment: number
  readonly hash: PerceptualHash
  /** Nearly one colour: blank, or a few words on a plain ground. */
  readonly plain: boolean
  readonly blank: boolean
}

/** A stretch that no kept frame stands for yet: a new scene, or a change within one. */
interface Open {
  readonly since: number
  readonly scene: boolean
  /** The most tiles that differed at any moment of it. */
  readonly most: number
}

/** A settled stretch: the sample that stands for it and its cluster, or -1 for one that shows nothing. */
export interface Commitment {
  readonly index: number
  readonly cluster: number
  /** False for a revisit of an earlier cluster and for blank pictures. */
  readonly kept: boolean
}

/**
 * Decides, in one pass and with no knowledge of the future beyond 3 s, which samples carry new information. It follows
 * the tiles that changed and waits until they have settled, and so catches one changed figure on a slide without keeping
 * the steps of a fade, what a camera's noise, a poor encoding or an inset adds, or where a mouse pointer goes. Of a camera
 * that pans, zooms or shakes it keeps the view once, until it shows something else, and each caption over it. The same
 * samples at the same moments give the same decisions. `push` returns the commitment that the sample caused; its index is
 * the sample itself or the one before, so two raw frames in memory are enough.
 */
export class FrameSelector {
  readonly #tiling: ReturnType<typeof makeTiling>
  readonly #reduce: ReturnType<typeof makeSquareReducer>
  readonly #rate: number
  readonly #square = new Uint8Array(HASH_SIDE * HASH_SIDE)
  readonly #change: PictureChange
  readonly #kept: KeptFrames<Sample>
  readonly #view: ReturnType<typeof makeViewMatch>
  readonly #hasNewText: ReturnType<typeof makeOverlayText>
  readonly #clusters: Array<number> = []
  #previous: Sample | undefined
  #earlier: Sample | undefined
  /** What the picture is compared with: the kept frame, or a later view of the same. */
  #anchor: Sample | undefined
  #shown: Sample | undefined
  #cluster = -1
  #open: Open | undefined
  #quiet = false
  #lastCommit = 0

  constructor(size: AnalysisSize, samples_per_second: number) {
    this.#tiling = makeTiling(size)
    this.#reduce = makeSquareReducer(size)
    this.#rate = samples_per_second
    this.#change = new PictureChange(this.#tiling, size, TILE)
    this.#kept = new KeptFrames((sample, kept) => this.#change.isSame(sample, kept))
    this.#view = makeViewMatch(size, TILE)
    this.#hasNewText = makeOverlayText(size, TILE)
  }

  /** The cluster of each sample; complete after `finish`. */
  get clusters(): ReadonlyArray<number> {
    return this.#clusters
  }

  /** Takes the next sample's analysis plane, kept by reference. The same array again means the same picture again. */
  push(plane: Uint8Array): { readonly hash: PerceptualHash; readonly commitment: Commitment | undefined } {
    const previous = this.#previous
    const index = previous === undefined ? 0 : previous.index + 1
    const at = { index, moment: index / this.#rate }
    const sample = previous?.plane === plane ? { ...previous, ...at } : this.#look(plane, at)
    if (previous === undefined) this.#begin(sample, true)
    const commitment = previous === undefined ? undefined : this.#judge(sample, previous)
    this.#earlier = previous
    this.#previous = sample
    return { hash: sample.hash, commitment }
  }

  /** Ends the video: what is still open is represented by the last sample, unless it was on its way to something else. */
  finish(): Commitment | undefined {
    const last = this.#previous
    if (last === undefined) return undefined
    const open = this.#open
    const stood = open?.scene === true
      ? this.#anchor === undefined || last.moment - open.since >= tuning.least_scene_seconds
      : this.#change.pending > 0
    if (open !== undefined && stood) return this.#commit(last)
    this.#assign(last.index)
    return undefined
  }

  #look(plane: Uint8Array, at: { readonly index: number; readonly moment: number }): Sample {
    this.#reduce(plane, this.#square)
    const tiled = this.#tiling.measure(plane)
    const plain = spread(this.#square) < tuning.plain_spread
    const blank = plain && !this.#tiling.hasDetail(tiled)
    return { ...tiled, ...at, hash: perceptualHash(this.#square), plain, blank }
  }

  #judge(sample: Sample, previous: Sample): Commitment | undefined {
    const { busy, changed, different } = this.#change.watch(sample, previous, sample.moment - previous.moment)
    const bits = hashDistance(sample.hash, previous.hash)
    const turned = this.#open?.scene === true && this.#quiet && different > tuning.turn_share
    const turns = this.#quiet && this.#isLarge(changed)
    this.#quiet = different < tuning.quiet_share
    const cut = turned || (bits >= tuning.cut_bits && different > tuning.cut_share)
    if (cut && !this.#isSameView(sample, previous)) return this.#cut(sample, previous, busy)
    const moving = busy > tuning.moving
    const settled = moving ? bits <= tuning.settled_moving_bits : changed === 0
    if (this.#isCaptioned(sample, previous)) return this.#commit(sample, true)
    if (this.#open?.scene === true) return this.#settle(sample, previous, settled)
    if (moving) return this.#move(sample, previous, settled)
    // What little had differed since, as an inset does, was no beginning of this: it goes with the picture before.
    if (turns && this.#open !== undefined && !this.#isLarge(this.#open.most)) this.#begin(sample, false, previous.index)
    return this.#turn(sample, previous, settled)
  }

  /** Another picture: the one before is kept if it was new, stood for a while and never settled. */
  #cut(sample: Sample, previous: Sample, busy: number): Commitment | undefined {
    const open = this.#open
    const worth = open?.scene === true
      ? sample.moment - open.since >= tuning.least_scene_seconds
      : open !== undefined && this.#isLost()
    const commitment = worth ? this.#commit(previous) : undefined
    // A small difference that never came to rest belongs to the picture that goes, not to the one that comes.
    if (open?.scene !== true) this.#assign(previous.index)
    if (busy > tuning.inset) this.#change.forget()
    this.#change.clear()
    this.#begin(sample, true)
    return commitment
  }

  /** A new scene is kept when it rests, or after a while from what it last showed. */
  #settle(sample: Sample, previous: Sample, settled: boolean): Commitment | undefined {
    if (settled) return this.#commit(sample)
    if (sample.moment - this.#open!.since < tuning.wait_seconds) return undefined
    const commitment = this.#commit(previous)
    if (this.#change.against(sample, this.#anchor!) > 0) this.#begin(sample, false)
    return commitment
  }

  /** A camera that moves: the hash alone says when the view is another. */
  #move(sample: Sample, previous: Sample, settled: boolean): Commitment | undefined {
    const open = this.#open
    this.#change.clear()
    if (open !== undefined) {
      const ready = settled || sample.moment - open.since >= tuning.wait_seconds
      return ready ? this.#commitView(sample) : undefined
    }
    const long = sample.moment - this.#lastCommit >= tuning.moving_floor_seconds
    const another = hashDistance(sample.hash, this.#anchor!.hash) > tuning.changed_moving_bits
    if (long || another) this.#assign(previous.index)
    if (long) return this.#commit(sample, true)
    if (another && this.#isSameView(sample, this.#shown)) this.#adopt(sample)
    else if (another) this.#begin(sample, false)
    return undefined
  }

  /** A picture that stands: what differs from the last kept frame is followed until it rests, or is gone again. */
  #turn(sample: Sample, previous: Sample, settled: boolean): Commitment | undefined {
    const lost = this.#open !== undefined && this.#isLost()
    const commitment = lost ? this.#commitView(previous) : undefined
    const anchor = this.#anchor!
    const differing = this.#change.against(sample, anchor)
    const another = hashDistance(sample.hash, anchor.hash) > tuning.changed_bits && !(sample.plain && anchor.plain)
    if (differing === 0 && !another) {
      this.#open = undefined
      this.#assign(sample.index)
      return commitment
    }
    const open = this.#open ?? this.#begin(sample, false, previous.index)
    const most = Math.max(open.most, differing)
    this.#open = { ...open, most }
    if (commitment !== undefined) return commitment
    const rests = another || this.#change.pending > 0
    const large = rests || this.#isLarge(most)
    const overdue = sample.moment - open.since >= tuning.wait_seconds
    if (settled && rests) return this.#commitView(sample, true)
    return overdue && large ? this.#commitView(sample) : undefined
  }

  /** Text has come to stand over a picture that moves on. */
  #isCaptioned(sample: Sample, previous: Sample): boolean {
    const earlier = this.#earlier
    return earlier !== undefined && !earlier.blank && this.#shown !== previous &&
      hashDistance(previous.hash, earlier.hash) <= tuning.changed_bits &&
      this.#hasNewText(sample.plane, previous.plane, earlier.plane) &&
      (!this.#change.stands || this.#view.isFilmed(sample))
  }

  /** A camera films for the most part what it showed in another sample; `moved`: and it did move between them. */
  #isSameView(sample: Sample, other: Sample | undefined, moved = false): boolean {
    if (other === undefined || !this.#view.isFilmed(sample)) return false
    const found = this.#view.find(sample, other)
    return found !== undefined && (found.moved || !moved)
  }

  /** Keeps what is no other look at what was kept. */
  #commitView(sample: Sample, moved = false): Commitment | undefined {
    if (!this.#isSameView(sample, this.#shown, moved)) return this.#commit(sample)
    this.#adopt(sample)
    return undefined
  }

  /** From here on the picture is compared with this one, for which the kept frame stands. */
  #adopt(sample: Sample): void {
    this.#anchor = sample
    this.#open = undefined
    this.#change.keep(sample)
    this.#assign(sample.index)
  }

  /** Much that waited to be kept has just gone from the screen. */
  #isLost(): boolean {
    return this.#isLarge(this.#change.pending) && this.#change.isGone()
  }

  #isLarge(tiles: number): boolean {
    return tiles > tuning.large_share * this.#tiling.count
  }

  #begin(sample: Sample, scene: boolean, assigned?: number): Open {
    if (assigned !== undefined) this.#assign(assigned)
    const open = { since: sample.moment, scene, most: 0 }
    this.#open = open
    return open
  }

  /** `unseen`: not looked for among the earlier frames. */
  #commit(sample: Sample, unseen = false): Commitment {
    this.#anchor = sample
    this.#shown = sample
    this.#open = undefined
    this.#lastCommit = sample.moment
    const earlier = sample.blank ? -1 : unseen ? undefined : this.#kept.find(sample)
    const cluster = earlier ?? this.#kept.add(sample)
    this.#cluster = cluster
    this.#change.keep(sample)
    this.#assign(sample.index)
    return { index: sample.index, cluster, kept: earlier === undefined }
  }

  /** Gives every sample up to `index` that has none yet the current cluster. */
  #assign(index: number): void {
    while (this.#clusters.length <= index) this.#clusters.push(this.#cluster)
  }
}
