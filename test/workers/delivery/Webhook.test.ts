import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeGuardedAgent } from "../../../src/sources/GuardedAgent.ts"
import { makeSourcePolicy } from "../../../src/sources/SourcePolicy.ts"
import { postWebhook } from "../../../workers/delivery/Webhook.ts"
import { receiver } from "../../support/Receiver.ts"

const deadlines = { connect_ms: 5000, headers_ms: 60_000, body_ms: 60_000 }
const local = makeSourcePolicy({ allow_private: "127.0.0.0/8" })
const anywhere = makeSourcePolicy()

it.effect("gives a silent receiver 15 s", () =>
  Effect.gen(function*() {
    const inbox = yield* receiver("silent")
    const agent = makeGuardedAgent(local, deadlines)
    const running = yield* Effect.forkChild(
      postWebhook({ url: inbox.url, headers: {}, body: "{}", agent, policy: local })
    )
    yield* inbox.first
    yield* TestClock.adjust("15 seconds")
    const attempt = yield* Fiber.join(running)
    assert.deepStrictEqual(attempt, {
      status_code: null,
      error: "no answer within 15 s",
      final: false,
      retry_after: undefined,
      duration_ms: 15_000
    })
  }))

it.effect("tells a refused connection by its code and nothing of the URL", () =>
  Effect.gen(function*() {
    const url = yield* Effect.scoped(Effect.map(receiver({ status: 200 }), ({ url }) => `${url}?token=secret`))
    const agent = makeGuardedAgent(local, deadlines)
    const attempt = yield* postWebhook({ url, headers: {}, body: "{}", agent, policy: local })
    assert.strictEqual(attempt.error, "ECONNREFUSED")
    assert.isFalse(attempt.final)
  }))

it.effect("opens no socket to a name that resolves to a private address", () =>
  Effect.gen(function*() {
    const inbox = yield* receiver({ status: 200 })
    const port = new URL(inbox.url).port
    const policy = makeSourcePolicy({ allow_ports: port })
    const agent = makeGuardedAgent(policy, deadlines, (_host, _options, callback) =>
      callback(null, [{ address: "127.0.0.1", family: 4 }]))
    const url = `http://public-name.example:${port}/`
    const attempt = yield* postWebhook({ url, headers: {}, body: "{}", agent, policy })
    assert.deepInclude(attempt, { status_code: null, error: "the address is not a public one", final: true })
    assert.strictEqual(inbox.received.length, 0)
  }))

for (
  const url of [
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/",
    "http://10.0.0.1/",
    "ftp://example.com/",
    "nonsense"
  ]
) {
  it.effect(`refuses ${url}`, () =>
    Effect.gen(function*() {
      const agent = makeGuardedAgent(anywhere, deadlines)
      const attempt = yield* postWebhook({ url, headers: {}, body: "{}", agent, policy: anywhere })
      assert.isTrue(attempt.final)
      assert.isNotNull(attempt.error)
    }))
}
