import { assert, it } from "@effect/vitest"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"

const inUnits = "effect/schema/isMaxLength"

/** The texts in a description whose length is counted in UTF-16 units. */
const countedInUnits = (root: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  const seen = new Set<unknown>()
  const waiting = [root]
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    if (typeof node !== "object" || node === null || seen.has(node)) continue
    seen.add(node)
    const { _tag, checks = [] } = node as { readonly _tag?: string; readonly checks?: ReadonlyArray<any> | undefined }
    if (_tag === "String" && checks.some(({ annotations }) => annotations?.representation?.id === inUnits)) {
      found.push(node)
    }
    waiting.push(...(node instanceof Map || node instanceof Set ? node.values() : Object.values(node)))
  }
  return found
}

it("no text of the contract is longest by UTF-16 units: JSON Schema counts characters", () => {
  const asked: Array<string> = []
  HttpApi.reflect(Api as unknown as HttpApi.Top, {
    onGroup() {},
    onEndpoint({ endpoint }) {
      const { headers, params, payload, query } = endpoint
      const schemas = [...payload.values()].flatMap((one: any) => one.schemas ?? [one])
      const roots = [headers, params, query, ...schemas].map((schema: any) => schema?.ast)
      const texts = countedInUnits(roots)
      if (texts.length > 0) asked.push(`${endpoint.method} ${endpoint.path}: ${texts.length}`)
    }
  })
  assert.deepStrictEqual(asked, [])
})
