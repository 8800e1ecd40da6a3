import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** The status of a target as it is: a client that parses addresses would leave out what is behind `#`. */
const statusOf = (base_url: string, path: string, key: string) =>
  Effect.callback<number | undefined>((resume) => {
    const { hostname, port } = new URL(base_url)
    request({ hostname, port, path, agent: false, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode))
    }).end()
  })

layer(Server.layer, { excludeTestServices: true })("the target of a request", (it) => {
  it.effect.each(
    [
      ["GET", "/v1/jobs;schema_id=%00"],
      ["GET", "/v1/jobs;metadata[a]=x"],
      ["GET", "/v1/jobs;zz=1?limit=1"],
      ["GET", "/v1/jobs/;limit=1"],
      ["GET", "/v1/limits;foo=bar"],
      ["GET", "/healthz;x=1"],
      ["GET", "/openapi.json;x=1"],
      ["PUT", "/v1/jobs;x"]
    ] as const
  )("404: what is behind a semicolon is part of the path: %s %s", ([method, path]) =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { json, status } = yield* send(method, path, { key })
      assert.strictEqual(status, 404)
      assert.match(json.error.code, /^(ROUTE|JOB)_NOT_FOUND$/u)
    }))

  it.effect("404 where a fragment is sent, which no target has", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      assert.strictEqual(yield* statusOf(base_url, "/v1/jobs#limit=1", key), 404)
      assert.strictEqual(yield* statusOf(base_url, "/v1/jobs?limit=1", key), 200)
    }))

  it.effect("an id with a semicolon is unknown by the code of its kind", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { json } = yield* send("GET", "/v1/jobs/job_a;b", { key })
      assert.strictEqual(json.error.code, "JOB_NOT_FOUND")
    }))

  it.effect.each(
    [
      ["schema_id=%00", ["schema_id"]],
      ["limit=1&status=failed%00&metadata[a]=%00b", ["status", "metadata[a]"]],
      ["schema_id=%2500", undefined]
    ] as const
  )("400 names each parameter that holds a NUL: %s", ([query, named]) =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { json, status } = yield* send("GET", `/v1/jobs?${query}`, { key })
      assert.strictEqual(status, named === undefined ? 200 : 400)
      const details: ReadonlyArray<{ readonly path: string }> | undefined = json.error?.details
      assert.deepStrictEqual(details?.map(({ path }) => path), named as ReadonlyArray<string> | undefined)
    }))

  it.effect.each(
    [
      ["status=failed&status=x", "status", /, was "x"$/u],
      ["status=failed,x", "status", /, was "x"$/u],
      ["status=x", "status", /, was "x"$/u],
      ["sort=created_at&sort=finished_at", "sort", /^Is given more than once$/u],
      ["limit=1&limit=2", "limit", /^Is given more than once$/u],
      ["schema_id=a&schema_id=b", "schema_id", /^Is given more than once$/u],
      ["limit=1e1", "limit", /^Expected a number in digits/u],
      ["limit=%2B1", "limit", /^Expected a number in digits/u],
      ["limit=.5", "limit", /^Expected a number in digits/u],
      ["limit=ten", "limit", /^Expected a number, was "ten"$/u]
    ] as const
  )("400 tells which value of a parameter is wrong: %s", ([query, path, message]) =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { json, status } = yield* send("GET", `/v1/jobs?${query}`, { key })
      assert.strictEqual(status, 400)
      assert.lengthOf(json.error.details, 1)
      assert.strictEqual(json.error.details[0].path, path)
      assert.match(json.error.details[0].message, message)
    }))

  it.effect("the authorization server names the parameter of a query and the field of a form that hold a NUL", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const asked = yield* send("GET", "/oauth/authorize?client_id=a%00&scope=b")
      assert.include(asked.text, "client_id: Holds a NUL character")
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const sent = yield* send("POST", "/oauth/token", { body: "grant_type=refresh_token&refresh_token=%00", headers })
      assert.strictEqual(sent.status, 400)
      assert.include(sent.text, "refresh_token: Holds a NUL character")
    }))
})
