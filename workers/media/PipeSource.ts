import { Socket } from "node:net"

/** A pipe holds 64 KiB, so no more comes at once. */
const ROOM = 64 * 1024

/**
 * Reads a pipe, always into the same memory. `take` is given what has come, valid until it is called again, and says whether
 * to go on; where not, `resume` does. The descriptor `from` is closed at the end, at the latest by `destroy`.
 */
export class PipeSource {
  readonly #socket: Socket
  /** Settles once nothing more comes; rejects where the pipe broke. */
  readonly ended: Promise<void>

  constructor(from: number, take: (bytes: Buffer) => boolean) {
    this.#socket = new Socket({
      fd: from,
      readable: true,
      writable: false,
      onread: {
        buffer: Buffer.allocUnsafeSlow(ROOM),
        callback: (count, buffer) => take(Buffer.from(buffer.buffer, buffer.byteOffset, count))
      }
    })
    this.ended = new Promise((resolve, reject) => {
      this.#socket.once("error", reject).once("end", resolve).once("close", () => resolve())
    })
    // It is waited for later; that must not count as unhandled until then.
    this.ended.catch(() => undefined)
    this.#socket.resume()
  }

  resume(): void {
    this.#socket.resume()
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
