import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../Footage.ts"

const listOf = (name: string, ...said: ReadonlyArray<string>): unknown => {
  const schema = { type: "object", properties: { [name]: { type: "array", items: { type: "string" } } } }
  const turns = said.map((text, at) => [5 * at, "S1", text] as const)
  return (extract(inputOf(schema, footage(turns), { precision: "balanced" })).result as Record<string, unknown>)[name]
}

describe("values that likely are entries of a list", () => {
  it.each(["winners", "board_members"])("are none of %s where nothing speaks of these", (name) => {
    const said = ["Welcome to the bakery.", "The oven is at 230 degrees.", "The shop is run by Peter Lang."]
    expect(listOf(name, ...said)).toBeUndefined()
  })
})
