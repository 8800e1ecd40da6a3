import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Egress, type Unanswered } from "../../src/connectors/Egress.ts"
import type { Resolver } from "../../src/sources/GuardedAgent.ts"
import { receiver } from "../support/Receiver.ts"

const under = (config: Record<string, string>, resolve?: Resolver) =>
  Egress.layerWith(resolve).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(config))))
const local = under({ SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" })

const post = (url: string, more: { readonly most_bytes?: number } = {}) =>
  Effect.flatMap(Egress, ({ send }) => send({ method: "POST", url, headers: {}, body: "{}", ...more }))

const told = ({ message, reason, sent }: Unanswered) => ({ reason, message, sent })

/** Answers as told, for the scope. */
const answering = (answer: (response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        request.resume().on("end", () => answer(response))
      })
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        })))
    }),
    ({ close }) => Effect.sync(close)
  )

it.effect("gives a silent receiver 15 s, and says that the request has left", () =>
  Effect.gen(function*() {
    const inbox = yield* receiver("silent")
    const running = yield* Effect.forkChild(Effect.flip(post(inbox.url)))
    yield* inbox.first
    yield* TestClock.adjust("15 seconds")
    const error = yield* Fiber.join(running)
    assert.deepInclude(told(error), { reason: "timeout", message: "no answer within 15 s", sent: true })
  }).pipe(Effect.provide(local)))

it.effect("tells a refused connection by its code and nothing of the URL, and that nothing has left", () =>
  Effect.gen(function*() {
    const url = yield* Effect.scoped(Effect.map(receiver({ status: 200 }), ({ url }) => `${url}?token=secret`))
    const error = yield* Effect.flip(post(url))
    assert.deepInclude(told(error), { reason: "unreachable", message: "ECONNREFUSED", sent: false })
  }).pipe(Effect.provide(local)))

it.effect("opens no socket to a name that resolves to a private address", () =>
  Effect.gen(function*() {
    const inbox = yield* receiver({ status: 200 })
    const { port } = new URL(inbox.url)
    const error = yield* Effect.flip(post(`http://public-name.example:${port}/`)).pipe(
      Effect.provide(under({ SOURCE_ALLOW_PORTS: port }, (_host, _options, callback) =>
        callback(null, [{ address: "127.0.0.1", family: 4 }])))
    )
    assert.deepInclude(told(error), { reason: "blocked", sent: false })
    assert.strictEqual(inbox.received.length, 0)
  }))

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
  it.effect(`refuses ${url}`, () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(post(url))
      assert.deepInclude(told(error), { reason: "blocked", sent: false })
      assert.notInclude(error.message, "secret")
    }).pipe(Effect.provide(under({}))))
}

it.effect("follows no redirect", () =>
  Effect.gen(function*() {
    const elsewhere = yield* receiver({ status: 200 })
    const inbox = yield* receiver({ status: 302, headers: { location: elsewhere.url } })
    assert.strictEqual((yield* post(inbox.url)).status_code, 302)
    assert.strictEqual(elsewhere.received.length, 0)
  }).pipe(Effect.provide(local)))

it.effect("reads no more of an answer than is of use, and keeps its status", () =>
  Effect.gen(function*() {
    const huge = yield* answering((response) => void response.end(Buffer.alloc(64 * 1024 * 1024)))
    const answer = yield* post(huge.url, { most_bytes: 1000 })
    assert.deepInclude(answer, { status_code: 200, text: null })
  }).pipe(Effect.provide(local)))

it.effect("gives up an answer that drips, and keeps its status", () =>
  Effect.gen(function*() {
    const { promise: headers, resolve: began } = Promise.withResolvers<void>()
    const slow = yield* answering((response) => {
      response.writeHead(200, { "content-length": "100" })
      response.write("x", () => began())
    })
    const running = yield* Effect.forkChild(post(slow.url))
    yield* Effect.promise(() => headers)
    // The headers are with the client once it has begun to wait for the rest of the body.
    const answer = yield* Effect.raceFirst(
      Fiber.join(running),
      Effect.forever(Effect.andThen(TestClock.adjust("1 second"), Effect.promise(() => new Promise(setImmediate))))
    )
    assert.deepInclude(answer, { status_code: 200, text: null })
  }).pipe(Effect.provide(local)))

it.effect("calls a connection that breaks after the request had left in doubt", () =>
  Effect.gen(function*() {
    const breaking = yield* answering((response) => void response.socket?.destroy())
    const error = yield* Effect.flip(post(breaking.url))
    assert.deepInclude(told(error), { reason: "broken_off", sent: true })
  }).pipe(Effect.provide(local)))

it.effect("reads Retry-After in seconds and as a date", () =>
  Effect.gen(function*() {
    const seconds = yield* receiver({ status: 429, headers: { "retry-after": "120" } })
    assert.strictEqual((yield* post(seconds.url)).retry_after, 120)
    // The test's clock stands at 1970.
    const date = yield* receiver({ status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:01:30 GMT" } })
    assert.strictEqual((yield* post(date.url)).retry_after, 90)
  }).pipe(Effect.provide(local)))
