import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = JSON.parse(openApiDocument()).paths
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method,
    path,
    takesJson: operation.requestBody?.content["application/json"] !== undefined,
    takesKey: (operation.parameters ?? []).some((one) => one.in === "header" && one.name === "idempotency-key")
  }))
)
const posts = operations.filter(({ method }) => method === "post")

/** Bodies that pass for each route that looks at its body before it looks for the key. */
const bodies: Readonly<Record<string, unknown>> = {
  "/v1/jobs": { source_uri: "https://example.com/a.mp4" },
  "/v1/jobs/batch": { jobs: [{ source_uri: "https://example.com/a.mp4" }] },
  "/v1/jobs/{id}/deliveries": { destination_id: "dst_none" },
  "/v1/jobs/{id}/reviews": { base_revision: 0, decisions: [{ pointer: "", action: "accept" }] },
  "/v1/schemas": { name: "s", json_schema: { type: "object" } },
  "/v1/schemas/infer": { examples: [{}] },
  "/v1/schemas/{id}/versions": { json_schema: { type: "object" } },
  "/v1/schemas/{id}/test": { job_id: "job_none" },
  "/v1/api-keys": { name: "k" },
  "/v1/destinations": { name: "w", type: "webhook", config: { url: "https://example.com/hook" } },
  "/v1/destinations/{id}/recover": { since: "2026-11-20T09:30:00Z" },
  "/v1/jobs/estimate": { duration_seconds: 1 },
  "/v1/session": { api_key: "fnk_none" }
}

layer(Server.layer, { excludeTestServices: true })("Idempotency-Key", (it) => {
  it.effect("has effect at every POST that the API document names it at, and is refused by its name at every other", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      assert.isAbove(posts.length, 20)
      for (const { path, takesJson, takesKey } of posts) {
        // A key that is none: whoever looks at it at all has to refuse it.
        const headers = { "idempotency-key": "x".repeat(256), ...(takesJson ? {} : { "content-type": "video/mp4" }) }
        const call = takesJson ? { json: bodies[path] ?? {} } : { body: path === "/v1/uploads" ? "file" : "" }
        const answer = yield* send("POST", path.replaceAll(/\{\w+\}/gu, "x"), { key, headers, ...call })
        assert.strictEqual(answer.status, 400, `${path}: ${answer.text}`)
        const { code, details } = answer.json.error
        if (takesKey) assert.strictEqual(code, "IDEMPOTENCY_KEY_INVALID", path)
        else {
          assert.strictEqual(code, "INVALID_REQUEST", path)
          assert.deepStrictEqual(details.map((detail: { path: string }) => detail.path), ["idempotency-key"], path)
        }
      }
    }))

  it.effect("is taken by all of them but signing in, and named at no other method", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(posts.filter(({ takesKey }) => !takesKey).map(({ path }) => path), ["/v1/session"])
      assert.deepStrictEqual(operations.filter(({ method, takesKey }) => takesKey && method !== "post"), [])
    }))
})
