import { describe, expect, it } from "vitest"
import { groundDraft, groundingOf } from "../../../../../workers/extraction/grounding/Grounding.ts"
import { lengthOf } from "../../../../../workers/extraction/proposers/gate/TimedText.ts"
import { modelGate } from "../../../../../workers/extraction/proposers/ModelGate.ts"
import { planOf } from "../../../../../workers/extraction/text/Plan.ts"
import { materialOf } from "../../Footage.ts"

/** The words that the gate cites for a value of one field, and undefined where the value does not become evidence. */
const citedFor = (name: string, value: string | number, text: string, quote: string): string | undefined => {
  const material = materialOf([[1, "S1", text]])
  const ground = groundingOf(material.reading, material.registry)
  const plan = planOf({ type: "object", properties: { [name]: { type: typeof value } } })
  const proposal = { pointer_template: `/${name}`, value, quote, source_refs: [], score: 1, proposed_by: "llm:test" }
  const draft = modelGate({ plan, material, ground })(proposal)
  return typeof draft === "string" ? undefined : groundDraft(draft, [], ground)?.quote
}

describe("a time of day or a length of time in a model's own form", () => {
  it.each([
    ["start_time", "6 am", "We begin at six in the morning.", "at six in the morning"],
    ["start_time", "6:00 AM", "We begin at six in the morning.", "at six in the morning"],
    ["last_entry", "7:30 PM", "Nobody gets in after half past seven in the evening.", "half past seven in the evening"],
    ["opening_time", "9:00", "We are open from nine to five.", "from nine to five"],
    ["duration", "1 hour", "The whole thing takes an hour.", "an hour"],
    ["duration", "PT1H", "The whole thing takes an hour.", "an hour"],
    ["duration", "1.5 hours", "Count on an hour and a half.", "an hour and a half"],
    ["drying_time", "PT48H", "It has to dry for two days.", "two days"],
    ["wait_minutes", 60, "You wait an hour before the next coat.", "an hour"],
    ["cure_days", 7, "Leave it a week to cure.", "a week"]
  ])("is taken for %s as %j where the quote says it: %s", (name, value, text, quote) => {
    expect(citedFor(name, value, text, quote)).toBe(quote)
  })

  it.each([
    ["start_time", "6 pm", "We begin at six in the morning.", "at six in the morning"],
    ["start_time", "18:00", "We begin at six in the morning.", "at six in the morning"],
    ["last_entry", "07:30", "Nobody gets in after half past seven in the evening.", "half past seven in the evening"],
    ["duration", "2 hours", "The whole thing takes an hour.", "an hour"],
    ["duration", "1 hour", "It runs one hour forty.", "It runs one hour forty."],
    ["runtime_minutes", 60, "It runs one hour forty.", "one hour"],
    ["runtime_seconds", 9, "It ran two hours, four minutes and nine seconds.", "nine seconds"],
    ["guests", 4, "We met at twenty past four in the afternoon.", "four"],
    ["room", "B", "We are in room B12 today.", "B"]
  ])("is no value of %s as %j where the quote says another: %s", (name, value, text, quote) => {
    expect(citedFor(name, value, text, quote)).toBeUndefined()
  })

  it.each([
    ["PT1H30M", 5400],
    ["P2D", 172_800],
    ["P", undefined],
    ["PT", undefined],
    ["an hour or so", undefined],
    ["90 minutes", 5400],
    ["9".repeat(5000), undefined]
  ])("reads %s as %j seconds", (text, seconds) => {
    expect(lengthOf(text)).toBe(seconds)
  })
})
