import assert from "node:assert"
import { RE2JS } from "re2js"
import { describe, it, vi } from "vitest"
import { suiteDrafts } from "../../../bench/schemas/TestSuite.ts"
import { PatternUnsupported } from "../../../src/schemas/json-schema/EcmaPattern.ts"
import { lintSchema } from "../../../src/schemas/json-schema/JsonSchemaLint.ts"
import { linearPattern } from "../../../src/schemas/json-schema/LinearPattern.ts"
import { templates } from "../../../src/schemas/Templates.ts"
import { hostileSchemas } from "../hostileSchemas.ts"
import { realisticSchemas } from "../realisticSchemas.ts"
import { suiteGroups, suiteIsThere } from "../schemaTestSuite.ts"

/** What only the meta-schema or the trial fill can see. */
const later = new Set(["not_json_schema", "unsatisfiable"])

/** A schema may have few of these. */
const dear = (at: number) => ({ type: "string", pattern: `^(\\p{L}\\p{M}\\p{N}\\P{C}){1,140}${at}$` })

describe("lintSchema", () => {
  it("compiles none of the patterns of a schema that takes too many steps, in whatever order they stand", () => {
    const compile = vi.spyOn(RE2JS, "compile")
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, dear(at)]))
    const [problem] = lintSchema({ type: "object", properties })
    const compiled = compile.mock.calls.length
    assert.deepStrictEqual(lintSchema({ type: "object", properties: { p0: dear(0) } }), [])
    assert.deepStrictEqual([problem?.reason, compiled, compile.mock.calls.length], ["too_complex", 0, 1])
    compile.mockRestore()
  })

  for (const [what, { reason, schema }] of Object.entries(hostileSchemas)) {
    if (reason !== null && later.has(reason) && typeof schema !== "string") continue
    it(reason === null ? `lets pass ${what}` : `refuses ${what} as ${reason}`, () => {
      assert.deepStrictEqual(
        lintSchema(schema).slice(0, 1).map((problem) => problem.reason),
        reason === null ? [] : [reason]
      )
    })
  }

  it("accepts the shipped templates and schemas as people write them", () => {
    for (const schema of [...templates.map((template) => template.json_schema), ...Object.values(realisticSchemas)]) {
      assert.deepStrictEqual(lintSchema(schema), [])
    }
  })

  it("names the place of each problem by a pointer into the schema", () => {
    const schema = {
      properties: { "a/b": { pattern: "(" }, c: { items: [{ $ref: "other.json" }] } },
      $schema: undefined
    }
    assert.deepStrictEqual(
      lintSchema({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" }).map((p) => p.path),
      [
        "/properties/c/items/0/$ref",
        "/properties/a~1b/pattern"
      ]
    )
  })

  it("takes keywords for keywords only where a schema stands", () => {
    const schema = {
      properties: { pattern: { type: "string" }, $ref: { type: "string" }, enum: { type: "array" } },
      enum: [{ $ref: "http://example.com", pattern: "(" }],
      default: { $ref: "http://example.com" },
      examples: [{ pattern: "(" }]
    }
    assert.deepStrictEqual(lintSchema(schema), [])
  })

  it("resolves references by pointer, anchor and id inside the document", () => {
    assert.deepStrictEqual(
      lintSchema({
        $id: "https://example.com/root.json",
        $defs: {
          "a b": { type: "string" },
          anchored: { $anchor: "here", type: "string" },
          resource: { $id: "part.json", $defs: { x: { type: "integer" } } }
        },
        anyOf: [
          { $ref: "#/$defs/a%20b" },
          { $ref: "#here" },
          { $ref: "part.json#/$defs/x" },
          { $ref: "https://example.com/part.json" }
        ]
      }),
      []
    )
  })

  it("runs a catastrophic pattern in linear time", () => {
    assert.strictEqual(linearPattern("^(a+)+$").test(`${"a".repeat(20_000)}!`), false)
  })

  it("reads ECMA-262's names of characters and refuses what only RE2 knows", () => {
    assert(linearPattern("^\\u0041\\p{Letter}\\p{Script=Greek}$").test("Aßλ"))
    assert.throws(() => linearPattern("(?i)abc(?P<x>y)"), PatternUnsupported)
    assert.throws(() => linearPattern("(?<x>a)\\k<x>"), PatternUnsupported)
  })

  it.skipIf(!suiteIsThere)("never throws on the JSON Schema test suite and refuses only what leads outside it", () => {
    for (const draft of Object.keys(suiteDrafts)) {
      const refused = suiteGroups(draft).flatMap(({ file, schema }) =>
        lintSchema(schema).map(({ reason }) => ({ file, reason }))
      )
      for (const { file, reason } of refused) {
        assert(["external_ref", "dynamic_ref", "unsupported_dialect"].includes(reason), `${draft}/${file}: ${reason}`)
      }
    }
  })
})
