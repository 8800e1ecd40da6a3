import { describe, expect, it } from "vitest"
import { isObject, type JsonSchema, subschemas } from "../../src/schemas/json-schema/JsonSchema.ts"
import { resultValidator } from "../../src/schemas/json-schema/ResultValidator.ts"
import { checkSchema } from "../../src/schemas/RegisterSchema.ts"
import { templates } from "../../src/schemas/Templates.ts"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import { footage } from "../workers/extraction/Footage.ts"
import { expectSound } from "../workers/extraction/Soundness.ts"
import { exampleOf, extractTemplate, footageOf, type TemplateExample } from "./templates/TemplateExample.ts"

const examples = templates.flatMap((template) => exampleOf(template) ?? [])

/** The text of one segment or of the lines of one frame. */
const textOf = (example: TemplateExample, ref: string): string => {
  const { transcript, vision } = footageOf(example)
  const lines = vision.frames.find(({ source_ref }) => source_ref === ref)?.text.map(({ text }) => text).join(" ")
  return transcript.segments.find(({ id }) => id === ref)?.text ?? lines ?? ""
}

const isAt = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`)

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer.split("/").slice(1).reduce((at: any, key) => at?.[key], value)

/** The fields of a schema that do not say what they are, or that may be null and do not say when. */
const undescribed = (schema: JsonSchema, path = ""): ReadonlyArray<string> => {
  if (!isObject(schema)) return []
  const description = typeof schema.description === "string" ? schema.description : ""
  const told = /^\p{Lu}.{10,}\.$/u.test(description)
  const optional = Array.isArray(schema.type) && schema.type.includes("null") &&
    schema["x-footnote-evidence"] !== "computed"
  const conditional = !optional || /\bonly (?:if|when|where)\b|\bnull (?:if|when|where)\b/iu.test(description)
  return [
    ...(told && conditional ? [] : [path]),
    ...Array.from(subschemas(schema)).flatMap((below) => undescribed(below.schema, `${path}/${below.key ?? "*"}`))
  ]
}

describe("templates", () => {
  for (const { description, id, json_schema, name, version } of templates) {
    it(`${name}: its id follows from its name, its schema is registered without a warning, every field says what it is and when it is null`, () => {
      expect(id).toBe(`sch_template_${name.replaceAll("-", "_")}`)
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/u)
      expect(description).toMatch(/^\p{Lu}.{20,}\.$/u)
      expect(version).toBeGreaterThanOrEqual(1)
      expect(checkSchema(json_schema)).toEqual({ ok: true, warnings: [] })
      expect(undescribed(json_schema as JsonSchema)).toEqual([])
    })

    it(`${name}: nothing is filled where nothing is said or shown`, () => {
      const { evidence } = extractTemplate({ description, id, json_schema, name, version }, footage([]))
      expect(evidence.spans).toEqual([])
    })
  }
})

describe("template examples", () => {
  it("there is one for every template", () => {
    expect(examples.map(({ template }) => template.name)).toEqual(templates.map(({ name }) => name))
  })

  for (const example of examples) {
    const { golden, template } = example
    const { name } = template

    it(`${name}: gives what is true of its example, each leaf with the words or the line that it comes from`, () => {
      const film = footageOf(example)
      const out = extractTemplate(template, film)
      expect(out.result).toEqual(golden.result)
      const cited = new Map(out.evidence.spans.map((span) => [span.pointer, span]))
      expect(Array.from(cited.keys()).toSorted()).toEqual(Object.keys(golden.evidence).toSorted())
      for (const [pointer, [ref, words]] of Object.entries(golden.evidence)) {
        expect(cited.get(pointer)!.source_ref, pointer).toBe(ref)
        expect(cited.get(pointer)!.quote, pointer).toContain(words)
      }
      expect(resultValidator(template.json_schema as JsonSchema)(out.result)).toBeUndefined()
      expectSound(out, film, template.json_schema)
      const filled = Array.from(leavesOf(out.result)).filter(({ value }) => value !== null)
      expect(filled.map(({ pointer }) => pointer).toSorted()).toEqual(Object.keys(golden.evidence).toSorted())
    })

    it(`${name}: the same bytes for the same example`, () => {
      const [first, second] = [1, 2].map(() => JSON.stringify(extractTemplate(template, footageOf(example))))
      expect(second).toBe(first)
    })

    it(`${name}: takes nothing that is said in another sense, and its golden file names what is still missed`, () => {
      const { evidence, result } = extractTemplate(template, footageOf(example))
      for (const { cited: [ref, quote], pointer } of golden.traps) {
        expect(textOf(example, ref)).toContain(quote)
        const taken = evidence.spans.filter((span) =>
          isAt(span.pointer, pointer) && span.source_ref === ref &&
          (span.quote.includes(quote) || quote.includes(span.quote))
        )
        expect(taken, pointer).toEqual([])
      }
      for (const { cited: [ref, quote], pointer, value } of golden.missed) {
        expect(textOf(example, ref)).toContain(quote)
        const list = /^(.*)\/-$/u.exec(pointer)?.[1]
        if (list === undefined) expect(evidence.spans.map((span) => span.pointer)).not.toContain(pointer)
        else expect(valueAt(result, list) ?? []).not.toContainEqual(value)
      }
      expect(golden.traps.length).toBeGreaterThan(0)
    })

    it(`${name}: fills from the examples of other templates only what any video may have`, () => {
      const general = Object.keys(golden.general)
      for (const other of examples.filter((one) => one !== example)) {
        const { evidence } = extractTemplate(template, footageOf(other))
        const odd = evidence.spans.filter(({ pointer }) =>
          !general.includes(pointer.replaceAll(/\/\d+(?=\/|$)/gu, "/*"))
        )
        expect(odd.map(({ pointer, quote }) => `${pointer}: ${quote}`), other.template.name).toEqual([])
      }
    })
  }
})
