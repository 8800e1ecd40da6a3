import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
type Server = typeof TestServer.Service

const create = Effect.fnUntraced(function*({ send }: Server, key: string) {
  const answer = yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/talk.mp4" } })
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json.id as string
})

const begin = async (url: string, key: string) => {
  const controller = new AbortController()
  const headers = { authorization: `Bearer ${key}`, connection: "close" }
  return { controller, response: await fetch(url, { headers, signal: controller.signal }) }
}

/** A request that is open until the scope closes or it is let go. */
const open = ({ base_url }: Server, path: string, key: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => begin(`${base_url}${path}`, key)),
      ({ controller }) => Effect.sync(() => controller.abort())
    ),
    ({ controller, response }) => ({ response, letGo: () => controller.abort() })
  )

layer(Server.layer, { excludeTestServices: true })("event streams and waits", (it) => {
  it.effect("of a tenant are counted while they last: 429 beyond, not for another tenant, and again once one has gone", () =>
    Effect.gen(function*() {
      const server = yield* Server.replica({ STREAMS_PER_TENANT: "3" })
      const [a, b] = [yield* server.tenant("a"), yield* server.tenant("b")]
      const id = yield* create(server, b.key)
      const streams = yield* Effect.forEach([1, 2, 3], () => open(server, `/v1/jobs/${id}/events`, b.key))
      assert.deepStrictEqual(streams.map(({ response }) => response.status), [200, 200, 200])
      for (const path of [`/v1/jobs/${id}/events`, `/v1/jobs/${id}?wait=5`]) {
        const refused = yield* server.send("GET", path, { key: b.key })
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.json.error.code, "RATE_LIMITED")
        assert.strictEqual(refused.headers["retry-after"], "5")
      }
      assert.strictEqual((yield* server.send("GET", `/v1/jobs/${id}`, { key: b.key })).status, 200)
      const other = yield* open(server, `/v1/jobs/${yield* create(server, a.key)}/events`, a.key)
      assert.strictEqual(other.response.status, 200)
      const limits = yield* server.send("GET", "/v1/limits", { key: b.key })
      assert.strictEqual(limits.json.requests.open_streams, 3)
      streams[0]!.letGo()
      // The server hears of it when its connection's end does.
      const freed = yield* Effect.repeat(
        Effect.scoped(Effect.map(open(server, `/v1/jobs/${id}/events`, b.key), ({ response }) => response.status)),
        { until: (status) => status === 200 }
      )
      assert.strictEqual(freed, 200)
    }))

  it.effect("end with their key: a stream without another event, a wait with 401", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      const second = yield* server.send("POST", "/v1/api-keys", { key, json: { name: "second" } })
      const id = yield* create(server, key)
      const stream = yield* open(server, `/v1/jobs/${id}/events`, second.json.secret)
      const waits = server.send("GET", `/v1/jobs/${id}?wait=60`, { key: second.json.secret })
      const revoke = server.send("DELETE", `/v1/api-keys/${second.json.id}`, { key })
      const [waited] = yield* Effect.all([waits, revoke], { concurrency: "unbounded" })
      assert.strictEqual(waited.status, 401)
      assert.strictEqual(waited.json.error.code, "UNAUTHENTICATED")
      const text = yield* Effect.promise(() => stream.response.text())
      // On a machine that is busy the key may be gone before the first event is sent.
      assert.isAtMost(text.match(/^event: /gmu)?.length ?? 0, 1)
      assert.strictEqual((yield* server.send("GET", `/v1/jobs/${id}`, { key })).json.status, "queued")
    }))

  it.effect("of one job all hear the same, whenever they begin", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      const id = yield* create(server, key)
      const streams = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => open(server, `/v1/jobs/${id}/events`, key),
        { concurrency: "unbounded" }
      )
      yield* server.send("POST", `/v1/jobs/${id}/cancel`, { key })
      const texts = yield* Effect.forEach(streams, ({ response }) => Effect.promise(() => response.text()))
      assert.deepStrictEqual(new Set(texts).size, 1)
      assert.match(texts[0]!, /"status":"cancelled"/u)
      const late = yield* server.send("GET", `/v1/jobs/${id}/events`, { key })
      assert.strictEqual(late.text, texts[0])
    }))
})
