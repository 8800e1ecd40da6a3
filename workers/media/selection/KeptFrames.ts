import type { PerceptualHash } from "../pixels/PerceptualHash.ts"
import { HashIndex } from "./HashIndex.ts"

/** Bits within which two frames can show the same. */
const SAME_BITS = 6
/** Kept frames whose pictures are remembered, 58 kB each; one that is older is not recognised when it comes back. */
const REMEMBERED = 2000

/** Of those that are nearly plain so many: each is compared, which takes 0.1 ms. */
const REMEMBERED_PLAIN = 200

/** A picture with its hash, which is noise where it is nearly plain. */
interface Hashed {
  readonly hash: PerceptualHash
  readonly plain: boolean
}

/**
 * The kept frames, by cluster, and a quick way to the one that a picture shows again: by its hash, or, of a nearly plain
 * one, by comparing it with the latest 200 of those.
 */
export class KeptFrames<A extends Hashed> {
  readonly #index = new HashIndex()
  readonly #frames = new Map<number, A>()
  readonly #plain: Array<number> = []
  readonly #isSame: (frame: A, kept: A) => boolean

  constructor(isSame: (frame: A, kept: A) => boolean) {
    this.#isSame = isSame
  }

  /** The cluster of the latest kept frame that shows the same. */
  find(frame: A): number | undefined {
    const candidates = frame.plain ? this.#plain.toReversed() : this.#index.within(frame.hash, SAME_BITS)
    return candidates.find((cluster) => {
      const kept = this.#frames.get(cluster)
      return kept !== undefined && this.#isSame(frame, kept)
    })
  }

  /** The new frame's cluster: they are numbered from 0. */
  add(frame: A): number {
    const cluster = this.#index.add(frame.hash)
    this.#frames.set(cluster, frame)
    this.#frames.delete(cluster - REMEMBERED)
    if (frame.plain && this.#plain.push(cluster) > REMEMBERED_PLAIN) this.#plain.shift()
    return cluster
  }
}
