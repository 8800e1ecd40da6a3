import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Turn } from "../Footage.ts"

/** Who is given by the rule for a field of a talk whose first voice says most of it. */
const told = (name: string, ...said: ReadonlyArray<string>) => {
  const schema = { type: "object", properties: { [name]: { type: "string" }, topic: { type: "string" } } }
  const turns = said.map((text, at): Turn => [8 * at, "S1", text])
  const source = footage([...turns, [8 * said.length, "S2", "Okay."]])
  const { evidence: { spans } } = extract(inputOf(schema, source, { precision: "balanced" }))
  const span = spans.find(({ pointer }) => pointer === `/${name}`)
  return span?.proposed_by === "rules:own-name" ? span.value : undefined
}

describe("one name that a voice gives for itself", () => {
  it.each([
    ["instructor", "For anyone new, I'm Bex, and this is Lunchtime Kettle.", "Bex"],
    ["host_name", "Hello, and welcome to Larkrise Meadow. I'm Bettina, I run the place.", "Bettina"],
    ["teacher", "Do squeeze in. I'm Mrs Lindholm and I have the fourth class this year.", "Mrs Lindholm"],
    ["baker", "Morning! I'm Ottilie, and today we make our caraway rye.", "Ottilie"],
    ["reported_by", "Right, daily report. Gordon Pike here, site manager.", "Gordon Pike"],
    ["courier_name", "Okay, camera's on. It's Mirela, second run of the morning.", "Mirela"],
    ["technician", "Morning all, Dermot here from Freshwell Carpets, out in Pebblebridge today.", "Dermot"],
    ["hairdresser", "Hi lovelies, it's Bronagh, doing this from the van.", "Bronagh"]
  ])("is whoever presents, shows or makes what is recorded: %s: %s", (name, said, value) => {
    expect(told(name, said, "It is Wednesday, and the weather is dry.")).toBe(value)
  })

  it.each([
    ["instructor", "Hello. I'm German, and this is my kitchen."],
    ["baker", "Hello. I'm Scottish, and this is my kitchen."],
    ["former_baker", "Morning! I'm Ottilie, and today we make our rye."],
    ["courier", "Morning. Reception here is closed, as you see."],
    ["owner", "Hi lovelies, it's Bronagh, doing this from the van."],
    ["timber", "Hello, it's Tobin, and this is the bench."]
  ])("is no origin, and nobody of before: %s: %s", (name, said) => {
    expect(told(name, said)).toBeUndefined()
  })

  it("gives way to the whole name where that is told", () => {
    expect(told("presenter", "I'm Wilf, and here we dig.", "This week Wilf Garrity plants garlic.")).toBeUndefined()
  })
})
