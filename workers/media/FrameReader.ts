import { PipeSource } from "./PipeSource.ts"

/**
 * Cuts what comes through the pipe at `path` into frames of `size` bytes. Three buffers take turns, one of which is filled,
 * by the system itself, while the others are looked at: a frame is valid until the frame after the next is asked for, which
 * is what comparing neighbours needs, and memory does not grow with the video. The pipe is closed once it is destroyed.
 */
export class FrameReader {
  readonly #source: PipeSource
  readonly #frames: ReadonlyArray<Buffer>
  readonly #size: number
  #turn = 0
  #filled = 0
  #over = false
  #failure: unknown
  #waiting: (() => void) | undefined

  constructor(path: string, size: number) {
    this.#size = size
    this.#frames = Array.from({ length: 3 }, () => Buffer.from(new ArrayBuffer(size)))
    this.#source = new PipeSource(path, () => this.#room(), (count) => {
      this.#filled += count
      if (this.#isFull) this.#waiting?.()
      return !this.#isFull
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
    if (!this.#isFull && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
      this.#waiting = undefined
    }
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#isFull) return null
    const frame = this.#frames[this.#turn]!
    this.#turn = this.#following
    this.#filled = 0
    this.#source.resume()
    return frame
  }

  /** Reads no more; the pipe is closed. */
  destroy(): void {
    this.#source.destroy()
  }

  get #isFull(): boolean {
    return this.#filled === this.#size
  }

  get #following(): number {
    return (this.#turn + 1) % this.#frames.length
  }

  /** Where the next bytes go. Behind a full frame none are read before it has been given out, which frees the one after. */
  #room(): Uint8Array {
    return this.#isFull ? this.#frames[this.#following]! : this.#frames[this.#turn]!.subarray(this.#filled)
  }
}
