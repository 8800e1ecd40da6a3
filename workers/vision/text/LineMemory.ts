import { createHash } from "node:crypto"
import type { Picture } from "../picture/Picture.ts"

/** 0.3 kB each: the text of some hundred kept frames. */
const MOST_LINES = 4096

/**
 * What was made of pictures of lines, found again by their pixels: a line that stays over many frames is read once. Only
 * the very same pixels count as the same, so that a reading does not depend on what was seen before, or by whom. The
 * least recently wanted is forgotten.
 */
export class LineMemory<A> {
  readonly #known = new Map<string, A>()

  /** The name of a picture's pixels. */
  key({ height, rgb, width }: Picture): string {
    return createHash("sha256").update(`${width}x${height}:`).update(rgb).digest("base64")
  }

  recall(key: string): A | undefined {
    const value = this.#known.get(key)
    if (value !== undefined) this.remember(key, value)
    return value
  }

  remember(key: string, value: A): void {
    this.#known.delete(key)
    this.#known.set(key, value)
    if (this.#known.size > MOST_LINES) this.#known.delete(this.#known.keys().next().value!)
  }
}
