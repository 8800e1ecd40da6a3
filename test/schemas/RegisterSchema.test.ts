import assert from "node:assert"
import { describe, it } from "vitest"
import { checkSchema } from "../../src/schemas/RegisterSchema.ts"
import { defaultTemplate, findTemplate, templates } from "../../src/schemas/Templates.ts"
import { hostileSchemas } from "./hostileSchemas.ts"
import { realisticSchemas } from "./realisticSchemas.ts"

describe("checkSchema", () => {
  for (const [what, { reason, schema }] of Object.entries(hostileSchemas)) {
    it(reason === null ? `accepts ${what}` : `refuses ${what} as ${reason}`, () => {
      const checked = checkSchema(schema)
      assert.strictEqual(checked.ok ? null : checked.problems[0]!.reason, reason)
      if (!checked.ok) {
        assert(checked.problems.length <= 10 && checked.problems.every(({ message }) => message.length > 5))
      }
    })
  }

  it("accepts schemas as people write them", () => {
    for (const [name, schema] of Object.entries(realisticSchemas)) assert(checkSchema(schema).ok, name)
  })

  it("accepts each draft by either scheme of its name, with the fragment or without, and holds the schema to it", () => {
    const names = ["draft-04", "draft-06", "draft-07", "draft/2019-09", "draft/2020-12"].flatMap((draft) =>
      ["http", "https"].flatMap((scheme) => ["", "#"].map((end) => `${scheme}://json-schema.org/${draft}/schema${end}`))
    )
    for (const $schema of names) {
      assert.deepStrictEqual(checkSchema({ $schema, properties: { a: { type: "string" } } }).ok, true, $schema)
      const wrong = checkSchema({ $schema, properties: { a: { type: "text" } } })
      assert.deepStrictEqual(wrong.ok ? [] : wrong.problems.map(({ path }) => path), ["/properties/a/type"], $schema)
    }
  })

  it("accepts keywords that no draft after 4 knows, which say nothing", () => {
    const schema = {
      id: "http://example.com/person",
      $async: true,
      type: "object",
      required: ["id", "born"],
      properties: {
        id: { id: 5, type: "string" },
        born: { type: "string", format: "date", formatMinimum: "1900-01-01", nullable: true }
      }
    }
    for (const $schema of ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]) {
      assert(checkSchema({ $schema, ...schema }).ok, $schema)
    }
  })

  it("warns of placeholders to come and of fields that nothing describes", () => {
    const checked = checkSchema({
      type: "object",
      required: ["name", "date", "list"],
      properties: {
        name: { type: "string", description: "Who" },
        date: { type: ["string", "null"] },
        list: { type: "array", items: { type: "object", required: ["a1"], properties: { a1: { type: "string" } } } }
      }
    })
    assert(checked.ok)
    assert.deepStrictEqual(checked.warnings.map(({ path }) => path), ["/name", "/list/*/a1"])
  })
})

describe("templates", () => {
  it("have stable ids, can be registered, and need no placeholder where nothing is found", () => {
    assert.deepStrictEqual(
      templates.map(({ id }) => id).filter((id) => /^sch_template_[a-z_]+$/u.test(id)).length,
      templates.length
    )
    for (const template of templates) {
      assert.strictEqual(template.id, `sch_template_${template.name.replaceAll("-", "_")}`)
      assert.deepStrictEqual(checkSchema(template.json_schema), { ok: true, warnings: [] })
      assert.strictEqual(findTemplate(template.name), template)
      assert.strictEqual(findTemplate(template.id), template)
    }
    for (const name of ["default", "lecture-notes", "meeting-minutes", "product-demo"]) assert(findTemplate(name), name)
    assert.strictEqual(defaultTemplate.id, "sch_template_default")
    assert.strictEqual(findTemplate("nothing"), undefined)
  })

  it("describe every field and say where its evidence is", () => {
    const visit = (name: string, schema: any): void => {
      assert(schema.description?.length > 10, name)
      const below = Object.entries({
        ...schema.properties,
        ...(schema.items === undefined ? {} : { "*": schema.items })
      })
      if (below.length === 0) assert.match(schema["x-footnote-evidence"], /^(?:speech|screen|both|computed)$/u, name)
      for (const [key, sub] of below) visit(`${name}/${key}`, sub)
    }
    for (const template of templates) visit(template.name, template.json_schema)
  })
})
