import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** One answer: JSON, or whatever a function does with the response. */
export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json: unknown }
  | ((response: ServerResponse) => void)

/** The connection ends without a byte. */
export const dropped: Answer = (response) => void response.socket?.destroy()

/**
 * An HTTP service for the scope that answers as it is told: with the answers in order, the last one over and over, or with what a
 * function makes of each request. Keeps what it was asked.
 */
export const scriptedService = Effect.fn("scriptedService")(function*(
  script: ReadonlyArray<Answer> | ((asked: Asked, nth: number) => Answer)
) {
  const requests: Array<Asked> = []
  const answerOf = typeof script === "function"
    ? script
    : (_: Asked, nth: number) => script[Math.min(nth, script.length - 1)]!
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("error", () => undefined)
    request.on("end", () => {
      const asked: Asked = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks)
      }
      requests.push(asked)
      const answer = answerOf(asked, requests.length - 1)
      if (typeof answer === "function") return answer(response)
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers }).end(
        JSON.stringify(answer.json)
      )
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
})
