import type { PictureMemory } from "../pixels/PictureMemory.ts"
import { PipeSource } from "./PipeSource.ts"

/** The frame that is looked at, the one before it, and one that is filled. */
const FRAMES = 3

/**
 * Cuts what comes through the pipe at `path` into frames of `size` bytes. Buffers take turns, one of which is filled, by the
 * system itself, while the others are looked at: a frame is valid until the frame after the next is asked for, which is what
 * comparing neighbours needs, and memory does not grow with the video. The pipe is closed and the memory given back once it is destroyed.
 */
export class FrameReader {
  readonly #source: PipeSource
  /** As many as were ever filled at once. */
  readonly #frames: Array<Buffer> = []
  readonly #memory: PictureMemory
  readonly #size: number
  /** Whole frames that were given out, and those that wait for it. */
  #given = 0
  #ready = 0
  #filled = 0
  #over = false
  #failure: unknown
  #waiting: (() => void) | undefined

  constructor(path: string, size: number, memory: PictureMemory) {
    this.#size = size
    this.#memory = memory
    this.#source = new PipeSource(path, () => this.#room(), (count) => {
      this.#filled += count
      if (this.#filled === this.#size) {
        this.#filled = 0
        this.#ready++
        this.#waiting?.()
      }
      return this.#ready === 0
    })
    this.#source.ended.catch((error: unknown) => {
      this.#failure = error
    }).finally(() => {
      this.#over = true
      this.#waiting?.()
    })
  }

  /** The next whole frame, or null at the end; a cut-off last frame is not given out. Rejects where the pipe breaks. */
  async next(): Promise<Buffer | null> {
    if (this.#ready === 0 && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
      this.#waiting = undefined
    }
    if (this.#failure !== undefined) throw this.#failure
    if (this.#ready === 0) return null
    const frame = this.#frame(this.#given)
    this.#given++
    this.#ready--
    this.#source.resume()
    return frame
  }

  /** Reads no more; the pipe is closed, and no frame is valid any more. */
  destroy(): void {
    this.#source.destroy()
    this.#memory.give(this.#frames.splice(0))
  }

  /** Where the next bytes go: behind the last frame that waits. */
  #room(): Uint8Array {
    return this.#frame(this.#given + this.#ready).subarray(this.#filled)
  }

  #frame(nth: number): Buffer {
    return this.#frames[nth % FRAMES] ??= this.#memory.take(this.#size)
  }
}
