import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Json } from "../../src/schemas/json-schema/JsonSchema.ts"
import { fitEditsSafely } from "../../src/schemas/SchemaCheck.ts"

/** Each level is looked at by both branches: 2^depth looks at the innermost value. */
const schema = JSON.stringify({
  $defs: {
    node: {
      anyOf: [
        { type: "object", properties: { a: { $ref: "#/$defs/node" }, b: { const: 1 } }, required: ["b"] },
        { type: "object", properties: { a: { $ref: "#/$defs/node" } } }
      ]
    }
  },
  $ref: "#/$defs/node"
})

const nested = (depth: number): Json => {
  let value: Json = {}
  for (let level = 0; level < depth; level++) value = { a: value }
  return value
}

it.live("a value that takes its schema ages to check is refused after 2 s of the processor, and told", () =>
  Effect.gen(function*() {
    let spent = 0
    const edited = yield* fitEditsSafely(
      { schema, value: {}, edits: [{ at: "", set: nested(60) }] },
      { spent: (milliseconds) => Effect.sync(() => void (spent += milliseconds)) }
    )
    assert.deepStrictEqual(edited, {
      ok: false,
      edit: null,
      message: "Checking the result against the job's schema takes too long or too much memory"
    })
    assert.isAtLeast(spent, 1000)
    const next = yield* fitEditsSafely({ schema, value: {}, edits: [{ at: "/a", set: {} }] }, {})
    assert.isTrue(next.ok)
  }))
