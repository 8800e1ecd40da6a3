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
