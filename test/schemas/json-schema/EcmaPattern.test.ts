import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { PatternUnsupported } from "../../../src/schemas/json-schema/EcmaPattern.ts"
import { linearPattern } from "../../../src/schemas/json-schema/LinearPattern.ts"

const characters = [
  "a",
  "b",
  "-",
  "]",
  "[",
  "^",
  "$",
  ".",
  "{",
  "}",
  "0",
  "9",
  "_",
  " ",
  "\n",
  "\u2028",
  "\u00A0",
  "é",
  "Δ",
  "🐲"
]
const atoms = [
  "a",
  "b",
  "0",
  "é",
  "🐲",
  ".",
  "^",
  "$",
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "\\b",
  "\\B",
  "\\n",
  "\\x61",
  "\\u00e9",
  "\\u{1f432}",
  "\\ud83d\\udc32",
  "\\/",
  "\\]",
  "\\$",
  "\\p{L}",
  "\\P{Lu}",
  "\\p{Script=Greek}",
  "\\p{Emoji}",
  "[]",
  "[^]",
  "[a-z]",
  "[^a-z\\d]",
  "[\\w.-]",
  "[\\s\\S]",
  "[\\D]",
  "[[:alpha:]",
  "[a&&b]",
  "[\\b]",
  "[^\\p{L}]",
  "[🐲é]"
]

const pattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(...atoms),
    fc.tuple(fc.constantFrom(...atoms), fc.constantFrom("", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?"))
      .map(([atom, count]) => /^[\^$]$|^\\[bB]$/u.test(atom) ? atom : atom + count),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})+`),
    tie("pattern").map((inner) => `(${inner})?`)
  )
})).pattern

describe("linearPattern", () => {
  it("answers as the language's own engine does, for any pattern and text", () => {
    const texts = fc.array(fc.constantFrom(...characters), { maxLength: 6 }).map((units) => units.join(""))
    fc.assert(
      fc.property(pattern, fc.array(texts, { minLength: 1, maxLength: 5 }), (source, some) => {
        const reference = new RegExp(source, "u")
        for (const text of some) {
          assert.strictEqual(linearPattern(source).test(text), reference.test(text), JSON.stringify([source, text]))
        }
      }),
      { numRuns: 500 }
    )
  })

  it("forgives what only the older syntax allows and reads it alike", () => {
    for (
      const [source, text] of [["\\d{3}\\-\\d", "123-4"], ["x{,3}", "x{,3}"], ["}", "}"], ["[\\w-.]", "-"]] as const
    ) {
      assert(linearPattern(source).test(text), source)
      assert(!linearPattern(source).test(""), source)
    }
  })

  it("refuses what RE2 cannot run and what ECMA-262 does not know, with the reason in words", () => {
    const cases: ReadonlyArray<readonly [string, RegExp]> = [
      ["(?=a)b", /ahead or behind/u],
      ["(?<!a)b", /ahead or behind/u],
      ["(a)\\1", /back reference/u],
      ["(?<n>a)\\k<n>", /back reference/u],
      ["a{2000}", /repeats too often/u],
      ["(?i:a)", /flags inside/u],
      ["\\Aab\\Z", /\\A, which ECMA-262 does not know/u],
      ["\\p{Elvish}", /property/u],
      ["(?i)a", /not a regular expression/u],
      ["(", /not a regular expression/u]
    ]
    for (const [source, reason] of cases) {
      assert.throws(
        () => linearPattern(source),
        (error: Error) => error instanceof PatternUnsupported && reason.test(error.message),
        source
      )
    }
  })
})
