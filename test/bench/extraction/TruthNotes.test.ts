import { assert, describe, it } from "@effect/vitest"
import { allowed, settle } from "../../../bench/extraction/TruthNotes.ts"

describe("a person's notes of what is true of a video", () => {
  it("allow either of two values, numbers as numbers, and a remark or not", () => {
    assert.includeMembers([...allowed("Coast TV / Coast Television")], ["Coast TV", "Coast Television"])
    assert.includeMembers([...allowed("tbsp/spoon")], ["tbsp", "spoon"])
    assert.includeMembers([...allowed("120 or 0.5")], [120, 0.5])
    assert.includeMembers([...allowed("(Grandma's) Lemon Chicken")], ["Lemon Chicken", "Grandma's Lemon Chicken"])
    assert.includeMembers([...allowed("false (inference; empty ok)")], [false])
    assert.includeMembers([...allowed("09:30")], ["09:30:00Z"])
    // An address is one value, however many strokes it has, and so is a score.
    assert.notInclude([...allowed("www.larkspur.app/start")], "start")
    assert.notInclude([...allowed("2:1")], 2)
  })

  it("become the right result: the allowed value that was given, else the first; what is said by nobody by its pointer", () => {
    const notes = { "agent/name": "Helen / Helen Ward", "agent/phone": "01225", price: "120 or 0.5", mayor: null }
    assert.deepStrictEqual(settle(notes, { agent: { name: "Helen Ward" }, price: 120, mayor: "Bath" }), {
      gold: { agent: { name: "Helen Ward", phone: "01225" }, price: 120 },
      not_stated: ["/mayor"]
    })
  })

  it("do not take a wrong value for an allowed one", () => {
    assert.deepStrictEqual(settle({ price: "120 or 0.5", city: "Bath" }, { price: 12, city: "Bristol" }).gold, {
      price: "120 or 0.5",
      city: "Bath"
    })
  })

  it("ask for what is optional only where it was given, and then for all of its entry", () => {
    const notes = { injuries: "0 (accept empty)", rooms: [{ name: "Hall" }, { name: "Garden (optional)", size: 3 }] }
    assert.deepStrictEqual(settle(notes, {}).gold, { rooms: [{ name: "Hall" }] })
    assert.deepStrictEqual(settle(notes, { injuries: 0, rooms: [{ name: "Garden" }] }).gold, {
      injuries: 0,
      rooms: [{ name: "Hall" }, { name: "Garden", size: 3 }]
    })
  })
})
