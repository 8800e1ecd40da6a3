import { describe, expect, it } from "vitest"
import { givenBySchema, isLabel, wordsAbout } from "../../../tools/verify-evidence/Leaves.ts"

const kinds = { kk: { $anchor: "kind", $id: "kk", const: "v1" } }

describe("givenBySchema", () => {
  it.each<[string, object, string, unknown]>([
    ["a pattern of names", { patternProperties: { "^x_": { const: "v1" } } }, "/x_a", { x_a: "v1" }],
    ["an anchor", { properties: { k: { $ref: "#kind" } }, $defs: { k: { $anchor: "kind", const: "v1" } } }, "/k", {}],
    [
      "its whole address",
      {
        $id: "https://e.example/root",
        properties: { k: { $ref: "https://e.example/root#/$defs/k" } },
        $defs: { k: { const: "v1" } }
      },
      "/k",
      {}
    ],
    [
      "an address beside its own",
      { $id: "https://e.example/root", properties: { k: { $ref: "kk" } }, $defs: kinds },
      "/k",
      {}
    ],
    ["a relative address without a base", { properties: { k: { $ref: "kk#kind" } }, $defs: kinds }, "/k", {}],
    [
      "an anchor of draft-07",
      { properties: { k: { $ref: "#k" } }, definitions: { k: { $id: "#k", const: "v1" } } },
      "/k",
      {}
    ],
    ["further names", { unevaluatedProperties: { const: "v1" } }, "/y", { y: "v1" }],
    ["a name of digits", { additionalProperties: { const: "v1" } }, "/2024", { "2024": "v1" }],
    ["further places", { items: [{ const: "v" }], additionalItems: { const: "v1" } }, "/1", ["v", "v1"]],
    ["an object around it", { properties: { o: { default: { a: ["v1"] } } } }, "/o/a/0", { o: { a: ["v1"] } }]
  ])("finds a value through %s", (_, schema, pointer, result) => {
    expect(givenBySchema(schema, pointer, "v1", result)).toBe(true)
    expect(givenBySchema(schema, pointer, "v2", result)).toBe(false)
  })

  it("takes a name of digits for no index, and a default in data for no schema", () => {
    const schema = { items: { const: "v1" }, default: { $anchor: "k", const: "v1" }, properties: { b: { $ref: "#k" } } }
    expect(givenBySchema(schema, "/2024", "v1", { "2024": "v1" })).toBe(false)
    expect(givenBySchema(schema, "/b", "v1", { b: "v1" })).toBe(false)
  })

  it("ends for schemas that lead back to themselves", () => {
    const loop = { $ref: "#", anyOf: [{ $ref: "#" }, { $ref: "#/anyOf/0" }], properties: { a: { $ref: "#" } } }
    expect(givenBySchema(loop, "/a/a/a/a/a/a/a/a/a/a", "v1")).toBe(false)
    expect(wordsAbout(loop, "/a/a/a")).toEqual(["a", "a", "a"])
  })

  it("tells labels from other values", () => {
    const schema = { properties: { level: { enum: ["low", "high"] }, name: { type: "string" } } }
    expect(isLabel(schema, "/level", "high")).toBe(true)
    expect(isLabel(schema, "/name", "high")).toBe(false)
  })
})
