import type { IncomingMessage, ServerResponse } from "node:http"

export interface SenderRule {
  /** A body is looked at this often. */
  readonly window_ms: number
  /** What has to have come in that time. */
  readonly bytes: number
}

/** 1 KiB/s over a minute, which no network that anybody uploads a video over falls below; 10 GiB would take four months at it. */
export const senderRule: SenderRule = { window_ms: 60_000, bytes: 60 * 1024 }

interface Watched {
  readonly response: ServerResponse
  since: number
  bytesBefore: number
}

/** A request whose body came too slowly, and where it may be told so if nothing has been answered. */
export interface SlowSender {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * The guard against slowloris: finds requests whose body comes so slowly that its sender seems to hold the connection for its own sake. A time in which
 * we were the slow ones, because received bytes waited to be read, does not count, unless the answer is out and nobody will read them.
 */
export const makeSlowlorisGuard = ({ bytes, window_ms }: SenderRule) => {
  const watched = new Map<IncomingMessage, Watched>()

  const isSlow = ({ readableLength, socket }: IncomingMessage, { bytesBefore, response }: Watched): boolean =>
    socket.bytesRead - bytesBefore < bytes && (readableLength === 0 || response.writableEnded)

  return {
    /** From now on, until its body is whole or its connection is gone. */
    watch: (request: IncomingMessage, response: ServerResponse, now: number): void => {
      if (request.complete) return
      watched.set(request, { response, since: now, bytesBefore: request.socket.bytesRead })
      request.once("end", () => watched.delete(request))
      request.once("close", () => watched.delete(request))
    },
    /** Those whose window is over and that were too slow in it; they are no longer watched. */
    take: (now: number): ReadonlyArray<SlowSender> => {
      const slow: Array<SlowSender> = []
      for (const [request, seen] of watched) {
        if (request.complete) watched.delete(request)
        else if (now - seen.since >= window_ms) {
          if (isSlow(request, seen)) {
            watched.delete(request)
            slow.push({ request, response: seen.response })
          }
          seen.since = now
          seen.bytesBefore = request.socket.bytesRead
        }
      }
      return slow
    }
  }
}
