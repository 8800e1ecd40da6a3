import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { SessionLimits } from "../../src/database/DatabaseSession.ts"
import { AnswerSeconds, deadlineOf } from "../../src/web/server/RequestDeadline.ts"
import { databaseBehindProxy, type Fault, type FaultyProxy } from "../support/FaultyProxy.ts"
import { type Answer, layerOn, TestServer } from "../support/TestServer.ts"

const away = ({ headers, json, status, text }: Answer, what: string) => {
  assert.strictEqual(status, 503, `${what}: ${text}`)
  assert.strictEqual(json.error.code, "SERVICE_UNAVAILABLE", what)
  assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/u, what)
}

const limits = { statement_seconds: 3, silence_seconds: 4 }

/** The API over a database behind a proxy. */
const service = (answer_seconds: number, limit = limits) =>
  Effect.gen(function*() {
    const made: { proxy?: FaultyProxy } = {}
    const database = Layer.unwrap(Effect.map(databaseBehindProxy, ({ proxy, url }) => {
      made.proxy = proxy
      return Database.layerUrl(url)
    })).pipe(
      Layer.provide(Layer.succeed(SessionLimits, { engine: limit, tenant: limit })),
      Layer.provide(NodeServices.layer)
    )
    const context = yield* Layer.build(
      layerOn(database as Parameters<typeof layerOn>[0]).pipe(
        Layer.provide(Layer.succeed(AnswerSeconds, answer_seconds))
      )
    )
    return { proxy: made.proxy!, server: Context.get(context, TestServer) }
  })

/** What a caller does all day, of each kind: reads, waits, writes, refusals. */
const requests = (key: string) =>
  [
    ["GET", "/v1/jobs", { key }],
    ["GET", "/v1/limits", { key }],
    ["POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } }],
    ["POST", "/v1/uploads", { key, body: new Uint8Array(8), headers: { "content-type": "video/mp4" } }],
    ["GET", "/v1/jobs/job_0000000000000000000000000a", { key }]
  ] as const

describe("while the database", () => {
  const faults: Readonly<Record<string, Fault>> = {
    "accepts and never answers": { kind: "silent" },
    "half-closes": { kind: "half-closed" },
    "resets": { kind: "reset" },
    "answers after a minute": { kind: "delayed", millis: 60_000 }
  }
  for (const [what, fault] of Object.entries(faults)) {
    it.live(
      `${what}, every request is answered with 503 and when to come again, and goes on when it is over`,
      () =>
        Effect.gen(function*() {
          const { proxy, server } = yield* service(30)
          const { key } = yield* server.tenant("a")
          assert.strictEqual((yield* server.send("GET", "/v1/jobs", { key })).status, 200)
          yield* proxy.set(fault)
          yield* Effect.forEach(
            requests(key),
            ([method, path, call]) =>
              Effect.map(server.send(method, path, call), (answer) => away(answer, `${method} ${path}`)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual((yield* server.send("GET", "/readyz")).status, 503)
          yield* proxy.set({ kind: "none" })
          yield* Effect.repeat(server.send("GET", "/v1/jobs", { key }), {
            until: ({ status, text }) => {
              assert.include([200, 503], status, text)
              return status === 200
            }
          })
          const taken = yield* server.send("POST", "/v1/jobs", {
            key,
            json: { source_uri: "https://example.com/a.mp4" }
          })
          assert.strictEqual(taken.status, 201, taken.text)
        }).pipe(Effect.scoped),
      120_000
    )
  }
})

describe("a request", () => {
  it.live("is answered when its time is over, though what it waits for goes on", () =>
    Effect.gen(function*() {
      const patient = { statement_seconds: 600, silence_seconds: 600 }
      const { proxy, server } = yield* service(0.5, patient)
      const { key } = yield* server.tenant("a")
      yield* proxy.set({ kind: "silent" })
      away(yield* server.send("GET", "/v1/jobs", { key }), "a list")
      yield* proxy.set({ kind: "none" })
    }).pipe(Effect.scoped), 60_000)

  it("has its time by what it asks: a wait and a body are added, an upload takes as long as its sender", () => {
    assert.strictEqual(deadlineOf("GET", "/v1/jobs", 30), 30)
    assert.strictEqual(deadlineOf("GET", "/v1/jobs/job_1?wait=20", 30), 50)
    assert.strictEqual(deadlineOf("GET", "/v1/jobs/job_1?wait=1e9", 30), 30)
    assert.strictEqual(deadlineOf("POST", "/v1/jobs", 30), 60)
    assert.isUndefined(deadlineOf("POST", "/v1/uploads", 30))
    assert.isUndefined(deadlineOf("PATCH", "/v1/uploads/upl_1", 30))
    assert.strictEqual(deadlineOf("GET", "/v1/uploads/upl_1", 30), 30)
  })
})
