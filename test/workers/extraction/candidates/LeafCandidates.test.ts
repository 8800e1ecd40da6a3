import { describe, expect, it } from "vitest"
import { candidatesFor } from "../../../../workers/extraction/candidates/LeafCandidates.ts"
import { read } from "../../../../workers/extraction/candidates/Reading.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { makeSourceDocument } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage } from "../Footage.ts"

const valuesOf = (name: string, type: string, said: string): ReadonlyArray<unknown> => {
  const reading = read(makeSourceDocument(footage([[0, "S1", said]])))
  const [leaf] = planOf({ type: "object", properties: { [name]: { type } } }).leaves
  return candidatesFor(reading, leaf!).map(({ value }) => value)
}

describe("candidatesFor", () => {
  const cases: ReadonlyArray<readonly [name: string, type: string, said: string, kept: unknown, gone: unknown]> = [
    // A part of a length of time is none.
    ["duration_minutes", "integer", "It took me an hour and five minutes along the canal.", 65, 5],
    ["duration_minutes", "integer", "It took me two hours and ten minutes.", 130, 10],
    // What is said as a letter and a number.
    ["exam_room", "string", "The exam is in room B twelve on Friday.", "B12", "B"],
    ["gate", "string", "We board at gate C four.", "C4", "C"],
    // The letter of another noun.
    ["assembly_point", "string", "If the alarm sounds, go to car park C.", undefined, "C"],
    // Persons and names where none can be meant.
    ["course", "string", "Professor Ellen Varga teaches Introduction to Soil Science.", "Soil Science", "Ellen Varga"],
    ["pace", "string", "I wore my old Stride Fours.", undefined, "Stride Fours"],
    ["reviewer", "string", "I'm Jonna Falk with the Veldra Slate Fourteen.", "Jonna Falk", "Veldra Slate Fourteen"],
    ["instructor", "string", "Dana Holt runs it at the Harbour Hall.", "Dana Holt", "Harbour Hall"],
    ["leader", "string", "Since Anselm Rook left, Cornelia leads.", "Anselm Rook", "Since Anselm Rook"],
    // What was before.
    ["company", "string", "Lina runs Brightloop. Before that she worked at Orbex.", "Brightloop", "Orbex"],
    ["previous_company", "string", "Lina runs Brightloop. Before that she worked at Orbex.", "Orbex", undefined],
    // Degrees at night are no hour of it.
    ["min_temp_c", "number", "It drops to minus three at night.", -3, 3],
    // What an account subtracts is no payment below zero.
    ["deposit_paid", "number", "Deposit paid -100.00 and then 40 more.", 40, -100],
    // Who won, by a verb, is nobody who is only named beside.
    [
      "winner",
      "string",
      "Kestrel City have just beaten Dale Rovers. Tomas Brandt sent off Hughes.",
      "Kestrel City",
      "Tomas Brandt"
    ],
    [
      "judge",
      "string",
      "Judge Amara Singh presides in the case of the State against Leon Fisk.",
      "Amara Singh",
      "Leon Fisk"
    ],
    ["doctor", "string", "Doctor Helen Moss sees you, and nurse Tara Quill assists.", "Helen Moss", "Tara Quill"],
    ["frame_material", "string", "It has an aluminium frame.", "aluminium", "aluminium frame"],
    ["city", "string", "We're standing in front of the Old Lighthouse in Brennick.", "Brennick", "Old Lighthouse"],
    ["referee", "string", "Referee Tomas Brandt sent off Hughes.", "Tomas Brandt", "Referee Tomas Brandt"]
  ]
  it.each(cases)("has for %s (%s) of “%s” %j and not %j", (name, type, said, kept, gone) => {
    const values = valuesOf(name, type, said)
    if (kept !== undefined) expect(values).toContain(kept)
    if (gone !== undefined) expect(values).not.toContain(gone)
  })
})
