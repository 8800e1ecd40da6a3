import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { unknownParameters } from "../../../src/web/server/QueryParameters.ts"

describe("parameters of a query", () => {
  it("that are written name[key] are known by their name alone, as by the pattern that says so", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "[", "]", "b"), maxLength: 7 })
    fc.assert(fc.property(name, fc.constantFrom("a", "[", "ab", "]"), (sent, known) => {
      const unknown = unknownParameters(`/v1/jobs?${new URLSearchParams({ [sent]: "1" })}`, [], [known])
      const named = /^(.+?)\[.+\]$/su.exec(sent)?.[1]
      assert.deepStrictEqual(unknown.length === 0, named === known, sent)
    }))
  })
})
