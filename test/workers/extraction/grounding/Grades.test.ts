import { describe, expect, it } from "vitest"
import { endsAlike } from "../../../../workers/extraction/grounding/Align.ts"
import { isCovered } from "../../../../workers/extraction/grounding/Grades.ts"
import { makeSourceDocument } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage, inputOf } from "../Footage.ts"

describe("a generated text", () => {
  it.each(
    [
      ["It lost twelve million dollars.", ["The company lost money."], false],
      ["It lost twelve million dollars.", ["It was 12 million dollars."], true],
      ["It lost 12 million dollars.", ["It was twelve million dollars."], true],
      ["It has 12 masts.", ["It has 120 masts."], false],
      ["One of them was the first.", ["The company lost money."], true]
    ] as const
  )("has no number in figures or words that its citations lack: %j of %j", (value, quotes, covered) => {
    expect(isCovered(value, quotes)).toBe(covered)
  })
})

describe("a stretch of the source", () => {
  const text = "The company lost money last year because the market was weak"
  const { passages: [passage] } = makeSourceDocument(inputOf({}, footage([[0, "S1", text]], [])))
  it.each(
    [
      ["The company made money last year because the market was weak.", text, true],
      ["The compny lost money last year because the market was weak.", text, true],
      ["The company lost money last year because the market was strong.", text, false],
      ["The company made money last year because the market was strong.", text.replace(" weak", ""), false]
    ] as const
  )("stands for a text that begins and ends as it does alone: %j", (value, said, alike) => {
    expect(endsAlike({ passage: passage!, from: 0, to: said.length }, value)).toBe(alike)
  })
})
