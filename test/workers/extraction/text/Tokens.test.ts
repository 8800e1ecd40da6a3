import { assert, describe, it } from "@effect/vitest"
import { stem } from "../../../../workers/extraction/text/Tokens.ts"

describe("stem", () => {
  const forms = [
    ["bus", "buses"],
    ["gas", "gases"],
    ["lens", "lenses"],
    ["fuse", "fuses"],
    ["house", "houses"],
    ["virus", "viruses"],
    ["box", "boxes"],
    ["city", "cities"],
    ["rating", "ratings"],
    ["price", "prices", "pricing"]
  ]
  for (const words of forms) {
    it(`is one for ${words.join(", ")}`, () => assert.lengthOf(new Set(words.map(stem)), 1))
  }

  it("keeps apart what Porter's makes one: other words are other values", () => {
    for (const [one, other] of [["university", "universe"], ["organization", "organ"]]) {
      assert.notStrictEqual(stem(one!), stem(other!))
    }
  })
})
