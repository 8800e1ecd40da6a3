import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../Footage.ts"

const found = (properties: Record<string, object>, said: ReadonlyArray<string>) =>
  extract({
    ...inputOf({ type: "object", properties }, footage(said.map((one, at) => [1 + 8 * at, "S1", one]))),
    precision: "balanced"
  }).result

describe("a field that nobody names", () => {
  it("is met by the words that people use in its place", () => {
    const said = [
      "Kestrel City have just beaten Dale Rovers by three goals to one.",
      "Eleven thousand four hundred people were here."
    ]
    expect(found({ attendance: { type: "integer" } }, said)).toEqual({ attendance: 11_400 })
  })

  it("is not met by a word that evokes it the other way round", () => {
    expect(found({ people: { type: "string" } }, ["The attendance was eleven thousand four hundred."])).toEqual({})
  })
})
