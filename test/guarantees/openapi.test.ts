import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { readFileSync } from "node:fs"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"

const document = JSON.parse(openApiDocument())
const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({ method, path, operation }))
)

describe("docs/openapi.json", () => {
  it("is what the code serves; `npm run docs` writes it", () => {
    const committed = readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")
    assert.strictEqual(committed, openApiDocument())
  })

  it("is a valid OpenAPI 3.1 document", async () => {
    const verdict = await new Validator().validate(structuredClone(document))
    assert.deepStrictEqual(verdict.errors ?? [], [])
    assert.isTrue(verdict.valid)
    assert.match(document.openapi, /^3\.1\./u)
  })

  it("gives every operation an id of its own, a summary and its errors", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { method, operation, path } of operations) {
      assert.isString(operation.summary, `${method} ${path}`)
      assert.property(operation.responses, "500", `${method} ${path}`)
    }
  })

  it("asks for a key or a session on every route below /v1 but for signing in, and on none beside it", () => {
    const either = [{ api_key: [] }, { session: [] }]
    for (const { method, operation, path } of operations) {
      const expected = path === "/v1/session"
        ? method === "post" ? [] : [{ session: [] }]
        : path.startsWith("/v1/")
        ? either
        : []
      assert.deepStrictEqual(operation.security, expected, `${method} ${path}`)
    }
    const { api_key, session } = document.components.securitySchemes
    assert.include(api_key, { type: "http", scheme: "bearer" })
    assert.include(session, { type: "apiKey", in: "cookie", name: "footnote_session" })
  })
})
