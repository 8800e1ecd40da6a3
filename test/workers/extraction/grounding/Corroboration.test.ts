import { describe, expect, it } from "vitest"
import { groundDraft, groundingOf } from "../../../../workers/extraction/grounding/Grounding.ts"
import { modelGate } from "../../../../workers/extraction/proposers/ModelGate.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { materialOf } from "../Footage.ts"

/** What the screen has for a number that is said. */
const shownFor = (name: string, value: number, said: string, quote: string, shown: string): ReadonlyArray<string> => {
  const material = materialOf([[10, "S1", said]], [[5, ["Results", shown]]])
  const ground = groundingOf(material.reading, material.registry)
  const plan = planOf({ type: "object", properties: { [name]: { type: "number" } } })
  const draft = modelGate({ plan, material, ground })({
    pointer_template: `/${name}`,
    value,
    quote,
    source_refs: [],
    score: 1,
    proposed_by: "llm:test"
  })
  expect(draft).toBeTypeOf("object")
  return typeof draft === "string" ? [] : groundDraft(draft, [], ground)!.corroborated_by.map((one) => one.quote)
}

describe("a number that is said", () => {
  it.each([
    ["raised_usd", 12_400_000, "We raised 12.4 million last year.", "12.4 million", "Raised $12.4M", "$12.4M"],
    ["raised_musd", 12.4, "We raised 12.4 million dollars.", "12.4 million dollars", "Raised $12.4M", "$12.4M"],
    ["revenue_eur_m", 3, "Revenue was three million euros.", "three million euros", "Revenue €3m", "€3m"],
    ["users_k", 250, "We have 250 thousand users.", "250 thousand users", "250,000 users", "250,000"]
  ])("is corroborated for %s by the same amount in another scale", (name, value, said, quote, shown, other) => {
    expect(shownFor(name, value, said, quote, shown)).toEqual([other])
  })

  it.each([
    ["raised_usd", 12_400_000, "We raised 12.4 million dollars.", "12.4 million dollars", "Raised €12.4M"],
    ["raised_musd", 12.4, "We raised 12.4 million dollars.", "12.4 million dollars", "12.4 % more"],
    ["users_k", 250, "We have 250 thousand users.", "250 thousand users", "250 metres"]
  ])("is not corroborated for %s by a number of something else", (name, value, said, quote, shown) => {
    expect(shownFor(name, value, said, quote, shown)).toEqual([])
  })
})
