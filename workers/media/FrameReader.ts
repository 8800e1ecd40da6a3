import type { Readable } from "node:stream"

/**
 * Cuts a decoder's output into frames of `size` bytes. Two buffers take turns: a frame is valid until the frame after
 * the next is read, which is what comparing neighbours needs, and memory does not grow with the video.
 */
export class FrameReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #frames: readonly [Buffer, Buffer]
  #turn = 0
  #rest: Uint8Array = new Uint8Array(0)

  constructor(stdout: Readable, size: number) {
    this.#chunks = (stdout as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    this.#frames = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)]
  }

  /** The next whole frame, or null at the end; a cut-off last frame is not given out. */
  async next(): Promise<Buffer | null> {
    const frame = this.#frames[this.#turn === 0 ? 0 : 1]
    let filled = 0
    while (filled < frame.length) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next()
        if (done === true) return null
        this.#rest = value
      }
      const part = this.#rest.subarray(0, frame.length - filled)
      frame.set(part, filled)
      filled += part.length
      this.#rest = this.#rest.subarray(part.length)
    }
    this.#turn = 1 - this.#turn
    return frame
  }
}
