import type { TiledPlane, Tiling } from "../pixels/FrameTiles.ts"

/** Chosen on made clips and twelve kinds of recordings (bench/frames): see `FrameSelector`. */
const tuning = {
  /** A tile has changed when its difference exceeds this, four times the picture's noise, and 2.5 times its own. */
  difference: 5,
  noise_factor: 4,
  tile_noise_factor: 2.5,
  /** Share of recent samples in which a tile changed, above which it shows moving pictures and has no vote. */
  busy: 0.6,
  /** The share below which a tile is calm: two changes in a row put it above for a second. */
  calm: 0.25,
  /** What is left of a tile's past after half a second. */
  activity_memory: 0.8,
  noise_memory: 0.85,
  /** Steps whose lower third of medians is the noise: a cut or a fade does not raise it. */
  noise_steps: 7,
  noise_rank: 0.3,
  most_noise: 5
} as const

/** Noise is measured in sixteenths of a luma step. */
const CELLS_PER_LUMA = 16
const NOISE_CELLS = tuning.most_noise * CELLS_PER_LUMA + 1

/** What a picture's step from the one before it was, as shares of all tiles. */
export interface Step {
  /** Tiles whose difference is beyond that of still pictures, whatever their noise. */
  readonly different: number
  /** Tiles that show moving pictures, and those that changed more than once lately. */
  readonly busy: number
  readonly restless: number
}

/**
 * What each tile of the picture has been doing lately: its noise, and whether it changes all the time. Memory fades by
 * seconds, not by samples. `moved` marks the tiles that changed in the latest step, `changed` those of them that vote.
 */
export class TileActivity {
  readonly moved: Uint8Array
  readonly changed: Uint8Array
  readonly #tiling: Tiling
  readonly #step: Float64Array
  /** No tile differs by more than this from the picture that was last compared with: what it differed then, and each step. */
  readonly #bound: Float64Array
  readonly #quiet = new Uint32Array(NOISE_CELLS)
  readonly #activity: Float64Array
  readonly #noise: Float64Array
  readonly #medians: Array<number> = [1, 1, 1]
  #pictureNoise = 1
  #compared: TiledPlane | undefined

  constructor(tiling: Tiling) {
    this.#tiling = tiling
    this.moved = new Uint8Array(tiling.count)
    this.changed = new Uint8Array(tiling.count)
    this.#step = new Float64Array(tiling.count)
    this.#bound = new Float64Array(tiling.count)
    this.#activity = new Float64Array(tiling.count)
    this.#noise = new Float64Array(tiling.count)
  }

  /** Takes the next picture, `seconds` after the previous one. */
  watch(sample: TiledPlane, previous: TiledPlane, seconds: number): Step {
    const step = this.#step
    for (let tile = 0; tile < step.length; tile++) {
      const difference = this.#tiling.difference(sample, previous, tile)
      step[tile] = difference
      this.#bound[tile] = this.#bound[tile]! + difference
    }
    this.#listen()
    const halves = 2 * seconds
    // A picture that stood for a minute and then changed has changed once: what one step adds is bounded.
    const gained = Math.min(1, halves)
    const activityLeft = tuning.activity_memory ** halves
    const activityGain = 1 - tuning.activity_memory ** gained
    const noiseLeft = tuning.noise_memory ** halves
    const noiseGain = 1 - tuning.noise_memory ** gained
    const usual = this.#usual()
    let different = 0
    let busy = 0
    let restless = 0
    for (let tile = 0; tile < step.length; tile++) {
      const difference = step[tile]!
      const moved = difference > this.#threshold(tile)
      // Bounded, so that no single change, however strong, hides the next one.
      const noise = Math.min(difference, 1.5 * tuning.difference)
      this.#noise[tile] = this.#noise[tile]! * noiseLeft + noiseGain * noise
      const activity = this.#activity[tile]! * activityLeft + (difference > usual ? activityGain : 0)
      this.#activity[tile] = activity
      if (difference > tuning.difference) different++
      if (activity > tuning.busy) busy++
      if (activity >= tuning.calm) restless++
      this.moved[tile] = moved ? 1 : 0
      this.changed[tile] = moved && activity <= tuning.busy ? 1 : 0
    }
    return { different: different / step.length, busy: busy / step.length, restless: restless / step.length }
  }

  /**
   * Marks the tiles with a vote in which the latest picture differs from another. Comparing with the same one again looks
   * only at tiles that can have come to differ since.
   */
  compare(sample: TiledPlane, other: TiledPlane, into: Uint8Array): void {
    if (other !== this.#compared) this.#bound.fill(Infinity)
    this.#compared = other
    for (let tile = 0; tile < into.length; tile++) {
      into[tile] = 0
      if (this.#activity[tile]! > tuning.busy) continue
      const threshold = this.#threshold(tile)
      if (this.#bound[tile]! <= threshold) continue
      const difference = this.#tiling.difference(sample, other, tile)
      this.#bound[tile] = difference
      if (difference > threshold) into[tile] = 1
    }
  }

  isCalm(tile: number): boolean {
    return this.#activity[tile]! < tuning.calm
  }

  /** Forgets the past: another camera, another scene. */
  forget(): void {
    this.#activity.fill(0)
    this.#noise.fill(0)
  }

  /** The noise of the picture: what half of its tiles stay below, where that is low for several steps. */
  #listen(): void {
    this.#quiet.fill(0)
    for (let tile = 0; tile < this.#step.length; tile++) {
      const cell = Math.min(NOISE_CELLS - 1, Math.floor(this.#step[tile]! * CELLS_PER_LUMA))
      this.#quiet[cell] = this.#quiet[cell]! + 1
    }
    let median = 0
    for (let below = 0; below + this.#quiet[median]! <= this.#step.length >> 1; median++) below += this.#quiet[median]!
    this.#medians.push(median / CELLS_PER_LUMA)
    if (this.#medians.length > tuning.noise_steps) this.#medians.shift()
    const ranked = this.#medians.toSorted((a, b) => a - b)
    this.#pictureNoise = ranked[Math.floor(ranked.length * tuning.noise_rank)]!
  }

  #usual(): number {
    return Math.max(tuning.difference, tuning.noise_factor * this.#pictureNoise)
  }

  #threshold(tile: number): number {
    return Math.max(this.#usual(), tuning.tile_noise_factor * this.#noise[tile]!)
  }
}
