import assert from "node:assert"
import { describe, it } from "vitest"
import { TooManyScopes } from "../../../src/schemas/json-schema/DynamicScopes.ts"
import { normaliseDialect } from "../../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { hostileSchemas } from "../hostileSchemas.ts"

const list = {
  $id: "list",
  items: { $dynamicRef: "#entry" },
  $defs: { any: { $dynamicAnchor: "entry" } }
}

const of = (type: string) => ({ $id: type, $ref: "list", $defs: { entry: { $dynamicAnchor: "entry", type } } })
const entry = (name: string) => ({ items: { $ref: `#/$defs/${name}/$defs/entry` } })

describe("withoutDynamicScopes", () => {
  it("copies nothing where one set of resources leads to a dynamic reference", () => {
    assert.deepStrictEqual(
      normaliseDialect({ $dynamicAnchor: "node", properties: { kid: { $dynamicRef: "#node" } } }),
      {
        properties: { kid: { $ref: "#" } }
      }
    )
  })

  it("copies a generic part once for each set of resources that leads to it, however often that is", () => {
    const copy = normaliseDialect({
      properties: { a: { $ref: "string" }, b: { $ref: "string" }, c: { $ref: "number" }, d: { $ref: "list" } },
      $defs: { list, string: of("string"), number: of("number") }
    })
    assert.deepStrictEqual(copy, {
      properties: {
        a: { $ref: "#/$defs/string" },
        b: { $ref: "#/$defs/string" },
        c: { $ref: "#/$defs/number" },
        d: { $ref: "#/$defs/list" }
      },
      $defs: {
        list: { items: { $ref: "#/$defs/list/$defs/any" }, $defs: { any: {} } },
        string: { $ref: "#/$defs/x-footnote-scope-1", $defs: { entry: { type: "string" } } },
        number: { $ref: "#/$defs/x-footnote-scope-2", $defs: { entry: { type: "number" } } },
        "x-footnote-scope-1": entry("string"),
        "x-footnote-scope-2": entry("number")
      }
    })
  })

  it("keeps a dynamic reference beside a plain one", () => {
    assert.deepStrictEqual(
      normaliseDialect({ $ref: "#/$defs/a", $dynamicRef: "#b", $defs: { a: {}, b: { $anchor: "b" } } }),
      {
        $ref: "#/$defs/a",
        $defs: { a: {}, b: {} },
        allOf: [{ $ref: "#/$defs/b" }]
      }
    )
  })

  it("throws instead of copying without measure", () => {
    assert.throws(() => normaliseDialect(hostileSchemas["a bomb of dynamic scopes"]!.schema as never), TooManyScopes)
  })
})
