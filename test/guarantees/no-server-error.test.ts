import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { ErrorCatalog } from "../../src/errors/ErrorCatalog.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** Text that has broken services before, beside any other. */
const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\0", "\ud800", "__proto__", "constructor", "-0", "1e999", "'; --", "../..", "%00", "🎬".repeat(200))
)
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    nasty,
    fc.constantFrom(null, true, 0, -1, 1e308, [], {}),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(nasty, tie("value"), { maxKeys: 4 })
  )
})).value

/** Known members with any values, and any members with any values. */
const bodyWith = (...known: ReadonlyArray<string>) =>
  fc.oneof(json, fc.dictionary(fc.oneof(fc.constantFrom(...known), nasty), json, { maxKeys: 5 }))

const bodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "/v1/jobs": bodyWith(
    "source_uri",
    "schema_id",
    "schema_inline",
    "webhook_url",
    "hints",
    "metadata",
    "destination_ids"
  ),
  "/v1/schemas": fc.oneof(
    { weight: 5, arbitrary: bodyWith("name", "json_schema", "description") },
    { weight: 1, arbitrary: fc.record({ name: fc.constant("n"), json_schema: json }) }
  ),
  "/v1/api-keys": bodyWith("name", "scopes")
}
const routes = ["/v1/jobs", "/v1/schemas", "/v1/api-keys", "/v1/jobs/{}", "/v1/jobs/{}/graph", "/v1/uploads/{}"]

const check = (answer: Server.Answer, what: string) => {
  assert.isBelow(answer.status, 500, `${what}: ${answer.text}`)
  if (answer.status < 400) return
  const { code } = answer.json.error as { code: keyof typeof ErrorCatalog }
  assert.strictEqual(ErrorCatalog[code].status, answer.status, what)
}

layer(Server.layer, { excludeTestServices: true })("no request causes a server error", (it) => {
  for (const [path, body] of Object.entries(bodies)) {
    it.effect(`POST ${path} with any JSON`, () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        for (const value of fc.sample(body, 200)) {
          check(yield* send("POST", path, { key, json: value }), JSON.stringify(value))
        }
      }))
  }

  it.effect("POST with any text, whatever it calls itself", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const types = [
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        "application/x-www-form-urlencoded"
      ]
      const texts = fc.tuple(fc.constantFrom(...Object.keys(bodies)), nasty, fc.constantFrom(...types))
      for (const [path, body, type] of fc.sample(texts, 200)) {
        check(yield* send("POST", path, { key, body, headers: { "content-type": type } }), JSON.stringify([path, body]))
      }
    }))

  it.effect("GET with any id and any query", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const names = ["limit", "cursor", "status", "wait", "view", "metadata[a]", "created_after"]
      const requests = fc.tuple(
        fc.constantFrom(...routes),
        fc.string({ unit: "grapheme" }),
        fc.constantFrom(...names),
        fc.string({ unit: "grapheme" })
      )
      for (const [route, id, name, value] of fc.sample(requests, 300)) {
        const path = `${route.replace("{}", encodeURIComponent(id))}?${encodeURIComponent(name)}=${
          encodeURIComponent(value)
        }`
        check(yield* send("GET", path, { key }), path)
      }
    }))
})
