import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../../Footage.ts"

const turns: ReadonlyArray<Turn> = [[0, "S1", "Good morning everybody, thanks for coming so early today."]]
const captions: ReadonlyArray<Shown> = [
  [1, ["Living room", "5.2 × 4.1 m"]],
  [20, ["Kitchen", "3.1 × 2.8 m"]],
  [40, ["Bedroom", "4.0 × 3.3 m"]]
]
const entry = { type: "object", properties: { room: { type: "string" }, size: { type: "string" } } }

describe("captions of two lines", () => {
  const rooms = [
    { room: "Living room", size: "5.2 × 4.1 m" },
    { room: "Kitchen", size: "3.1 × 2.8 m" },
    { room: "Bedroom", size: "4.0 × 3.3 m" }
  ]

  it("are the entries of a list of two texts, in a property and at the root", () => {
    const inside = { type: "object", properties: { rooms: { type: "array", items: entry } } }
    expect(extract(inputOf(inside, footage(turns, captions))).result).toEqual({ rooms })
    expect(extract(inputOf({ type: "array", items: entry }, footage(turns, captions))).result).toEqual(rooms)
  })
})

const rowsOf = (properties: Record<string, object>, name: string, description: string, shown: ReadonlyArray<Shown>) =>
  extract(inputOf(
    {
      type: "object",
      properties: { [name]: { type: "array", description, items: { type: "object", properties } } }
    },
    footage(turns, shown)
  )).result

describe("rows of a table", () => {
  it("are none that repeat a property's name, and none that stand alone elsewhere with a bare number", () => {
    const points = { item: { type: "string" }, points: { type: "integer" } }
    const shown: ReadonlyArray<Shown> = [
      [1, ["LANTERN HARBOUR", "2-5 players"]],
      [30, ["Lit lantern 3", "Contract fulfilled 8", "Crate left over 2", "Points 9"]]
    ]
    expect(rowsOf(points, "scoring", "what scores", shown)).toEqual({
      scoring: [
        { item: "Lit lantern", points: 3 },
        { item: "Contract fulfilled", points: 8 },
        { item: "Crate left over", points: 2 }
      ]
    })
  })

  it("of people are people, and two people are no row", () => {
    const person = { name: { type: "string", description: "Full name" }, role: { type: "string" } }
    const shown: ReadonlyArray<Shown> = [
      [1, ["Larkspur Notes", "Julia Brooks | Daniel Reed"]],
      [30, ["Web", "Windows: coming this summer"]],
      [50, ["Launch: 3 March 2026", "Code: SPRING25"]]
    ]
    expect(JSON.stringify(rowsOf(person, "presenters", "People who present", shown))).not.toMatch(/Windows|Code|role/u)
  })
})
