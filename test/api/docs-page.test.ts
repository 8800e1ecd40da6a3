import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"
import { markdownHtml } from "../../src/http/docs/Markdown.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const filesOf = (html: string) => [...html.matchAll(/(?:href|src)="(docs\/[^"]+)"/gu)].map(([, path]) => `/${path}`)

layer(Server.layer, { excludeTestServices: true })("GET /docs", (it) => {
  it.effect("200 with a guide, then every operation with a form to try it, then every object", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { text } = yield* send("GET", "/docs")
      const { components, paths } = JSON.parse(openApiDocument())
      const places = ["Authentication", "Errors", "Idempotency", "Pagination", "Webhooks", "Evidence"]
        .map((title) => text.indexOf(`<h2 id="${title.toLowerCase()}">`))
      const ids = Object.values<any>(paths).flatMap((methods) => Object.values<any>(methods).map((o) => o.operationId))
      for (const place of places) assert.isTrue(place > 0 && place < text.indexOf(`id="createJob"`))
      for (const id of ids) assert.include(text, `<section class="operation" id="${id}">`)
      assert.strictEqual(text.split(`<details class="try">`).length - 1, ids.length)
      for (const [, name] of text.matchAll(/href="#object-(\w+)"/gu)) assert.property(components.schemas, name!)
      for (const [, id] of text.matchAll(/href="#([^"]+)"/gu)) assert.include(text, ` id="${id}"`)
      assert.include(text, "Authorization: Bearer <code>&#60;key&#62;</code>")
    }))

  it.effect("leads to no other address, and asks for a bearer key", () =>
    Effect.gen(function*() {
      const { base_url, send } = yield* TestServer
      const { text } = yield* send("GET", "/docs")
      assert.notMatch(text, /(?:href|src|action)="https?:/u)
      assert.include(text, `${base_url}/v1/jobs`)
      assert.include(text, "Authorization: Bearer $FOOTNOTE_API_KEY")
      assert.notMatch(text, /Basic|<style|<script>| style=| on[a-z]+=/u)
    }))

  it.effect("304 for whoever has it, under the same policy, or the browser would show it without its files", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { headers } = yield* send("GET", "/docs")
      const policy = headers["content-security-policy"]!
      for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"]) assert.include(policy, part)
      assert.notInclude(policy, "unsafe")
      const again = yield* send("GET", "/docs", { headers: { "if-none-match": headers["etag"]! } })
      assert.strictEqual(again.status, 304)
      assert.strictEqual(again.headers["content-security-policy"], policy)
    }))

  it.effect("its files are kept for ever under names that change with them, and an icon is there", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const files = filesOf((yield* send("GET", "/docs")).text)
      assert.lengthOf(files, 2)
      for (const path of files) {
        const { headers, status } = yield* send("GET", path)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable")
        assert.match(headers["content-type"] ?? "", /^text\/(css|javascript); charset=utf-8$/u)
      }
      const icon = yield* send("GET", "/favicon.ico")
      assert.deepInclude(icon, { status: 200 })
      assert.strictEqual(icon.headers["content-type"], "image/svg+xml")
    }))
})

layer(Server.layer, { excludeTestServices: true })("GET /", (it) => {
  it.effect("leads a browser to the application, which may run and load what this service serves and nothing in line", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { headers, status, text } = yield* send("GET", "/", { headers: { accept: "text/html,*/*;q=0.8" } })
      assert.strictEqual(status, 200)
      assert.match(
        headers["content-security-policy"] ?? "",
        /^default-src 'none'; script-src 'self'; style-src 'self'/u
      )
      assert.notMatch(headers["content-security-policy"] ?? "", /unsafe|https?:|\*/u)
      const assets = [...text.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/gu)].map(([, path]) => path)
      assert.isAtLeast(assets.length, 2)
      for (const path of assets) {
        const asset = yield* send("GET", `/app/${path}`)
        assert.strictEqual(asset.status, 200)
        assert.strictEqual(asset.headers["cache-control"], "public, max-age=31536000, immutable")
      }
    }))

  it.effect("200 in JSON for a program", () =>
    Effect.gen(function*() {
      const { base_url, send } = yield* TestServer
      const { headers, json } = yield* send("GET", "/", { headers: { accept: "application/json" } })
      assert.deepStrictEqual(json, {
        name: "Footnote",
        app: `${base_url}/app/`,
        docs: `${base_url}/docs`,
        openapi: `${base_url}/openapi.json`,
        tools: `${base_url}/mcp`
      })
      assert.match(headers["vary"] ?? "", /\baccept\b/u)
    }))
})

describe("the API's texts as HTML", () => {
  it("show every sign as it is, in code and out of it", () => {
    assert.strictEqual(
      markdownHtml("a < b `<key>` **c** [d](https://e.example) [f](javascript:alert)"),
      `<p>a &#60; b <code>&#60;key&#62;</code> <strong>c</strong> [d](https://e.example) [f](javascript:alert)</p>`
    )
  })

  it("have headings, lists and code with empty lines", () => {
    assert.strictEqual(
      markdownHtml("## A b\n\n1. c\n2. d\n\n```json\n{\n\n}\n```\n\n- e\n- f"),
      `<h2 id="a-b">A b</h2>\n<ol><li>c</li><li>d</li></ol>\n<pre><code>{\n\n}</code></pre>\n<ul><li>e</li><li>f</li></ul>`
    )
  })
})
