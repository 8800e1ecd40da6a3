import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../../Footage.ts"

describe("a list whose properties have signs of a pattern in their names", () => {
  it.each(["a(bc", "c++x", "[xyz", "*abc", "(a+)+$", "\\d", "b)cd"])("is looked for as any other: %s", (name) => {
    const text = { type: "string" }
    const items = { type: "object", properties: { name: text, [name]: text, price: { type: "number" } } }
    const said = "The Larkrise Stall by Anna Lee is five euros, and the Harbour Stall by Tom Ray is six euros."
    const schema = { type: "object", properties: { stalls: { type: "array", items } } }
    const { result } = extract(inputOf(schema, footage([[0, "S1", said]], []), { precision: "balanced" }))
    expect(JSON.stringify(result)).toContain("Larkrise Stall")
  })
})
