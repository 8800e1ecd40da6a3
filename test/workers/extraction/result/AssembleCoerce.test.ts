import { assert, it } from "@effect/vitest"
import { openSchema } from "../../../../src/schemas/json-schema/SmallestInstance.ts"
import { coerceTo } from "../../../../workers/extraction/result/AssembleCoerce.ts"

it("takes a bare host for an address, and no number", () => {
  const schema = { type: "string", format: "uri" }
  const read = (text: string) => coerceTo(openSchema(schema), schema, text)
  assert.strictEqual(read("www.trail-buddy.example"), "https://www.trail-buddy.example")
  assert.strictEqual(read("trail-buddy.example/plans"), "https://trail-buddy.example/plans")
  assert.strictEqual(read("https://a.example"), "https://a.example")
  for (const none of ["5", "8.50", "solo plan", "v1.2"]) assert.isUndefined(read(none), none)
})
