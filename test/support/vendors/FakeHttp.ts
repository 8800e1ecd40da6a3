import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"

/** One request as a vendor sees it. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What a vendor would do: `commit` changes its state, and is left out where a fault strikes first. */
export interface Intent {
  readonly reply: Reply | (() => Reply)
  readonly commit?: () => void
}

/** What goes wrong with a call. `after` ones strike once the vendor has done its work. */
export type Fault =
  | { readonly kind: "429"; readonly retry_after?: number }
  | {
    readonly kind:
      | "500_before"
      | "500_after"
      | "close_before"
      | "close_after"
      | "hang_before"
      | "hang_after"
      | "drip"
      | "redirect"
      | "html_before"
      | "html_after"
      | "huge"
  }

export interface FakeVendor {
  readonly prefix: string
  /** What the vendor counts by: after a 429 calls with the same key have to wait. */
  readonly key: (call: Call) => string
  readonly answer: (call: Call) => Intent
  readonly tooMany: Reply
}

/** A call that came although an earlier answer had asked to wait. `after_ms`: since that answer. */
interface EarlyCall {
  readonly key: string
  readonly after_ms: number
}

const send = (response: ServerResponse, reply: Reply) => {
  const text = reply.json === undefined ? reply.text ?? "" : JSON.stringify(reply.json)
  response.writeHead(reply.status, {
    "content-type": reply.json === undefined ? "text/plain" : "application/json",
    ...reply.headers
  }).end(text)
}

/**
 * Vendors on one local server, each under its prefix, that answer as theirs do and go wrong as told. Whatever a request
 * should not have been is thrown by the vendor and kept in `violations`.
 */
export const startVendors = async (
  vendors: ReadonlyArray<FakeVendor>,
  faultOf: (call: Call, vendor: FakeVendor) => Fault | undefined = () => undefined,
  tls?: { readonly key: string; readonly cert: string }
) => {
  const violations: Array<string> = []
  const early: Array<EarlyCall> = []
  const calls: Array<Call> = []
  const blocked = new Map<string, { readonly said: number; readonly until: number }>()

  const answer = (vendor: FakeVendor, call: Call, response: ServerResponse) => {
    calls.push(call)
    const key = `${vendor.prefix} ${vendor.key(call)}`
    const wait = blocked.get(key)
    const now = performance.now()
    if (wait !== undefined && now < wait.until) early.push({ key, after_ms: now - wait.said })
    let intent: Intent
    try {
      intent = vendor.answer(call)
    } catch (error) {
      violations.push(`${call.method} ${vendor.prefix}${call.path}: ${(error as Error).message}`)
      return send(response, { status: 400, json: { ok: false, error: "violation" } })
    }
    const finish = () => {
      intent.commit?.()
      return typeof intent.reply === "function" ? intent.reply() : intent.reply
    }
    const close = () => void response.socket?.destroy()
    const fault = faultOf(call, vendor)
    switch (fault?.kind) {
      case undefined:
        return send(response, finish())
      case "429": {
        const { retry_after } = fault
        if (retry_after !== undefined) blocked.set(key, { said: now, until: now + retry_after * 1000 })
        return send(response, {
          ...vendor.tooMany,
          headers: retry_after === undefined ? {} : { "retry-after": String(retry_after) }
        })
      }
      case "500_before":
        return send(response, { status: 500, json: {} })
      case "500_after":
        finish()
        return send(response, { status: 500, json: {} })
      case "close_before":
        return close()
      case "close_after":
        finish()
        return close()
      case "hang_before":
        return
      case "hang_after":
        finish()
        return
      case "drip": {
        const reply = finish()
        response.writeHead(reply.status, { "content-type": "application/json", "content-length": "1000" })
        const timer = setInterval(() => response.write(" "), 1000)
        response.on("close", () => clearInterval(timer))
        return
      }
      case "redirect":
        return send(response, { status: 302, headers: { location: "http://127.0.0.1:1/elsewhere" } })
      case "html_before":
        return send(response, { status: 502, text: "<html><body>Bad gateway</body></html>" })
      case "html_after":
        finish()
        return send(response, { status: 200, text: "<html><body>Welcome</body></html>" })
      case "huge":
        finish()
        return send(response, { status: 200, text: "x".repeat(8 * 1024 * 1024) })
    }
  }

  const listener: Parameters<typeof createServer>[1] = (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      const url = new URL(request.url!, "http://vendors.test")
      const vendor = vendors.find(({ prefix }) => url.pathname === prefix || url.pathname.startsWith(`${prefix}/`))
      if (vendor === undefined) {
        violations.push(`${request.method} ${url.pathname}: nobody is there`)
        return void response.writeHead(404).end()
      }
      answer(vendor, {
        method: request.method!,
        path: url.pathname.slice(vendor.prefix.length),
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8")
      }, response)
    })
  }
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    base: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    violations,
    early,
    calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
