import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { ErrorCatalog, type ErrorCode } from "../../../src/errors/ErrorCatalog.ts"
import { makeNodeServer } from "../../../src/web/server/NodeServer.ts"
import type { SenderRule } from "../../../src/web/server/SlowlorisGuard.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server
const portOf = (base_url: string) => Number(new URL(base_url).port)

/** Everything that the server says on a connection until it closes it. */
const conversation = (port: number, ...said: ReadonlyArray<string | Buffer>) =>
  Effect.callback<string>((resume) => {
    const socket = connect(port, "127.0.0.1")
    let heard = ""
    socket.on("data", (data) => heard += data.toString("latin1"))
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(heard)))
    for (const words of said) socket.write(words)
    return Effect.sync(() => socket.destroy())
  })

const request = (...lines: ReadonlyArray<string>) => `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`

const check = (answer: string, code: ErrorCode) => {
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2)
  const { status } = ErrorCatalog[code]
  assert.isTrue(head.startsWith(`HTTP/1.1 ${status} `), answer)
  const id = /^x-request-id: (.+)$/imu.exec(head)?.[1]
  const { error } = JSON.parse(body) as { error: { code: string; request_id: string } }
  assert.strictEqual(error.code, code)
  assert.strictEqual(error.request_id, id)
  assert.match(head, /^x-content-type-options: nosniff$/imu)
  assert.match(head, /^cache-control: no-store$/imu)
  assert.notMatch(head, /^server:/imu)
}

const posted = (key: string, headers: ReadonlyArray<string>, body: Buffer) => [
  `${
    ["POST /v1/jobs HTTP/1.1", "Host: a", `Authorization: Bearer ${key}`, "Connection: close", ...headers].join(
      "\r\n"
    )
  }\r\n\r\n`,
  body
]
const json = "Content-Type: application/json"
const sized = (body: Buffer) => `Content-Length: ${body.length}`
const head = (bearer: string) =>
  request(
    "POST /v1/schemas HTTP/1.1",
    "Host: a",
    `Authorization: Bearer ${bearer}`,
    json,
    "Content-Length: 2",
    "Expect: 100-continue"
  )

layer(Server.layer, { excludeTestServices: true })("what never becomes a request, over a raw socket", (it) => {
  const get = ["GET /healthz HTTP/1.1", "Host: a"]
  const refusals: ReadonlyArray<readonly [string, ErrorCode, string]> = [
    ["noise", "INVALID_REQUEST", "\u0016\u0003\u0001\u0002\r\n\r\n"],
    ["an unknown method", "INVALID_REQUEST", request("FOO / HTTP/1.1", "Host: a")],
    ["another protocol's version", "INVALID_REQUEST", request("GET / HTTP/9.9", "Host: a")],
    ["no Host", "INVALID_REQUEST", request("GET /healthz HTTP/1.1")],
    ["a target that is no address", "INVALID_REQUEST", request("GET http://[/v1/jobs HTTP/1.1", "Host: a")],
    ["headers over 16 KiB", "INVALID_REQUEST", request(...get, `X: ${"a".repeat(17_000)}`)],
    ["a header with a control character", "INVALID_REQUEST", request(...get, "X: a\u0001b")],
    [
      "a length and chunks at once",
      "INVALID_REQUEST",
      request(...get, "Content-Length: 3", "Transfer-Encoding: chunked")
    ],
    ["two lengths", "INVALID_REQUEST", request(...get, "Content-Length: 3", "Content-Length: 4")],
    ["a negative length", "INVALID_REQUEST", request(...get, "Content-Length: -1")],
    [
      "an unknown coding of the body",
      "INVALID_REQUEST",
      request("POST /v1/jobs HTTP/1.1", "Host: a", "Transfer-Encoding: x")
    ],
    ["an unknown expectation", "INVALID_REQUEST", request(...get, "Expect: the-unexpected")],
    ["CONNECT", "METHOD_NOT_ALLOWED", request("CONNECT example.com:443 HTTP/1.1", "Host: a")],
    ["TRACE", "METHOD_NOT_ALLOWED", request("TRACE /v1/jobs HTTP/1.1", "Host: a")]
  ]
  for (const [title, code, words] of refusals) {
    it.effect(`${ErrorCatalog[code].status} ${code} in the envelope, with an id, for ${title}`, () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        check(yield* conversation(portOf(base_url), words), code)
      }))
  }

  const taken: ReadonlyArray<readonly [string, string, string]> = [
    ["the absolute form", "200", request("GET http://elsewhere.example/healthz HTTP/1.1", "Host: a")],
    ["HTTP/1.0 without Host", "200", request("GET /healthz HTTP/1.0")],
    ["OPTIONS *", "204", request("OPTIONS * HTTP/1.1", "Host: a")],
    ["an offer to speak HTTP/2", "200", `${get.join("\r\n")}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`],
    [
      "an offer to speak WebSocket",
      "200",
      `${get.join("\r\n")}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`
    ]
  ]
  for (const [title, status, words] of taken) {
    it.effect(`answers ${title} in HTTP/1.1`, () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        const answer = yield* conversation(portOf(base_url), words)
        assert.isTrue(answer.startsWith(`HTTP/1.1 ${status} `), answer)
      }))
  }

  it.effect("what follows a body that was longer than it said is a request of its own, answered after the first", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const head = ["POST /v1/jobs HTTP/1.1", "Host: a", "Content-Type: application/json", "Content-Length: 2"]
      const answer = yield* conversation(portOf(base_url), `${head.join("\r\n")}\r\n\r\n{}garbage\r\n\r\n`)
      const codes = [...answer.matchAll(/"code":"(\w+)"/gu)].map(([, code]) => code)
      // The server may close as soon as it sees the garbage; it never answers it first.
      assert.include([[], ["UNAUTHENTICATED"], ["UNAUTHENTICATED", "INVALID_REQUEST"]].map(String), String(codes))
    }))

  const bodies: ReadonlyArray<readonly [string, ErrorCode, ReadonlyArray<string>, Buffer]> = [
    ["bytes that are not UTF-8", "INVALID_REQUEST", [json], Buffer.from(`{"source_uri":"\xed\xa0\x80"}`, "latin1")],
    ["an overlong NUL", "INVALID_REQUEST", [json], Buffer.from(`{"source_uri":"\xc0\x80"}`, "latin1")],
    [
      "UTF-16",
      "UNSUPPORTED_MEDIA_TYPE",
      ["Content-Type: application/json; charset=utf-16"],
      Buffer.from("{}", "utf16le")
    ],
    ["a compressed body", "UNSUPPORTED_MEDIA_TYPE", [json, "Content-Encoding: gzip"], Buffer.from("{}")],
    ["a number beyond all numbers", "INVALID_REQUEST", [json], Buffer.from(`{"source_uri":1e200000}`)],
    ["a member given twice", "INVALID_REQUEST", [json], Buffer.from(`{"source_uri":"a","source_uri":"b"}`)],
    ["a body over the limit", "PAYLOAD_TOO_LARGE", [json], Buffer.alloc(1_048_577, 0x20)]
  ]
  for (const [title, code, headers, body] of bodies) {
    it.effect(`${ErrorCatalog[code].status} ${code} for ${title}`, () =>
      Effect.gen(function*() {
        const { base_url, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        check(yield* conversation(portOf(base_url), ...posted(key, [...headers, sized(body)], body)), code)
      }))
  }

  it.effect("413 PAYLOAD_TOO_LARGE for chunks over the limit, without waiting for their end", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(1_048_576, 0x20), Buffer.from("\r\n")])
      const words = posted(key, [json, "Transfer-Encoding: chunked"], Buffer.concat([chunk, chunk]))
      check(yield* conversation(portOf(base_url), ...words), "PAYLOAD_TOO_LARGE")
    }))

  it.effect("asks for the body of a request that waits to be asked, and not for one that it refuses", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      check(yield* conversation(portOf(base_url), head("fnk_none")), "UNAUTHENTICATED")
      const asked = yield* conversation(portOf(base_url), head(key), "{}")
      assert.isTrue(asked.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 "), asked)
    }))
})

it.effect("a thousand slow senders keep nobody from being answered, and are told that their time is over", () =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => makeNodeServer({ headersMillis: 400 })),
      (server) => Effect.sync(() => void server.close())
    )
    server.on("request", (_, response) => response.end("answered"))
    yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
    const { port } = server.address() as AddressInfo
    const heard: Array<string> = []
    const over: Array<Promise<void>> = []
    yield* Effect.forEach(Array.from({ length: 1000 }, (_, at) => at), (at) =>
      Effect.callback<void>((resume) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\nX: ")
          resume(Effect.void)
        })
        socket.on("error", () => {})
        socket.on("data", (data) => heard[at] = (heard[at] ?? "") + data.toString("latin1"))
        over.push(new Promise((done) => socket.once("close", () => done())))
      }), { concurrency: 100 })
    assert.include(yield* conversation(port, request("GET / HTTP/1.1", "Host: a")), "answered")
    yield* Effect.promise(() => Promise.all(over))
    for (const answer of heard) check(answer, "REQUEST_TIMEOUT")
    assert.lengthOf(heard, 1000)
  }).pipe(Effect.scoped))

const impatient = Effect.gen(function*() {
  const refused: Array<string> = []
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => makeNodeServer({ headersMillis: 100, onRefusal: ({ status }) => refused.push(String(status)) })),
    (server) => Effect.sync(() => void server.close())
  )
  server.on("request", (_, response) => response.end("answered"))
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  return { server, port: (server.address() as AddressInfo).port, refused }
})

it.effect("a connection on which nothing came is closed without a word, as browsers open them ahead of need", () =>
  Effect.gen(function*() {
    const { port, refused } = yield* impatient
    assert.strictEqual(yield* conversation(port), "")
    assert.deepStrictEqual(refused, [])
  }).pipe(Effect.scoped))

it.effect("half a header gets 408 REQUEST_TIMEOUT, on a connection that has been of use too", () =>
  Effect.gen(function*() {
    const { port, refused } = yield* impatient
    check(yield* conversation(port, "G"), "REQUEST_TIMEOUT")
    const [first, second = ""] =
      (yield* conversation(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHo"))
        .split("answered")
    assert.match(first ?? "", /^HTTP\/1\.1 200 /u)
    check(second, "REQUEST_TIMEOUT")
    assert.deepStrictEqual(refused, ["408", "408"])
  }).pipe(Effect.scoped))

it.effect("a connection that waits for its next request is closed without a word", () =>
  Effect.gen(function*() {
    const { port, refused, server } = yield* impatient
    server.keepAliveTimeout = 100
    const heard = yield* conversation(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert.isTrue(heard.startsWith("HTTP/1.1 200 ") && heard.endsWith("answered"), heard)
    assert.deepStrictEqual(refused, [])
  }).pipe(Effect.scoped))

/** Sends a byte every few milliseconds until the connection ends; answers what was heard. */
const drip = (port: number, head: string) =>
  new Promise<string>((resolve) => {
    let heard = ""
    let dripping: NodeJS.Timeout | undefined
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(head)
      dripping = setInterval(() => socket.writable && socket.write("x"), 5)
    })
    socket.on("data", (data) => heard += data.toString("latin1"))
    socket.on("error", () => {})
    socket.on("close", () => {
      clearInterval(dripping)
      resolve(heard)
    })
  })

const dripped = (port: number, head: string) => Effect.promise(() => drip(port, head))

const listening = Effect.fnUntraced(function*(sender: SenderRule) {
  const refused: Array<string> = []
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => makeNodeServer({ sender, onRefusal: (_, reason) => refused.push(reason) })),
    (server) => Effect.sync(() => void server.close())
  )
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  return { server, port: (server.address() as AddressInfo).port, refused }
})

for (const waits of [false, true]) {
  it.effect(`a body that drips is refused, and its reader told that it broke off${waits ? ", asked for or not" : ""}`, () =>
    Effect.gen(function*() {
      const { port, refused, server } = yield* listening({ window_ms: 200, bytes: 10_000 })
      const broken = new Promise<boolean>((resolve) => {
        server.on(waits ? "checkContinue" : "request", (incoming: IncomingMessage, response: ServerResponse) => {
          if (waits) response.writeContinue()
          incoming.resume()
          incoming.once("close", () => resolve(!incoming.complete))
          incoming.on("error", () => {})
        })
      })
      const lines = [
        "POST / HTTP/1.1",
        "Host: a",
        "Content-Length: 1000000",
        ...(waits ? ["Expect: 100-continue"] : [])
      ]
      const answer = yield* dripped(port, `${lines.join("\r\n")}\r\n\r\n`)
      check(answer.replace("HTTP/1.1 100 Continue\r\n\r\n", ""), "INVALID_REQUEST")
      assert.include(answer, "too slowly")
      assert.isTrue(yield* Effect.promise(() => broken))
      assert.deepStrictEqual(refused, ["slow body"])
    }).pipe(Effect.scoped))
}

it.effect("a body that drips on after its answer ends with its connection", () =>
  Effect.gen(function*() {
    const { port, server } = yield* listening({ window_ms: 200, bytes: 10_000 })
    server.on("request", (_, response) => response.end("answered"))
    const heard = yield* dripped(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
    assert.include(heard, "answered")
  }).pipe(Effect.scoped))
