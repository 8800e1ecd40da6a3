import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type RawAnswer, rawAnswer, rawBytes } from "./RawAnswer.ts"
import { makeSlowlorisGuard, type SenderRule, senderRule, type SlowSender } from "./SlowlorisGuard.ts"

export interface NodeServerOptions {
  /** Headers have to be here within this time; a connection on which nothing came is then closed without a word. Default 10 s. */
  readonly headersMillis?: number
  /** A connection is kept so long for the next request after an answer. Default 15 s. */
  readonly keepAliveMillis?: number
  /** A connection on which nothing moves for so long is cut, be it a slow sender or a slow reader. Default 300 s. */
  readonly silenceMillis?: number
  /** How slowly a body may come. */
  readonly sender?: SenderRule
  /** The service is public over https. */
  readonly https?: boolean
  /** Told of every request as it begins. */
  readonly onRequest?: (url: string) => void
  /** Told of every refusal that no router sees. */
  readonly onRefusal?: (answer: RawAnswer, reason: string) => void
}

/** Larger headers are refused; tokens and trace contexts of all kinds fit several times over. */
const maxHeaderBytes = 16_384

/**
 * A server that loses no early request and answers what is no request with the error envelope. `NodeHttpServer` listens as
 * soon as its layer is built, but the handler is attached only once all routes are; a request in between would never be
 * answered, so it is held until then.
 */
export const makeNodeServer = (options: NodeServerOptions = {}): Server => {
  const {
    headersMillis = 10_000,
    https = false,
    keepAliveMillis = 15_000,
    onRefusal = () => {},
    onRequest = () => {},
    sender = senderRule,
    silenceMillis = 300_000
  } = options
  // Node's own 300 s for a whole request would cut long uploads; who takes JSON bounds its time, and every body has a slowest pace.
  const server = createServer({
    requestTimeout: 0,
    headersTimeout: headersMillis,
    connectionsCheckingInterval: Math.min(2000, headersMillis),
    keepAliveTimeout: keepAliveMillis,
    maxHeaderSize: maxHeaderBytes,
    // A missing Host is told in our own words, by `RequestErrors`.
    requireHostHeader: false,
    // Whatever a client would like to speak instead, it is answered in HTTP/1.1.
    shouldUpgradeCallback: () => false
  })
  server.timeout = silenceMillis
  server.on("request", ({ url = "" }) => onRequest(url))
  refuseWhatIsNoRequest(server, https, onRefusal)
  refuseSlowSenders(server, sender, https, onRefusal)
  endWhatIsIdleOnceClosed(server)
  holdEarlyRequests(server)
  return server
}

/** What Node reports where headers are not here in time, also on a connection on which nothing came at all. */
const isLate = ({ code }: NodeJS.ErrnoException): boolean => code === "ERR_HTTP_REQUEST_TIMEOUT"

const reasonOf = (error: NodeJS.ErrnoException): string => {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return `The headers are larger than ${maxHeaderBytes} bytes.`
    case "HPE_INVALID_METHOD":
      return "There is no such method."
    default:
      return "This is not HTTP/1.1."
  }
}

const refuseWhatIsNoRequest = (
  server: Server,
  https: boolean,
  onRefusal: NonNullable<NodeServerOptions["onRefusal"]>
) => {
  const underWay = new WeakMap<Duplex, ServerResponse>()
  server.on("request", (request, response) => underWay.set(request.socket, response))
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = underWay.get(socket)
    // A second voice on a connection that is answering would be taken for that answer.
    const answering = response !== undefined && !response.writableFinished
      && (response.headersSent || response.req.complete)
    // Browsers open connections ahead of need: what is said on one is taken for the answer to the request that comes next.
    const unused = isLate(error) && (socket as Socket).bytesRead === 0
    if (error.code === "ECONNRESET" || !socket.writable || answering || unused) return void socket.destroy()
    const answer = isLate(error)
      ? rawAnswer("REQUEST_TIMEOUT", "The headers did not arrive in time.", https)
      : rawAnswer("INVALID_REQUEST", reasonOf(error), https)
    onRefusal(answer, error.code ?? error.message)
    socket.end(rawBytes(answer), () => socket.destroy())
  })
  server.on("connect", (_, socket) => {
    const allow = { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" }
    const answer = rawAnswer("METHOD_NOT_ALLOWED", "This is no proxy.", https, allow)
    onRefusal(answer, "CONNECT")
    socket.on("error", () => {})
    socket.end(rawBytes(answer), () => socket.destroy())
  })
  server.on("checkExpectation", (_, response: ServerResponse) => {
    const answer = rawAnswer("INVALID_REQUEST", "Of the header Expect only 100-continue is known.", https)
    onRefusal(answer, "Expect")
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
}

/** Whether its headers announce one (RFC 9112, 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

/** The sender is told where it can be, and its connection ends: what counts of its body is for whoever reads it to say. */
const refuseSlowSenders = (
  server: Server,
  rule: SenderRule,
  https: boolean,
  onRefusal: NonNullable<NodeServerOptions["onRefusal"]>
) => {
  const senders = makeSlowlorisGuard(rule)
  const watch = (request: IncomingMessage, response: ServerResponse) =>
    senders.watch(request, response, performance.now())
  server.on("request", (request, response) => {
    if (hasBody(request)) watch(request, response)
  })
  // A listener of ours alone would keep Node from asking for such a body.
  const waiting = (event: string | symbol) => {
    if (event !== "checkContinue") return
    server.off("newListener", waiting)
    server.on("checkContinue", watch)
  }
  server.on("newListener", waiting)
  const refuse = ({ request, response }: SlowSender) => {
    const { bytes, window_ms } = rule
    const reason = `The body came too slowly: ${bytes} bytes are asked for every ${window_ms / 1000} s.`
    const answer = rawAnswer("INVALID_REQUEST", reason, https)
    onRefusal(answer, "slow body")
    const { socket } = request
    if (response.headersSent) return void socket.destroy()
    // Past the response, whose reader is then interrupted as by a caller that left. Closed at once, an answer to somebody who
    // goes on sending would be lost.
    socket.end(rawBytes(answer))
    const linger = setTimeout(() => socket.destroy(), 1000)
    socket.once("close", () => clearTimeout(linger))
  }
  const timer = setInterval(
    () => senders.take(performance.now()).forEach(refuse),
    Math.min(5000, rule.window_ms)
  )
  timer.unref()
  server.once("close", () => clearInterval(timer))
}

/** `close` ends the connections that are idle at that moment; those whose answer ends later would wait for a timeout. */
const endWhatIsIdleOnceClosed = (server: Server) => {
  const close = server.close.bind(server)
  server.close = (ended) => {
    // Asked from then on, and not at the end of each answer there ever was.
    const timer = setInterval(() => server.closeIdleConnections(), 20)
    return close((error) => {
      clearInterval(timer)
      ended?.(error)
    })
  }
}

const holdEarlyRequests = (server: Server) => {
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
}
