import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

/** What is given of one yes-or-no field after a greeting, said in turns of two speakers or shown under a heading. */
const told = (name: string, description: string, said: ReadonlyArray<string>, shown: ReadonlyArray<string> = []) => {
  const turns = said.map((text, at): Turn => [8 * (at + 1), `S${at % 2}`, text])
  const frames: ReadonlyArray<Shown> = shown.length === 0 ? [] : [[0, [...shown]]]
  const schema = { type: "object", properties: { [name]: { type: "boolean", description } } }
  const source = footage([[0, "S1", "Good evening."], ...turns], frames)
  const { result } = extract(inputOf(schema, source, { precision: "balanced" }))
  return (result as Record<string, unknown>)[name]
}

describe("a yes or no", () => {
  it.each([
    ["contract_signed", "", "The contract is on the table."],
    ["contract_signed", "Whether the contract was signed", "The contract has nine pages."],
    ["brakes_replaced", "Whether the brakes were replaced", "The brakes squeak."],
    ["goal_scored", "Whether a goal was scored", "The goal is two metres wide."],
    ["flight_delayed", "Whether the flight is delayed", "The flight leaves from gate nine."],
    ["flight_cancelled", "Whether the flight was cancelled", "The flight to Rome boards now."],
    ["patient_discharged", "Whether the patient was discharged", "The patient is in bed four."],
    ["strike_approved", "Whether the strike was approved", "The strike was narrowly rejected."],
    ["house_sold", "Whether the house was sold", "We sold the boat."],
    ["cakeDelivered", "", "The cake has three layers."]
  ])("needs the predicate of %s said of its subject: %s %s", (name, description, said) => {
    expect(told(name, description, [said])).toBeUndefined()
  })

  it("is not read from a line that only names the subject", () => {
    expect(told("contract_signed", "Whether the contract was signed", [], ["Agenda", "Contract", "Budget"]))
      .toBeUndefined()
  })

  it.each([
    ["contract_signed", "The contract was signed on Monday.", true],
    ["contract_signed", "The contract was not signed.", false],
    ["house_sold", "We sold the house.", true],
    ["asbestos_found", "No asbestos was found.", false],
    ["flight_delayed", "The flight is delayed.", true]
  ])("is given where the predicate of %s is said of its subject: %s", (name, said, value) => {
    expect(told(name, "", [said])).toBe(value)
  })

  it("is given of what a pronoun points at", () => {
    expect(told("contract_signed", "", ["We spoke about the contract.", "It was signed on Monday."])).toBe(true)
  })

  it.each([
    ["free_entry", "Whether entry is free", "Entry is free of charge for all.", true],
    ["free_entry", "Whether entry is free", "Entry is free, there is no fee.", true],
    ["wifi_free", "Whether the wifi is free", "The wifi is free, you pay nothing.", true],
    ["free_delivery", "", "Delivery is free and the bread costs four dollars.", true],
    ["free_entry", "Whether entry is free", "Entry is anything but free.", undefined],
    ["free_entry", "Whether entry is free", "Entry costs five dollars.", false]
  ])("takes an opposite only where its own word is not said: %s (%s) %s", (name, description, said, value) => {
    expect(told(name, description, [said])).toBe(value)
  })

  it.each([
    ["dog_vaccinated", "The dog will be vaccinated tomorrow."],
    ["dog_vaccinated", "The dog should be vaccinated."],
    ["dog_vaccinated", "The dog has yet to be vaccinated."],
    ["dog_vaccinated", "The dog is to be vaccinated."],
    ["race_won", "She nearly won the race."],
    ["race_won", "She could have won the race."],
    ["pets_allowed", "We doubt that pets are allowed."],
    ["pets_allowed", "It is a myth that pets are allowed."],
    ["pets_allowed", "Some guests wish that pets were allowed."],
    ["pets_allowed", "We would love it if pets were allowed."],
    ["pets_allowed", "Pets were allowed until last May."],
    ["pets_allowed", "They claimed that pets are allowed, but that is wrong."],
    ["contract_signed", "He refused to sign the contract."],
    ["pill_taken", "He forgot to take the pill."]
  ])("is not given of %s where nothing is stated as a fact: %s", (name, said) => {
    expect(told(name, "", [said])).toBeUndefined()
  })

  it("is given of what is to come where that is asked", () => {
    expect(told("will_be_vaccinated", "Whether the dog will be vaccinated", ["The dog will be vaccinated tomorrow."]))
      .toBe(true)
  })

  it.each([
    ["has_garage", "Whether the house has a garage", "The house next door has a garage."],
    ["pets_allowed", "Whether pets are allowed", "In the hotel across the road pets are allowed."],
    ["is_smoker", "Whether the patient is a smoker", "The patient's father was a smoker."],
    ["contains_nuts", "Whether the bread contains nuts", "The cake contains nuts."],
    ["home_team_won", "Whether the home team won", "The away team won."]
  ])("is not given of another holder: %s (%s) %s", (name, description, said) => {
    expect(told(name, description, [said])).toBeUndefined()
  })

  it.each([
    ["Not at all a problem, bring them.", undefined],
    ["Yes, I think so. Wait, no, they are not.", undefined],
    ["Yes, they are.", true],
    ["Not in this hotel.", false]
  ])("is what an answer settles: %s", (answer, value) => {
    expect(told("pets_allowed", "Whether pets are allowed", ["Are pets allowed?", answer])).toBe(value)
  })
})
