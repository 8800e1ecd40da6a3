import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const noBody = { path: "", message: "This route takes no body" }
const noField = (path: string) => ({ path, message: "Is not a field of this request" })

layer(Server.layer, { excludeTestServices: true })("the body of a request", (it) => {
  it.effect.each(
    [
      ["POST", "/v1/jobs/job_a/cancel"],
      ["POST", "/v1/jobs/job_a/retry"],
      ["POST", "/v1/jobs/job_a/preview"],
      ["POST", "/v1/destinations/dst_a/test"],
      ["POST", "/v1/deliveries/dlv_a/retry"],
      ["DELETE", "/v1/jobs/job_a"]
    ] as const
  )("is refused with each of its members where a route takes none: %s %s", ([method, path]) =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const refused: ReadonlyArray<readonly [body: string, details: ReadonlyArray<unknown>]> = [
        [`{"schema_id":"sch_a","non/sense":1}`, [noField("/schema_id"), noField("/non~1sense")]],
        ["{{{", [noBody]],
        ["[]", [noBody]],
        ["null", [{ path: "", message: "Expected an object" }]]
      ]
      for (const [body, details] of refused) {
        const { json, status } = yield* send(method, path, { key, body })
        assert.deepStrictEqual([status, json.error.code, json.error.details], [400, "INVALID_REQUEST", details], body)
      }
      const form = { "content-type": "application/x-www-form-urlencoded" }
      assert.deepStrictEqual((yield* send(method, path, { key, body: "a=b", headers: form })).json.error.details, [
        noBody
      ])
      for (const body of [undefined, "", " ", "{}"]) {
        assert.strictEqual((yield* send(method, path, { key, ...(body === undefined ? {} : { body }) })).status, 404)
      }
    }))

  it.effect.each([
    "/v1/destinations/dst_a/rotate-signing-secret",
    "/v1/destinations/dst_a/backfill",
    "/v1/settings/rotate-webhook-secret"
  ])("is no null where it may be left out: %s", (path) =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { json, status } = yield* send("POST", path, { key, body: " null\n" })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(json.error.details, [{ path: "", message: "Expected an object" }])
      assert.notStrictEqual((yield* send("POST", path, { key })).status, 400)
      assert.notStrictEqual((yield* send("POST", path, { key, body: "{}" })).status, 400)
    }))

  it.effect.each(
    [
      ["/v1/exports", { status: ["running"] }, "/status/0", /^Expected succeeded, /u],
      ["/v1/exports", { include: ["x"] }, "/include/0", /^Expected [a-z_]+( or|,) /u],
      ["/v1/jobs/job_a/media-links", { rendition: "x" }, "/rendition", /^Expected [a-z_]+( or|,) /u],
      [
        "/v1/jobs/job_a/reviews",
        { base_revision: 0, decisions: [{ pointer: "/a", action: "x" }] },
        "/decisions/0/action",
        /^Expected [a-z_]+( or|,) /u
      ],
      ["/v1/destinations/dst_a/rotate-signing-secret", 5, "", /^Expected an object/u]
    ] as const
  )(
    "that is none of a few values is told them, by no name of ours: %s %s",
    ([path, body, at, message]) =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const { json, status } = yield* send("POST", path, { key, json: body })
        assert.strictEqual(status, 400)
        const details: ReadonlyArray<{ readonly path: string; readonly message: string }> = json.error.details
        const detail = details.find((one) => one.path === at)
        assert.match(detail?.message ?? JSON.stringify(details), message)
        for (const one of details) assert.notMatch(one.message, /Expected .*\b[A-Z][a-z]+[A-Z]/u)
      })
  )
})
