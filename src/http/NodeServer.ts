import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"

/**
 * A server that loses no early request. `NodeHttpServer` listens as soon as its layer is built, but the handler is
 * attached only once all routes are; a request in between would never be answered, so it is held until then.
 */
export const makeNodeServer = (): Server => {
  // Node's own 300 s for a whole request would cut slow uploads; headers still have to come within 30 s.
  const server = createServer({ requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 15_000 })
  const early: Array<[IncomingMessage, ServerResponse]> = []
  const hold = (request: IncomingMessage, response: ServerResponse) => void early.push([request, response])
  const attached = (event: string | symbol) => {
    if (event !== "request") return
    server.off("newListener", attached)
    server.off("request", hold)
    setImmediate(() => {
      for (const [request, response] of early.splice(0)) server.emit("request", request, response)
    })
  }
  server.on("request", hold)
  server.on("newListener", attached)
  return server
}
