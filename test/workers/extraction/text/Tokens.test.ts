import { assert, describe, it } from "@effect/vitest"
import { stem, tokenise } from "../../../../workers/extraction/text/Tokens.ts"

const told = (text: string) => tokenise(text).map((token) => token.norm)

describe("tokenise", () => {
  it("keeps the sign of a language, a grade and a blood type, and takes none for part of a word", () => {
    assert.deepStrictEqual(told("C++, C# and C"), ["c++", "c#", "and", "c"])
    assert.deepStrictEqual(told("Grade A+, type AB+"), ["grade", "a+", "type", "ab+"])
    assert.deepStrictEqual(told("a+b #1 yes+no"), ["a", "b", "#", "1", "yes", "no"])
  })
})

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
