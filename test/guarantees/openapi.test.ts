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

  it("asks for a key on every route below /v1 and on none beside it", () => {
    for (const { method, operation, path } of operations) {
      assert.strictEqual(operation.security.length > 0, path.startsWith("/v1/"), `${method} ${path}`)
    }
  })
})
