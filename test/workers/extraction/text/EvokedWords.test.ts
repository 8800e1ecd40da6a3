import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { verbsIn } from "../../../../workers/extraction/text/EvokedWords.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
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

describe("the verb in a field's noun", () => {
  it.each([
    ["conductor", "conduct"],
    ["reporter", "report"],
    ["arrival", "arriv"],
    ["registration", "registr"],
    ["payment", "pay"],
    ["attendance", "attend"]
  ])("is found: %s", (noun, verb) => {
    expect(verbsIn(noun)).toContain(verb)
  })

  it.each(["number", "letter", "department", "total", "distance", "station"])(
    "is none where no verb is in it: %s",
    (noun) => {
      expect(verbsIn(noun)).toEqual([])
    }
  )

  it("is one of the words by which a field is looked for, less than its own", () => {
    const [leaf] = planOf({ properties: { conductor: { type: "string" } } }).leaves
    expect(leaf!.terms.get("conductor")).toBe(1)
    expect(leaf!.terms.get("conduct")).toBeLessThan(1)
    expect(leaf!.terms.get("conduct")).toBeGreaterThan(0)
  })
})
