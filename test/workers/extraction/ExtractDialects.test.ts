import { describe, expect, it } from "vitest"
import { checkSchema } from "../../../src/schemas/RegisterSchema.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { inputOf, meeting } from "./Footage.ts"

const action = {
  type: "object",
  properties: {
    task: { type: "string", description: "What has to be done." },
    owner: { type: ["string", "null"], description: "Who does it." }
  }
}
const decision = { type: "string", description: "One decision." }

/** The same question in the words of each draft: plain, and by every way of referring to another part. */
const spelled: Readonly<Record<string, object>> = {
  "draft-04, by id": {
    $schema: "http://json-schema.org/draft-04/schema#",
    id: "https://example.com/minutes",
    type: "object",
    properties: {
      actions: { type: "array", description: "Action items.", items: { $ref: "action" } },
      decisions: { type: "array", description: "Decisions.", items: { $ref: "minutes#/definitions/decision" } }
    },
    definitions: { action: { id: "action", ...action }, decision }
  },
  "draft-07, by the older anchors": {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      actions: { type: "array", description: "Action items.", items: { $ref: "#action" } },
      decisions: { type: "array", description: "Decisions.", items: { $ref: "#decision" } }
    },
    definitions: { a: { $id: "#action", ...action }, d: { $id: "#decision", ...decision } }
  },
  "2020-12, by dynamic anchors": {
    type: "object",
    properties: { actions: { $ref: "actions" }, decisions: { $ref: "decisions" } },
    $defs: {
      list: {
        $id: "list",
        type: "array",
        items: { $dynamicRef: "#entry" },
        $defs: { any: { $dynamicAnchor: "entry" } }
      },
      actions: {
        $id: "actions",
        $ref: "list",
        description: "Action items.",
        $defs: { entry: { $dynamicAnchor: "entry", ...action } }
      },
      decisions: {
        $id: "decisions",
        $ref: "list",
        description: "Decisions.",
        $defs: { entry: { $dynamicAnchor: "entry", ...decision } }
      }
    }
  }
}

const plain = {
  type: "object",
  properties: {
    actions: { type: "array", description: "Action items.", items: action },
    decisions: { type: "array", description: "Decisions.", items: decision }
  }
}

describe("extract", () => {
  const wanted = extract(inputOf(plain, meeting))

  it("finds something to compare", () => {
    expect(wanted.evidence.spans.length).toBeGreaterThan(2)
  })

  for (const [how, schema] of Object.entries(spelled)) {
    it(`fills the same leaves with the same evidence, however a schema refers to its parts: ${how}`, () => {
      expect(checkSchema(schema).ok).toBe(true)
      const { evidence, result } = extract(inputOf(schema, meeting))
      expect(result).toEqual(wanted.result)
      expect(evidence).toEqual(wanted.evidence)
    })
  }
})
