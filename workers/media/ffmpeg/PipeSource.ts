import { createConnection, type Socket } from "node:net"

/**
 * Reads an `OutputPipe`, into the memory that `room` names each time. `take` is told how many bytes have come there, and says
 * whether to go on; where not, `resume` does. The pipe is closed at its end, at the latest by `destroy`.
 */
export class PipeSource {
  readonly #socket: Socket
  /** Settles once nothing more comes; rejects where the pipe broke. */
  readonly ended: Promise<void>

  constructor(path: string, room: () => Uint8Array, take: (count: number) => boolean) {
    this.#socket = createConnection({ path, onread: { buffer: room, callback: take } })
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
