import { assert, describe, it } from "@effect/vitest"
import { checkSchema } from "../../../src/schemas/RegisterSchema.ts"

const required = (schema: object) => ({ type: "object", required: ["v"], properties: { v: schema } })

/** As people write them; each has values enough. */
const satisfiable = [
  { type: "string", pattern: "^\\p{Lu}\\p{L}+( \\p{Lu}\\p{L}+)*$" },
  { type: "string", pattern: "^\\p{Lu}{3}$" },
  { type: "string", pattern: "^\\p{Script=Greek}+$" },
  { type: "string", pattern: "^\\P{L}+$" },
  { type: "string", pattern: "^[^\\w\\s]{3}$" },
  { type: "string", format: "date", pattern: "^20" },
  { type: "string", format: "email", pattern: "@example\\.com$" },
  { type: "array", minItems: 20, uniqueItems: true, items: { type: "string", format: "date" } },
  { type: "array", minItems: 3, uniqueItems: true, items: required({ enum: ["x", "y", "z"] }) },
  { type: "array", minItems: 1500, items: { type: "integer" } },
  { type: "array", uniqueItems: true, contains: { type: "string" }, minContains: 2 }
]

describe("a value for a schema", () => {
  for (const schema of satisfiable) {
    it(`is found for ${JSON.stringify(schema)}`, () => {
      const checked = checkSchema(required(schema))
      assert.deepStrictEqual(checked.ok ? [] : checked.problems, [])
    })
  }

  it("is not found where there is none", () => {
    const none = [
      { type: "array", minItems: 4, uniqueItems: true, items: { enum: ["x", "y", "z"] } },
      { type: "string", pattern: "^[^\\s\\S]$" }
    ]
    for (const schema of none) assert.isFalse(checkSchema(required(schema)).ok)
  })
})
