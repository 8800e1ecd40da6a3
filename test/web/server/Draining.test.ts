import { assert, it, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Draining, layerDrainOnRelease } from "../../../src/web/server/Draining.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("a process that drains", (it) => {
  it.effect("says so at /readyz, goes on answering, and ends connections, waits and streams", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      yield* sql("INSERT INTO footnote.workers (no, pools, host, pid) VALUES (998, '[\"media\"]', 'test', 1)")
      const before = yield* send("GET", "/readyz")
      assert.strictEqual(before.status, 200)
      assert.strictEqual(before.json.draining, false)
      assert.notStrictEqual(before.headers["connection"], "close")
      const made = yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })
      yield* (yield* Draining).begin
      const after = yield* send("GET", "/readyz")
      assert.strictEqual(after.status, 503)
      assert.strictEqual(after.json.status, "not_ready")
      assert.strictEqual(after.json.draining, true)
      // A minute's wait and an endless stream answer at once; what is asked meanwhile is still done.
      const waited = yield* send("GET", `/v1/jobs/${made.json.id}?wait=60`, { key })
      assert.strictEqual(waited.json.status, "queued")
      assert.strictEqual((yield* send("GET", `/v1/jobs/${made.json.id}/events`, { key })).status, 200)
      const another = yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/b.mp4" } })
      assert.strictEqual(another.status, 201)
      for (const { headers } of [after, waited, another]) assert.strictEqual(headers["connection"], "close")
    }))
})

/** Begins to drain with an open connection on which the last request came `asked()` ms after the epoch; resolves when it is over. */
const draining = Effect.fnUntraced(function*(asked: () => number, connections: () => number) {
  const scope = yield* Scope.make()
  const listener = { connections: Effect.sync(connections), lastAskedMillis: asked }
  const drain = layerDrainOnRelease("1 second", listener).pipe(Layer.provide(Draining.layer))
  yield* Layer.buildWithScope(drain, scope)
  return yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
})

it.effect("listens for the notice, and on while somebody asks, but not for ever", () =>
  Effect.gen(function*() {
    const quiet = yield* draining(() => 0, () => 1)
    const busy = yield* draining(() => 900, () => 1)
    const stubborn = yield* draining(() => Number.POSITIVE_INFINITY, () => 1)
    const over = () => [quiet, busy, stubborn].map((fiber) => fiber.pollUnsafe() !== undefined)
    yield* TestClock.adjust("980 millis")
    assert.deepStrictEqual(over(), [false, false, false])
    yield* TestClock.adjust("40 millis")
    assert.deepStrictEqual(over(), [true, false, false])
    yield* TestClock.adjust("400 millis")
    assert.deepStrictEqual(over(), [true, true, false])
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual(over(), [true, true, false])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(over(), [true, true, true])
  }))

it.effect("does not wait where nobody is connected", () =>
  Effect.gen(function*() {
    let connections = 1
    const fiber = yield* draining(() => Number.POSITIVE_INFINITY, () => connections)
    yield* TestClock.adjust("40 millis")
    assert.isUndefined(fiber.pollUnsafe())
    connections = 0
    yield* TestClock.adjust("20 millis")
    assert.isDefined(fiber.pollUnsafe())
  }))
