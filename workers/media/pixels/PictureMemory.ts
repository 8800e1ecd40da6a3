/** What waits at most: the frames of two decoders that take turns, 1.4 MB each, and the pictures that wait for encoders. */
const MOST_WAITING = 96 * 1024 * 1024

/**
 * Lends memory for pictures and keeps it for the next video, up to 96 MiB: memory that is new for every video cost a tenth of
 * the frame stage's processor time, for clearing it and for collecting it as garbage. It holds what the one before left there.
 */
export class PictureMemory {
  #waiting: Array<Buffer> = []
  #bytes = 0

  take(bytes: number): Buffer {
    const at = this.#waiting.findLastIndex(({ length }) => length === bytes)
    if (at === -1) return Buffer.from(new ArrayBuffer(bytes))
    this.#bytes -= bytes
    return this.#waiting.splice(at, 1)[0]!
  }

  /** Takes back what nobody reads or writes any more. */
  give(memory: Iterable<Buffer>): void {
    for (const one of memory) {
      this.#waiting.push(one)
      this.#bytes += one.length
    }
    while (this.#bytes > MOST_WAITING) this.#bytes -= this.#waiting.shift()!.length
  }
}
