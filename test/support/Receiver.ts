import { Deferred, Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a receiver answers with; `silent` never does. */
export type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | "silent"

/**
 * A local HTTP receiver for the scope: answers with the replies in order, the last one over and over, and keeps what it
 * was sent.
 */
export const receiver = Effect.fn("receiver")(function*(
  ...replies: readonly [Reply, ...ReadonlyArray<Reply>]
): Effect.fn.Return<
  { readonly url: string; readonly received: ReadonlyArray<Received>; readonly first: Effect.Effect<void> },
  never,
  Scope.Scope
> {
  const received: Array<Received> = []
  const first = yield* Deferred.make<void>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      const reply = replies[Math.min(received.length, replies.length - 1)]!
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") })
      Deferred.doneUnsafe(first, Effect.void)
      if (reply !== "silent") response.writeHead(reply.status, reply.headers).end("ok")
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
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, received, first: Deferred.await(first) }
})
