import type { PerceptualHash } from "../pixels/PerceptualHash.ts"
import { HashIndex } from "./HashIndex.ts"

/** Bits within which two frames can show the same. */
const SAME_BITS = 6
/** Kept frames whose pictures are remembered, 58 kB each; one that is older is not recognised when it comes back. */
const REMEMBERED = 2000

/** The kept frames, by cluster, and a quick way to the one that a picture shows again. */
export class KeptFrames<A extends { readonly hash: PerceptualHash }> {
  readonly #index = new HashIndex()
  readonly #frames = new Map<number, A>()
  readonly #isSame: (frame: A, kept: A) => boolean

  constructor(isSame: (frame: A, kept: A) => boolean) {
    this.#isSame = isSame
  }

  /** The cluster of the latest kept frame that shows the same. */
  find(frame: A): number | undefined {
    return this.#index.within(frame.hash, SAME_BITS).find((cluster) => {
      const kept = this.#frames.get(cluster)
      return kept !== undefined && this.#isSame(frame, kept)
    })
  }

  /** The new frame's cluster: they are numbered from 0. */
  add(frame: A): number {
    const cluster = this.#index.add(frame.hash)
    this.#frames.set(cluster, frame)
    this.#frames.delete(cluster - REMEMBERED)
    return cluster
  }
}
