import { Effect } from "effect"
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

export const commit = (text: string): string => createHash("sha1").update(text).digest("hex")

/** What a request was answered with instead of the file; the last rule stays for all later requests. */
export type Rule =
  | { readonly kind: "serve" }
  /** Breaks the connection once this many bytes of the body have arrived, as `arrived` tells. */
  | { readonly kind: "cut"; readonly after: number }
  /** Sends this many bytes and then nothing, with the connection left open. */
  | { readonly kind: "stall"; readonly after: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "redirect"; readonly location: string }
  /** Another file at the same address, with an ETag of its own. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly chunked?: boolean }
  | { readonly kind: "linked"; readonly sha256: string }

export interface SeenRequest {
  readonly url: string
  readonly range: string | undefined
  readonly if_range: string | undefined
  /** Bytes of the body that were sent. */
  sent: number
}

/** A hub on the loopback interface, with the addresses of Hugging Face and files that a test chooses. */
export interface FakeHub {
  readonly base_url: string
  readonly requests: ReadonlyArray<SeenRequest>
  readonly connections: () => number
  readonly put: (repository: string, revision: string, files: Readonly<Record<string, Uint8Array>>) => void
  /** What to do with the next requests whose address contains `part`. */
  readonly rule: (part: string, ...rules: ReadonlyArray<Rule>) => void
  /** The client has so many bytes of a file: those on their way when a connection breaks are lost with it. */
  readonly arrived: (bytes: number) => void
  /** Succeeds when a request has met a `stall`. */
  readonly stalled: Promise<void>
}

const tagOf = (bytes: Uint8Array) => `"${sha256(bytes).slice(0, 32)}"`

export const makeFakeHub = Effect.acquireRelease(
  Effect.callback<FakeHub & { readonly close: () => void }>((resume) => {
    const repositories = new Map<string, { revision: string; files: Record<string, Uint8Array> }>()
    const rules = new Map<string, Array<Rule>>()
    const requests: Array<SeenRequest> = []
    const sockets = new Set<Socket>()
    let held: Array<{ readonly at: number; readonly socket: Socket }> = []
    const stalled = Promise.withResolvers<void>()
    let connections = 0

    const fileOf = (url: string): Uint8Array | undefined => {
      const match = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/u.exec(url)
      const repository = match === null ? undefined : repositories.get(match[1]!)
      return repository === undefined || repository.revision !== match![2] ? undefined : repository.files[match![3]!]
    }

    const send = (
      request: IncomingMessage,
      response: ServerResponse,
      seen: SeenRequest,
      { bytes, chunked = false, headers = {}, most = Infinity, onSent }: {
        readonly bytes: Uint8Array
        readonly chunked?: boolean
        readonly headers?: Record<string, string>
        readonly most?: number
        readonly onSent?: (at: number) => void
      }
    ) => {
      const etag = tagOf(bytes)
      const from = /^bytes=(\d+)-$/u.exec(request.headers.range ?? "")?.[1]
      const ranged = from !== undefined && request.headers["if-range"] === etag
      if (ranged && Number(from) >= bytes.length) {
        response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end()
        return
      }
      const body = ranged ? bytes.subarray(Number(from)) : bytes
      response.writeHead(ranged ? 206 : 200, {
        etag,
        ...headers,
        ...(chunked ? {} : { "content-length": String(body.length) }),
        ...(ranged ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {})
      })
      const part = body.subarray(0, most)
      seen.sent = part.length
      const at = (ranged ? Number(from) : 0) + part.length
      if (onSent === undefined) response.end(part)
      else if (part.length === 0) {
        response.flushHeaders()
        onSent(at)
      } else response.write(part, () => onSent(at))
    }

    const server = createServer((request, response) => {
      const url = request.url!
      const seen: SeenRequest = {
        url,
        range: request.headers.range,
        if_range: request.headers["if-range"] as string | undefined,
        sent: 0
      }
      requests.push(seen)
      const [, listed] = [...rules].find(([part]) => url.includes(part)) ?? []
      const rule: Rule = listed === undefined
        ? { kind: "serve" }
        : listed.length > 1
        ? listed.shift()!
        : listed[0] ?? { kind: "serve" }
      if (rule.kind === "status") return response.writeHead(rule.status).end()
      if (rule.kind === "redirect") return response.writeHead(302, { location: rule.location }).end()
      if (rule.kind === "bytes") {
        return send(request, response, seen, { bytes: rule.bytes, chunked: rule.chunked ?? false })
      }
      const api = /^\/api\/models\/([^/]+\/[^/]+)\/revision\/main$/u.exec(url)
      if (api !== null) {
        const repository = repositories.get(api[1]!)
        if (repository === undefined) return response.writeHead(404).end()
        return response.writeHead(200, { "content-type": "application/json" }).end(
          JSON.stringify({ sha: repository.revision })
        )
      }
      const bytes = fileOf(url)
      if (bytes === undefined) return response.writeHead(404).end("Entry not found")
      switch (rule.kind) {
        case "serve":
          return send(request, response, seen, { bytes })
        case "linked":
          return send(request, response, seen, { bytes, headers: { "x-linked-etag": `"${rule.sha256}"` } })
        case "cut":
          return send(request, response, seen, {
            bytes,
            most: rule.after,
            onSent: (at) => {
              const socket = request.socket
              if (rule.after === 0) socket.destroy()
              else held.push({ at, socket })
            }
          })
        case "stall":
          return send(request, response, seen, { bytes, most: rule.after, onSent: () => stalled.resolve() })
      }
    })
    server.on("connection", (socket) => {
      connections++
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket))
    })
    server.listen(0, "127.0.0.1", () => {
      resume(Effect.succeed({
        base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        requests,
        connections: () => connections,
        put: (repository, revision, files) => void repositories.set(repository, { revision, files: { ...files } }),
        rule: (part, ...next) => void rules.set(part, [...next]),
        arrived: (bytes) => {
          for (const { at, socket } of held) if (at <= bytes) socket.destroy()
          held = held.filter(({ at }) => at > bytes)
        },
        stalled: stalled.promise,
        close: () => {
          server.close()
          for (const socket of sockets) socket.destroy()
        }
      }))
    })
  }),
  ({ close }) => Effect.sync(close)
)
