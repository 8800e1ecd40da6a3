import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

const texts = { type: "array", items: { type: "string" } }
const listOf = (name: string, properties: object) => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties } } }
})
const extracted = (schema: object, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []) =>
  extract(inputOf(schema, footage(turns, shown), { precision: "balanced" }))

const sections = listOf("sections", { title: { type: "string" }, points: texts })
const crews = listOf("crews", { name: { type: "string" }, members: texts })

describe("a list of texts inside the entries of a list", () => {
  it("has the lines of the slide that its entry heads, each with its own line as evidence", () => {
    const { evidence, result } = extracted(sections, [[0, "S1", "Let us begin with safety, and then the tools."]], [
      [0.5, ["Safety first", "Wear gloves", "Close the valve"]],
      [8, ["Tools", "A wrench", "A torch"]]
    ])
    expect(result).toEqual({
      sections: [
        { title: "Safety first", points: ["Wear gloves", "Close the valve"] },
        { title: "Tools", points: ["A wrench", "A torch"] }
      ]
    })
    expect(evidence.spans.find(({ pointer }) => pointer === "/sections/1/points/0")?.quote).toBe("A wrench")
  })

  it("has what is strung together behind entries that are told alike", () => {
    const said: ReadonlyArray<Turn> = [
      [0, "S1", "We have two crews today."],
      [4, "S1", "The red crew is Anna, Bo and Carl."],
      [9, "S1", "The blue crew is Dina and Emil."]
    ]
    expect(extracted(crews, said).result).toEqual({
      crews: [{ name: "red crew", members: ["Anna", "Bo", "Carl"] }, { name: "blue crew", members: ["Dina", "Emil"] }]
    })
    const rooms = listOf("rooms", { name: { type: "string" }, features: texts })
    const lines: ReadonlyArray<Shown> = [[0.5, ["Kitchen: gas stove, pantry", "Attic: skylight, oak beams"]]]
    expect(extracted(rooms, [[0, "S1", "Let me show you around."]], lines).result).toEqual({
      rooms: [
        { name: "Kitchen", features: ["gas stove", "pantry"] },
        { name: "Attic", features: ["skylight", "oak beams"] }
      ]
    })
  })

  it("has nothing that is denied", () => {
    const boxes = listOf("boxes", { box: { type: "string" }, pieces: { type: "integer" }, marks: texts })
    const { result } = extracted(boxes, [
      [1, "S1", "Three boxes of finds are on the table this morning."],
      [10, "S1", "Box A comes from the ditch. There are forty pieces in it, mostly pottery."],
      [30, "S2", "And Box B is from the well, twelve pieces, all of them bone."],
      [50, "S1", "Box C is the odd one, seven pieces, and two of them are iron."],
      [60, "S1", "We don't have any stamps, seals and labels here."]
    ])
    expect(JSON.stringify(result)).not.toMatch(/stamps|seals|labels/u)
    const said: ReadonlyArray<Turn> = [
      [4, "S1", "The red crew is without Anna, Bo and Carl."],
      [9, "S1", "The blue crew is not Dina and Emil."]
    ]
    expect(extracted(crews, said).result).toEqual({})
  })

  it("has no figures, no question and no lines of another slide", () => {
    expect(extracted(crews, [[0, "S1", "Is the red crew Anna and Bo? Is the blue crew Dina and Emil?"]]).result)
      .toEqual({})
    expect(extracted(crews, [[0, "S1", "The red crew is Anna, Bo and Carl."]]).result).toEqual({})
    const costs: ReadonlyArray<Shown> = [[0.5, ["Costs", "Rent 12", "Power 4"]], [8, ["Plans", "Hire 2", "Sell 9"]]]
    const { evidence } = extracted(sections, [[0, "S1", "Here are our figures."]], costs)
    expect(evidence.spans.filter(({ pointer }) => pointer.includes("/points/"))).toEqual([])
  })

  it("is nothing that a strict result has where its entry is held back", () => {
    const shown: ReadonlyArray<Shown> = [[0.5, ["Safety first", "Wear gloves", "Close the valve"]]]
    const strict = extract(inputOf(sections, footage([[0, "S1", "Hello."]], shown), { precision: "strict" }))
    expect(strict.evidence.spans.filter(({ pointer }) => pointer.includes("/points/"))).toEqual([])
  })
})
