import { describe, expect, it } from "vitest"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { asks } from "../../../../workers/extraction/text/Sentences.ts"

const templates = (schema: unknown) => {
  const { leaves, lists, maps } = planOf(schema)
  return {
    leaves: leaves.map(({ template, type }) => [template, type]),
    lists: lists.map(({ leaves, template }) => [template, Array.from(leaves.keys())]),
    maps: maps.map(({ template }) => template)
  }
}

describe("planOf", () => {
  it("lists leaves, lists and maps by pointer, in the order of the schema", () => {
    const schema = {
      type: "object",
      properties: {
        title: { type: ["string", "null"] },
        place: { type: "object", properties: { city: { type: "string" }, "a/b": { type: "integer" } } },
        tags: { type: "array", items: { type: "string" } },
        tasks: {
          type: "array",
          items: { type: "object", properties: { who: { type: "string" }, when: { $ref: "#/$defs/day" } } }
        },
        facts: { type: "object", additionalProperties: { type: "number" } },
        kind: { enum: ["a", "b"] }
      },
      $defs: { day: { type: "string", format: "date" } }
    }
    expect(templates(schema)).toEqual({
      leaves: [["/title", "string"], ["/place/city", "string"], ["/place/a~1b", "integer"], ["/kind", "enum"]],
      lists: [["/tags", [""]], ["/tasks", ["who", "when"]]],
      maps: ["/facts/{}"]
    })
  })

  it("follows references, merges allOf and looks for what any alternative may hold", () => {
    const schema = {
      allOf: [{ $ref: "#/definitions/base" }, {
        properties: { price: { anyOf: [{ type: "null" }, { type: "number" }] } }
      }],
      oneOf: [{ properties: { left: { type: "string" } } }, { properties: { right: { type: "boolean" } } }],
      definitions: { base: { type: "object", properties: { name: { type: "string" } } } }
    }
    expect(templates(schema).leaves.toSorted()).toEqual([
      ["/left", "string"],
      ["/name", "string"],
      ["/price", "number"],
      ["/right", "boolean"]
    ])
  })

  it("plans an object inside itself once, however many branches it has", () => {
    const branches = Object.fromEntries("abcdefgh".split("").map((key) => [key, { $ref: "#/$defs/node" }]))
    const node = { type: "object", properties: { name: { type: "string" }, ...branches } }
    expect(templates({ $ref: "#/$defs/node", $defs: { node } }).leaves).toEqual([["/name", "string"]])
    expect(templates({ $ref: "#" })).toEqual({ leaves: [], lists: [], maps: [] })
  })

  it("asks for nothing where the schema says nothing", () => {
    for (const schema of [{}, true, false, { type: "null" }, { type: "object" }]) {
      expect(templates(schema)).toEqual({ leaves: [], lists: [], maps: [] })
    }
  })

  it("plans properties by any name", () => {
    const schema = JSON.parse(
      "{\"type\":\"object\",\"properties\":{\"__proto__\":{\"type\":\"string\"},\"constructor\":{\"type\":\"string\"}}}"
    )
    expect(templates(schema).leaves.map(([template]) => template)).toEqual(["/__proto__", "/constructor"])
  })

  it.each([
    ["start_date", { type: "string" }, "date"],
    ["contactEmail", { type: "string" }, "email"],
    ["price", { type: "number" }, "money"],
    ["website", { type: "string", format: "uri" }, "url"],
    ["artist", { type: "string" }, "name"]
  ])("expects of %s %j a %s", (name, schema, kind) => {
    const [leaf] = planOf({ type: "object", properties: { [name]: schema } }).leaves
    expect(Array.from(leaf!.kinds.keys())).toContain(kind)
  })

  it("expects no number of who is described by those that do not count", () => {
    const description = "Name of the adviser. Colleagues who are merely mentioned do not count."
    const [leaf] = planOf({ type: "object", properties: { adviser_name: { type: "string", description } } }).leaves
    expect(leaf!.kinds.get("name")).toBe(1)
    expect(leaf!.kinds.has("number")).toBe(false)
  })
})

describe("asks", () => {
  it.each([
    "What does it cost?",
    "what does the scanner do",
    "How much does it cost.",
    "so is it free",
    "Why do we say that."
  ])(
    "hears a question in %j",
    (text) => {
      expect(asks(text)).toBe(true)
    }
  )

  it.each(["what we want is a rest", "When you start the app it beeps.", "That is a good question.", "how nice"])(
    "hears none in %j",
    (text) => {
      expect(asks(text)).toBe(false)
    }
  )
})
