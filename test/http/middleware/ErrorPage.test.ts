import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

/** What Chromium and Firefox ask for when a person goes to an address. */
const browser = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "x-request-id": "asked-by-a-person"
}

layer(Server.layer, { excludeTestServices: true })("an error that a person looks at", (it) => {
  it.effect("is a page with the status, headers, code and id of the JSON, and where to sign in", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const json = yield* send("GET", "/v1/jobs/job_none", { headers: { "x-request-id": "asked-by-a-person" } })
      const page = yield* send("GET", "/v1/jobs/job_none", { headers: browser })
      assert.strictEqual(page.status, 401)
      assert.strictEqual(page.headers["content-type"], "text/html; charset=utf-8")
      assert.strictEqual(page.headers["vary"], "accept, accept-encoding")
      for (const name of ["www-authenticate", "cache-control", "x-request-id", "x-frame-options"]) {
        assert.strictEqual(page.headers[name], json.headers[name], name)
      }
      assert.include(page.text, `<a href="../../app/#/jobs/job_none">`)
      const evidence = yield* send("GET", "/v1/jobs/job_none/evidence?reviewed=true", { headers: browser })
      assert.include(evidence.text, `<a href="../../../app/#/jobs/job_none">`)
      const list = yield* send("GET", "/v1/jobs", { headers: browser })
      assert.include(list.text, `<a href="../app/">`)
      assert.include(page.text, json.json.error.code)
      assert.include(page.text, "asked-by-a-person")
      assert.match(
        page.headers["content-security-policy"] ?? "",
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/u
      )
    }))

  it.effect("shows what was sent as text", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { status, text } = yield* send("GET", "/openapi.json?<script>alert(1)</script>=1", { headers: browser })
      assert.strictEqual(status, 400)
      assert.notInclude(text, "<script")
      assert.include(text, "&#60;script&#62;alert(1)&#60;/script&#62;")
      const unknown = yield* send("GET", "/nowhere", { headers: browser })
      assert.strictEqual(unknown.status, 404)
      assert.include(unknown.text, `<a href="./app/">`)
      assert.include(unknown.text, "ROUTE_NOT_FOUND")
    }))

  it.effect("is JSON for whoever asks for that, for anything, or for nothing", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      for (
        const accept of [
          "*/*",
          "application/json",
          "application/json, text/html",
          "text/html;q=0.5, application/json",
          "text/plain"
        ]
      ) {
        const { headers, json } = yield* send("GET", "/v1/jobs", { headers: { accept } })
        assert.strictEqual(headers["content-type"], "application/json", accept)
        assert.strictEqual(json.error.code, "UNAUTHENTICATED")
      }
      const posted = yield* send("POST", "/v1/jobs", { json: {}, headers: browser })
      assert.strictEqual(posted.json.error.code, "UNAUTHENTICATED")
      const token = yield* send("GET", "/oauth/token", { headers: browser })
      assert.strictEqual(token.status, 404)
    }))
})
