import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, connect, createServer as createPlainServer, type Socket } from "node:net"
import { makeAddressPolicy } from "../../src/egress/AddressPolicy.ts"
import { Egress, makeEgress } from "../../src/egress/Egress.ts"
import type { EgressError } from "../../src/egress/EgressError.ts"
import type { Resolver } from "../../src/egress/SsrfGuard.ts"
import { httpsDocuments } from "../support/HttpsDocument.ts"
import { receiver } from "../support/Receiver.ts"

const under = (config: Record<string, string>, resolve?: Resolver) =>
  Egress.layerWith(resolve).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(config))))
const local = under({ SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" })

type More = { readonly most_bytes?: number; readonly headers?: Record<string, string>; readonly body?: string }

const post = (url: string, more: More = {}) =>
  Effect.flatMap(Egress, ({ send }) => send({ method: "POST", url, headers: {}, body: "{}", ...more }))

const told = ({ message, reason, sent }: EgressError) => ({ reason, message, sent })

type Answering = (response: ServerResponse, request: IncomingMessage, body: string) => void

/** Answers each whole request as told, for the scope; `closed` is when its first connection ends, `connections` how many came. */
const answering = (answer: Answering, host = "127.0.0.1") =>
  Effect.gen(function*() {
    const { promise: closed, resolve: ended } = Promise.withResolvers<void>()
    let connections = 0
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text) => body += text).on("end", () => answer(response, request, body))
    })
    server.on("connection", (socket) => {
      connections++
      socket.on("close", () => ended())
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, host, () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    const { port } = server.address() as AddressInfo
    return {
      url: `http://${host}:${port}/`,
      port,
      closed: Effect.promise(() => closed),
      connections: () => connections
    }
  })

/** Does with each connection as told, for the scope. */
const connecting = (meet: (socket: Socket) => void): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createPlainServer>>((resume) => {
      const server = createPlainServer((socket) => meet(socket.on("error", () => undefined)))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** The test's clock goes on for as long as this is under way. */
const whileTimePasses = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    work,
    Effect.forever(Effect.andThen(TestClock.adjust("1 second"), Effect.promise(() => new Promise(setImmediate))))
  )

/** Answers with these in turn, the last one over and over. */
const resolver = (...answers: ReadonlyArray<ReadonlyArray<string>>): Resolver => {
  let turn = 0
  return (_host, _options, callback) => {
    const addresses = answers[Math.min(turn++, answers.length - 1)]!
    callback(null, addresses.map((address) => ({ address, family: 4 })))
  }
}

describe("what is sent", () => {
  it.effect("is the URL, the headers and the body as they were given, and nothing about our traces", () =>
    Effect.gen(function*() {
      const asked: Array<unknown> = []
      const site = yield* answering((response, { headers, method, url }, body) => {
        const { connection: _connection, host: _host, ...rest } = headers
        asked.push([method, url, body, rest])
        response.end("{}")
      })
      const headers = {
        "webhook-id": "evt_1",
        "webhook-signature": "v1,YWJj= v1,ZGVm+/",
        "X-Team": "a, b",
        "content-type": "application/json"
      }
      yield* Effect.withSpan(post(`${site.url}a%20b/ü?q=a+b%20c&d=%41&&e#f`, { headers, body: "{\"é\":1}" }), "outside")
      assert.deepStrictEqual(asked, [[
        "POST",
        "/a%20b/%C3%BC?q=a+b%20c&d=%41&&e",
        "{\"é\":1}",
        {
          "user-agent": "Footnote/0.1",
          "webhook-id": "evt_1",
          "webhook-signature": "v1,YWJj= v1,ZGVm+/",
          "x-team": "a, b",
          "content-type": "application/json",
          "content-length": "8"
        }
      ]])
    }).pipe(Effect.provide(local)))

  it.effect("goes over a connection that is there already, once an answer is whole", () =>
    Effect.gen(function*() {
      const site = yield* answering((response) => response.end("{}"))
      for (let count = 0; count < 20; count++) assert.strictEqual((yield* post(site.url)).text, "{}")
      // A connection is free again a moment after the last byte, so that the second request may open another one.
      assert.isAtMost(site.connections(), 2)
    }).pipe(Effect.provide(local)))

  it.effect("is nothing where a header cannot be written", () =>
    Effect.gen(function*() {
      const site = yield* answering((response) => response.end("{}"))
      const error = yield* Effect.flip(post(site.url, { headers: { authorization: "Bearer secret\r\nx: y" } }))
      assert.deepStrictEqual(told(error), { reason: "broken_off", message: "UND_ERR_INVALID_ARG", sent: false })
      assert.strictEqual(site.connections(), 0)
    }).pipe(Effect.provide(local)))
})

describe("where it may go", () => {
  for (
    const url of [
      "http://127.0.0.1/",
      "http://[::1]/",
      "http://169.254.169.254/",
      "http://10.0.0.1/",
      "http://2130706433/",
      "ftp://example.com/",
      "https://user:secret@example.com/",
      "nonsense"
    ]
  ) {
    it.effect(`is not ${url}`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(post(url))
        assert.deepInclude(told(error), { reason: "blocked", sent: false })
        assert.notInclude(error.message, "secret")
      }).pipe(Effect.provide(under({}))))
  }

  for (const addresses of [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], []]) {
    it.effect(`is no name that resolves to ${addresses.join(" and ") || "nothing"}`, () =>
      Effect.gen(function*() {
        const inbox = yield* receiver({ status: 200 })
        const { port } = new URL(inbox.url)
        const error = yield* Effect.flip(post(`http://public-name.example:${port}/`)).pipe(
          Effect.provide(under({ SOURCE_ALLOW_PORTS: port }, resolver(addresses)))
        )
        assert.deepInclude(told(error), { reason: "blocked", sent: false })
        assert.strictEqual(inbox.received.length, 0)
      }))
  }

  it.effect("is the address that was judged: a name that is rebound is judged again before the next connection", () =>
    Effect.gen(function*() {
      const allowed = yield* answering(
        (response) => response.writeHead(200, { connection: "close" }).end(),
        "127.0.0.3"
      )
      let hits = 0
      const inside = createServer(() => void hits++)
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void inside.listen(allowed.port, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => inside.close())
      )
      const policy = makeAddressPolicy({ allow_private: "127.0.0.3/32", allow_ports: String(allowed.port) })
      const { send } = yield* makeEgress(policy, resolver(["127.0.0.3"], ["127.0.0.1"]))
      const url = `http://rebound.example:${allowed.port}/`
      assert.strictEqual((yield* send({ method: "GET", url, headers: {} })).status_code, 200)
      yield* allowed.closed
      const error = yield* Effect.flip(send({ method: "GET", url, headers: {} }))
      assert.deepInclude(told(error), { reason: "blocked", sent: false })
      assert.strictEqual(hits, 0)
    }))

  it.effect("is not where a redirect leads", () =>
    Effect.gen(function*() {
      const elsewhere = yield* receiver({ status: 200 })
      const inbox = yield* receiver({ status: 302, headers: { location: elsewhere.url } })
      const { headers, status_code } = yield* post(inbox.url)
      assert.deepStrictEqual([status_code, headers["location"]], [302, elsewhere.url])
      assert.strictEqual(elsewhere.received.length, 0)
    }).pipe(Effect.provide(local)))

  it.effect("is anywhere where the operator's configuration leads, redirects excepted", () =>
    Effect.gen(function*() {
      const elsewhere = yield* receiver({ status: 200 })
      const inbox = yield* receiver({ status: 200 }, { status: 302, headers: { location: elsewhere.url } })
      const { send } = yield* makeEgress("operator", resolver(["127.0.0.1"]))
      const url = inbox.url.replace("127.0.0.1", "issuer.internal")
      for (const expected of [200, 302]) {
        assert.strictEqual((yield* send({ method: "GET", url, headers: {} })).status_code, expected)
      }
      assert.strictEqual(elsewhere.received.length, 0)
    }))
})

describe("without an answer it is told", () => {
  it.effect("after 15 s of silence, and that the request has left", () =>
    Effect.gen(function*() {
      const inbox = yield* receiver("silent")
      const running = yield* Effect.forkChild(Effect.flip(post(inbox.url)))
      yield* inbox.first
      yield* TestClock.adjust("15 seconds")
      const error = yield* Fiber.join(running)
      assert.deepStrictEqual(told(error), { reason: "timeout", message: "no answer within 15 s", sent: true })
    }).pipe(Effect.provide(local)))

  it.effect("that nothing has left where the connection is refused, by its code and nothing of the URL", () =>
    Effect.gen(function*() {
      const url = yield* Effect.scoped(Effect.map(receiver({ status: 200 }), ({ url }) => `${url}?token=secret`))
      const error = yield* Effect.flip(post(url))
      assert.deepStrictEqual(told(error), { reason: "unreachable", message: "ECONNREFUSED", sent: false })
      assert.notInclude(JSON.stringify(error), "secret")
    }).pipe(Effect.provide(local)))

  it.effect("that nothing has left where the connection breaks before its encryption stands", () =>
    Effect.gen(function*() {
      const port = yield* connecting((socket) => void socket.once("data", () => socket.resetAndDestroy()))
      const error = yield* Effect.flip(post(`https://127.0.0.1:${port}/`))
      assert.deepStrictEqual(told(error), { reason: "unreachable", message: "ECONNRESET", sent: false })
    }).pipe(Effect.provide(local)))

  it.effect("that nothing has left where the other side speaks no TLS", () =>
    Effect.gen(function*() {
      const site = yield* answering((response) => response.end())
      const error = yield* Effect.flip(post(site.url.replace("http:", "https:")))
      assert.deepInclude(told(error), { reason: "tls_error", sent: false })
      assert.include(error.message, "does not speak TLS")
    }).pipe(Effect.provide(local)))

  it.effect("that the request is in doubt where the connection breaks after it stood, read or not", () =>
    Effect.gen(function*() {
      const afterwards = yield* answering((response) => void response.socket?.destroy())
      const unread = yield* connecting((socket) => void socket.once("data", () => socket.resetAndDestroy()))
      for (const url of [afterwards.url, `http://127.0.0.1:${unread}/`]) {
        const error = yield* Effect.flip(post(url))
        assert.deepInclude(told(error), { reason: "broken_off", sent: true })
      }
    }).pipe(Effect.provide(local)))

  it.effect("that the request is in doubt where the encryption breaks after it stood", () =>
    Effect.gen(function*() {
      const site = yield* Effect.acquireRelease(Effect.promise(httpsDocuments), ({ close }) => Effect.promise(close))
      // A record that cannot be opened takes the place of the answer.
      const record = Buffer.concat([Buffer.from([0x17, 0x03, 0x03, 0, 64]), Buffer.alloc(64, 1)])
      const port = yield* connecting((socket) => {
        const inner = connect(site.port, "127.0.0.1").on("error", () => undefined)
        socket.pipe(inner)
        inner.on("data", (bytes) => site.asked.size === 0 ? socket.write(bytes) : socket.end(record))
      })
      const error = yield* Effect.flip(post(`https://127.0.0.1:${port}/commit`))
      assert.strictEqual(site.asked.get("/commit"), 1)
      assert.deepInclude(told(error), { reason: "broken_off", sent: true })
    }).pipe(Effect.provide(local)))

  it.effect("by our words where the answer is no HTTP, be it TLS, another protocol's greeting or no protocol's", () =>
    Effect.gen(function*() {
      const noHttp = "the answer is not HTTP"
      const tlsAlert = Buffer.from([0x15, 0x03, 0x01, 0, 2, 2, 0x46])
      for (
        const [bytes, message] of [
          ["secret nonsense\r\n\r\n", noHttp],
          ["SSH-2.0-OpenSSH_9.6\r\n", noHttp],
          ["220 mail.example ESMTP\r\n", noHttp],
          ["HTTP/secret 200 OK\r\n\r\n", noHttp],
          [tlsAlert, `the answer is TLS and not HTTP: the address may have to begin with https`]
        ] as const
      ) {
        const port = yield* connecting((socket) => void socket.once("data", () => socket.end(bytes)))
        const error = yield* Effect.flip(post(`http://127.0.0.1:${port}/`))
        assert.deepStrictEqual(told(error), { reason: "broken_off", message, sent: true })
      }
    }).pipe(Effect.provide(local)))
})

describe("the status stands", () => {
  it.effect("where no more of the answer is read than is of use", () =>
    Effect.gen(function*() {
      const huge = yield* answering((response) => void response.end(Buffer.alloc(64 * 1024 * 1024)))
      const answer = yield* post(huge.url, { most_bytes: 1000 })
      assert.deepInclude(answer, { status_code: 200, text: null })
      yield* huge.closed
    }).pipe(Effect.provide(local)))

  it.effect("where the answer has just as many bytes as may be read, and not one more", () =>
    Effect.gen(function*() {
      const site = yield* answering((response) => void response.end("é".repeat(500)))
      assert.strictEqual((yield* post(site.url, { most_bytes: 1000 })).text, "é".repeat(500))
      assert.isNull((yield* post(site.url, { most_bytes: 999 })).text)
    }).pipe(Effect.provide(local)))

  it.effect("where the answer drips, and the connection is given up", () =>
    Effect.gen(function*() {
      const { promise: headers, resolve: began } = Promise.withResolvers<void>()
      const slow = yield* answering((response) => {
        response.writeHead(200, { "content-length": "100" })
        response.write("x", () => began())
      })
      const running = yield* Effect.forkChild(post(slow.url))
      yield* Effect.promise(() => headers)
      // The headers are with the client once it has begun to wait for the rest of the body.
      const answer = yield* whileTimePasses(Fiber.join(running))
      assert.deepInclude(answer, { status_code: 200, text: null })
      yield* slow.closed
    }).pipe(Effect.provide(local)))

  it.effect("where the connection breaks within the answer", () =>
    Effect.gen(function*() {
      const breaking = yield* answering((response) => {
        response.writeHead(201, { "content-length": "100" })
        response.write("x", () => response.socket?.destroy())
      })
      assert.deepInclude(yield* post(breaking.url), { status_code: 201, text: null })
    }).pipe(Effect.provide(local)))

  it.effect("with Retry-After, in seconds and as a date", () =>
    Effect.gen(function*() {
      const seconds = yield* receiver({ status: 429, headers: { "retry-after": "120" } })
      assert.strictEqual((yield* post(seconds.url)).retry_after, 120)
      // The test's clock stands at 1970.
      const date = yield* receiver({ status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:01:30 GMT" } })
      assert.strictEqual((yield* post(date.url)).retry_after, 90)
    }).pipe(Effect.provide(local)))
})

describe("an interruption closes the connection", () => {
  it.live("before an answer has begun", () =>
    Effect.gen(function*() {
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      const silent = yield* answering(() => resolve())
      const running = yield* Effect.forkChild(post(silent.url))
      yield* Effect.promise(() => asked)
      yield* Fiber.interrupt(running)
      yield* silent.closed
    }).pipe(Effect.provide(local)))

  it.live("within an answer", () =>
    Effect.gen(function*() {
      const { promise: answered, resolve } = Promise.withResolvers<void>()
      const endless = yield* answering((response) => void response.write("x".repeat(1000), () => resolve()))
      const running = yield* Effect.forkChild(post(endless.url))
      yield* Effect.promise(() => answered)
      yield* Fiber.interrupt(running)
      yield* endless.closed
    }).pipe(Effect.provide(local)))
})
