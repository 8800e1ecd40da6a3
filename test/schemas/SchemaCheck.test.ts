import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkSchemaSafely } from "../../src/schemas/SchemaCheck.ts"
import { defaultTemplate } from "../../src/schemas/Templates.ts"
import { hostileSchemas } from "./hostileSchemas.ts"

it.live("gives a usable schema's warnings", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* checkSchemaSafely(defaultTemplate.json_schema), { warnings: [] })
  }))

it.live("fails with SCHEMA_INVALID, reason and pointer for everything hostile, many at a time", () =>
  Effect.gen(function*() {
    const hostile = Object.entries(hostileSchemas).filter(([, { reason }]) => reason !== null)
    yield* Effect.forEach(hostile, ([what, { reason, schema }]) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(checkSchemaSafely(schema))
        assert.strictEqual(error._tag, "SCHEMA_INVALID")
        assert.match(error.details![0]!.message, new RegExp(`^${reason}: `, "u"), what)
        assert.isAtMost(error.details!.length, 10)
      }), { concurrency: 4 })
  }))
