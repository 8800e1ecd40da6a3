import { assert, describe, it } from "@effect/vitest"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { recogniserFor } from "../../../../workers/speech/asr/SpeechRoles.ts"

const model = (name: string, languages?: ReadonlyArray<string>): ResolvedModel => ({
  driver: "sherpa",
  name,
  files: {},
  sha256: {},
  options: languages === undefined ? {} : { languages: [...languages] }
})

describe("recogniserFor", () => {
  const english = model("english", ["en"])
  const others = model("others", ["de", "fr"])
  const any = model("any")

  it("takes the stack's first recogniser that lists the language, or that lists none", () => {
    assert.strictEqual(recogniserFor({ asr: english, asr_other: others }, "en"), english)
    assert.strictEqual(recogniserFor({ asr: english, asr_other: others }, "fr"), others)
    assert.strictEqual(recogniserFor({ asr: english, asr_other: any }, "ja"), any)
    assert.strictEqual(recogniserFor({ asr: any, asr_other: others }, "fr"), any)
  })

  it("takes the first where the language is for it to find out", () => {
    assert.strictEqual(recogniserFor({ asr: english, asr_other: any }, null), english)
  })

  it("has none for a language that no recogniser of the stack lists", () => {
    assert.isNull(recogniserFor({ asr: english }, "fr"))
    assert.isNull(recogniserFor({ asr: english, asr_other: others }, "ja"))
  })
})
