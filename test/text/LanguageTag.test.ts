import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { baseLanguage, languageTag } from "../../src/text/LanguageTag.ts"

/** ISO 639-2 has two codes of these, of which containers write the first, and ISO 639-1 one. */
const doubled =
  "alb sqi sq,arm hye hy,baq eus eu,bur mya my,chi zho zh,cze ces cs,dut nld nl,fre fra fr,geo kat ka,ger deu de,"
  + "gre ell el,ice isl is,mac mkd mk,mao mri mi,may msa ms,per fas fa,rum ron ro,slo slk sk,tib bod bo,wel cym cy"

describe("LanguageTag", () => {
  it("has one tag for all codes of a language", () => {
    for (const codes of doubled.split(",")) {
      const [bibliographic, terminological, short] = codes.split(" ") as [string, string, string]
      assert.deepStrictEqual([bibliographic, terminological, short].map((code) => languageTag(code)), [
        short,
        short,
        short
      ])
    }
    assert.deepStrictEqual(
      ["eng", "ENG", "jpn", "por-br", "zh-hant-tw", "en-us-x-own"].map((code) => languageTag(code)),
      [
        "en",
        "en",
        "ja",
        "pt-BR",
        "zh-Hant-TW",
        "en-US"
      ]
    )
    assert.strictEqual(baseLanguage("por-br"), "pt")
  })

  it("is null for what is no language", () => {
    for (const told of ["und", "mul", "zxx", "mis", "UND-latn", "", "english", "en_US", "e", null, undefined]) {
      assert.isNull(languageTag(told))
    }
  })

  it("takes anything that a file may say, and its own answer as it is", () => {
    const told = fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/u))
    fc.assert(fc.property(told, (told) => {
      const tag = languageTag(told)
      assert.strictEqual(languageTag(tag), tag)
    }))
  })
})
