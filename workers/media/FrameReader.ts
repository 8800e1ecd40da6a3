import { PipeSource } from "./PipeSource.ts"

/**
 * Cuts what comes through a pipe into frames of `size` bytes. Three buffers take turns, one of which is filled while the
 * others are looked at: a frame is valid until the frame after the next is asked for, which is what comparing neighbours
 * needs, and memory does not grow with the video. It closes the descriptor `from`, at the latest when it is destroyed.
 */
export class FrameReader {
  readonly #source: PipeSource
  readonly #frames: ReadonlyArray<Buffer>
  #turn = 0
  #filled = 0
  /** What came behind a full frame; it lies where the next bytes will be put once reading goes on. */
  #rest: Uint8Array = new Uint8Array(0)
  #over = false
  #failure: unknown
  #waiting: (() => void) | undefined

  constructor(from: number, size: number) {
    this.#frames = Array.from({ length: 3 }, () => Buffer.from(new ArrayBuffer(size)))
    this.#source = new PipeSource(from, (bytes) => {
      this.#take(bytes)
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
    this.#turn = (this.#turn + 1) % this.#frames.length
    this.#filled = 0
    this.#take(this.#rest)
    if (!this.#isFull) this.#source.resume()
    return frame
  }

  /** Reads no more; the descriptor is closed. */
  destroy(): void {
    this.#source.destroy()
  }

  get #isFull(): boolean {
    return this.#filled === this.#frames[0]!.length
  }

  #take(bytes: Uint8Array): void {
    const frame = this.#frames[this.#turn]!
    const part = bytes.subarray(0, frame.length - this.#filled)
    frame.set(part, this.#filled)
    this.#filled += part.length
    this.#rest = bytes.subarray(part.length)
  }
}
