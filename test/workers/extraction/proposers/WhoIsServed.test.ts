import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Turn } from "../Footage.ts"

/** What a rule gives for a field of the talk of two, by its proposer. */
const told = (name: string, rule: string, ...said: ReadonlyArray<string>) => {
  const schema = { type: "object", properties: { [name]: { type: "string" }, topic: { type: "string" } } }
  const source = footage(said.map((text, at): Turn => [8 * at, `S${at % 2}`, text]))
  const { evidence: { spans } } = extract(inputOf(schema, source, { precision: "balanced" }))
  const span = spans.find(({ pointer }) => pointer === `/${name}`)
  return span?.proposed_by === `rules:${rule}` ? span.value : undefined
}

describe("whoever is served", () => {
  it.each([
    ["prospect_name", "Hi Nadia, it's Owen from Shiftwise. Can you hear me?", "Yes, I can.", "Nadia"],
    ["client", "So, Ignatz, I've got your blood test here.", "Tired all day, really.", "Ignatz"],
    ["guest_name", "Here is somebody I've wanted to talk to. Nathaniel Brook, hello.", "Thank you.", "Nathaniel Brook"],
    ["customer", "Larkline Broadband, how can I help?", "Hi, it's Piotr from Mill Lane. It drops out.", "Piotr"]
  ])("is who the first voice greets, or the second names itself: %s: %s %s", (name, first, second, value) => {
    expect(told(name, "own-name", first, second)).toBe(value)
  })

  it("is no second voice that nobody helps and that asks for nothing", () => {
    expect(told("customer", "own-name", "Tell us about the film.", "I'm Anton Reiter, and I made it.")).toBeUndefined()
  })

  it("is nobody where the field asks for something of theirs, or a third voice is heard", () => {
    expect(told("client_company", "own-name", "So, Ignatz, here it is.", "Thank you.")).toBeUndefined()
    const schema = { type: "object", properties: { client: { type: "string" } } }
    const source = footage([[0, "S1", "So, Ignatz, here it is."], [8, "S2", "Thank you."], [16, "S3", "Hello."]])
    const { evidence: { spans } } = extract(inputOf(schema, source, { precision: "balanced" }))
    expect(spans.filter(({ proposed_by }) => proposed_by === "rules:own-name")).toEqual([])
  })
})

describe("the place or firm that a voice welcomes to", () => {
  it.each([
    ["station", "Good evening, and welcome to Millbrook Junction. Please mind the gap.", "Millbrook Junction"],
    ["provider", "Thank you for calling Larkline Broadband, you're speaking with Denise.", "Larkline Broadband"],
    ["campsite_name", "Hello hello, and welcome to Larkrise Meadow.", "Larkrise Meadow"]
  ])("is the field's that asks for one: %s: %s", (name, said, value) => {
    expect(told(name, "welcome", said, "Hello.")).toBe(value)
  })

  it("is no other field's, and none where two are named", () => {
    expect(told("presenter", "welcome", "Welcome to Larkrise Meadow.", "Hello.")).toBeUndefined()
    expect(told("agency", "welcome", "Welcome to Fourteen Willow Lane.", "Hello.")).toBeUndefined()
    expect(told("station", "welcome", "Welcome to Millbrook Junction.", "Welcome to Old Marsh.")).toBeUndefined()
  })
})
