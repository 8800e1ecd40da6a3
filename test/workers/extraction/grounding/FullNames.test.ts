import { assert, describe, it } from "@effect/vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../Footage.ts"

const spanOf = (name: string, text: string, lines: ReadonlyArray<string> = []) => {
  const schema = { type: "object", properties: { [name]: { type: "string" } } }
  const source = footage([[1, "A", text]], lines.length === 0 ? [] : [[0, lines]])
  return extract(inputOf(schema, source, { precision: "balanced" })).evidence.spans.find(({ pointer }) =>
    pointer === `/${name}`
  )
}

describe("somebody who is called by one word", () => {
  it("is told by the only name of the screen that begins with it, and cites the screen", () => {
    const lines = ["Tobias Renner", "Spreadsheets without fear"]
    const span = spanOf("instructor", "Hi, and welcome back. I'm Tobias, and this is lesson four of eight.", lines)
    assert.deepInclude(span, { value: "Tobias Renner", quote: "Tobias Renner", origin_channel: "ocr" })
  })

  it("stays as he is called where two names of the screen begin with it", () => {
    const text = "Hi, and welcome back. I'm Tobias, and this is lesson four of eight."
    const two = spanOf("instructor", text, ["Tobias Renner", "Tobias Lindqvist", "Spreadsheets without fear"])
    assert.notInclude(["Tobias Renner", "Tobias Lindqvist"], two?.value)
  })

  it("is told with the honorific that stands before the name", () => {
    assert.deepInclude(spanOf("customer", "Morning, Mrs Pettigrew, it's the painter."), {
      value: "Mrs Pettigrew",
      quote: "Mrs Pettigrew"
    })
  })
})
