import type { TiledPlane, Tiling } from "../pixels/FrameTiles.ts"
import type { AnalysisSize } from "../pixels/LumaPlane.ts"
import { CursorTracker, type Place } from "./CursorTracker.ts"
import { type Step, TileActivity } from "./TileActivity.ts"

/** Where the whole picture moves, the restless tiles for each that differs by chance: every edge moves a little. */
const RESTLESS_PER_CHANGE = 10
/** Share of restless tiles from which the whole picture moves: an inset has fewer, what a hand-held camera films more. */
const STANDING = 0.12
/**
 * Share of differing tiles from which a picture that agrees with the one before it rests, whatever its tiles did lately:
 * of slides of one layout that turn every 0.8 to 2 s it finds 159 of 159 instead of 136. A typed line is smaller.
 */
const ANOTHER = 0.05
/** Tiles around a change that must be still too: the next letter of a line is one or two away. */
const MARGIN = 2

const ones = (flags: Uint8Array): number => {
  let count = 0
  for (const flag of flags) count += flag
  return count
}

/**
 * Where the picture differs from the one before it and from a kept one, without what noise, moving insets and a mouse
 * pointer make of it. A difference is `pending` once it rests: neither it nor anything near it moves any more.
 */
export class PictureChange {
  readonly #tiling: Tiling
  readonly #activity: TileActivity
  readonly #pointer: CursorTracker
  readonly #differing: Uint8Array
  readonly #pending: Uint8Array
  readonly #seen: Uint8Array
  /** Where the pointer was in each picture that was kept. */
  readonly #places = new WeakMap<TiledPlane, Place>()
  #latest: TiledPlane | undefined
  #restless = 0
  #changed = 0
  #count = 0

  constructor(tiling: Tiling, size: AnalysisSize, tile: number) {
    this.#tiling = tiling
    this.#activity = new TileActivity(tiling)
    this.#pointer = new CursorTracker(size, tile)
    this.#differing = new Uint8Array(tiling.count)
    this.#pending = new Uint8Array(tiling.count)
    this.#seen = new Uint8Array(tiling.count)
  }

  /** How many tiles differ and rest. */
  get pending(): number {
    return this.#count
  }

  /** Nothing moves but an inset, a line being written, a pointer. */
  get stands(): boolean {
    return this.#restless < STANDING
  }

  /** Takes the next picture; `changed` tiles of it are neither noise nor an inset nor the pointer. */
  watch(sample: TiledPlane, previous: TiledPlane, seconds: number): Step & { readonly changed: number } {
    const step = this.#activity.watch(sample, previous, seconds)
    const known = this.#pointer.place.length > 0
    this.#restless = step.restless
    if (this.stands) this.#pointer.follow(this.#activity.changed, sample.plane, previous.plane)
    // It had rested since the last kept picture, unnoticed.
    if (!known && this.#latest !== undefined) this.#places.set(this.#latest, this.#pointer.place)
    this.#changed = ones(this.#activity.changed)
    return { ...step, changed: this.#changed }
  }

  /** Most of what was pending has changed in the latest step. */
  isGone(): boolean {
    let gone = 0
    for (let tile = 0; tile < this.#pending.length; tile++) gone += this.#pending[tile]! & this.#activity.changed[tile]!
    return 2 * gone > this.#count
  }

  /** How many tiles of the latest picture differ from a kept one; finds out which of them are pending. */
  against(sample: TiledPlane, kept: TiledPlane): number {
    const count = this.#compare(sample, kept)
    this.#findPending(this.#changed === 0 && count > ANOTHER * this.#tiling.count)
    return count
  }

  isSame(sample: TiledPlane, kept: TiledPlane): boolean {
    return this.#compare(sample, kept) === 0
  }

  /** The picture was kept: nothing is pending, and where the pointer is belongs to it. */
  keep(sample: TiledPlane): void {
    this.#places.set(sample, this.#pointer.place)
    this.#latest = sample
    this.clear()
  }

  /** Nothing is pending any more. */
  clear(): void {
    this.#pending.fill(0)
    this.#count = 0
  }

  /** Another scene: what moved in the last one moves no more. */
  forget(): void {
    this.#activity.forget()
  }

  #compare(sample: TiledPlane, kept: TiledPlane): number {
    this.#activity.compare(sample, kept, this.#differing)
    if (this.stands) this.#pointer.ignore(this.#differing, sample.plane, kept.plane, this.#places.get(kept) ?? [])
    return ones(this.#differing)
  }

  #findPending(agrees: boolean): void {
    this.clear()
    this.#seen.fill(0)
    for (let tile = 0; tile < this.#differing.length; tile++) {
      if (this.#differing[tile] === 0 || this.#seen[tile] === 1) continue
      const { resting, tiles } = this.#groupOf(tile)
      if (!resting && !agrees) continue
      for (const member of tiles) this.#pending[member] = 1
      this.#count += tiles.length
    }
    const restless = this.stands ? 0 : this.#restless * this.#tiling.count
    if (this.#count * RESTLESS_PER_CHANGE <= restless) this.clear()
  }

  /** The differing tiles that are near one another, and whether all of them rest. */
  #groupOf(first: number): { readonly tiles: ReadonlyArray<number>; readonly resting: boolean } {
    const { columns, count } = this.#tiling
    const tiles = [first]
    let resting = true
    this.#seen[first] = 1
    for (const tile of tiles) {
      const x = tile % columns
      const y = (tile - x) / columns
      if (this.#activity.moved[tile] === 1) resting = false
      for (let row = Math.max(0, y - MARGIN); row <= Math.min(count / columns - 1, y + MARGIN); row++) {
        for (let column = Math.max(0, x - MARGIN); column <= Math.min(columns - 1, x + MARGIN); column++) {
          const near = row * columns + column
          const beside = Math.abs(row - y) < MARGIN && Math.abs(column - x) < MARGIN
          if (this.#activity.changed[near] === 1 || (beside && !this.#activity.isCalm(near))) resting = false
          if (this.#differing[near] === 0 || this.#seen[near] === 1) continue
          this.#seen[near] = 1
          tiles.push(near)
        }
      }
    }
    return { tiles, resting }
  }
}
