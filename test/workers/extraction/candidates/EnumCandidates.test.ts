import { describe, expect, it } from "vitest"
import { enumCandidates } from "../../../../workers/extraction/candidates/EnumCandidates.ts"
import { read } from "../../../../workers/extraction/candidates/Reading.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { makeSourceDocument } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage, inputOf } from "../Footage.ts"

const labelsIn = (labels: ReadonlyArray<string>, said: string) => {
  const reading = read(makeSourceDocument(inputOf({}, footage([[1, "S1", said]]))))
  const [leaf] = planOf({ type: "object", properties: { choice: { type: "string", enum: labels } } }).leaves
  return enumCandidates(reading, leaf!).map(({ value }) => value)
}

describe("the labels of an enum", () => {
  it.each([
    [["low", "medium", "high"], "I'd put it at medium. No, actually, make it high.", ["high"]],
    [["low", "medium", "high"], "Call it low, sorry, I mean high.", ["high"]],
    [["sunny", "rainy"], "It was supposed to be sunny, but it poured all day.", []],
    [["standard", "express"], "Express would be faster but standard is fine for me.", ["standard"]]
  ])("of %j are in %j no more than %j: what is taken back or only was to be is none", (labels, said, left) => {
    expect(labelsIn(labels, said)).toEqual(left)
  })

  it.each([
    [["cash", "card"], "You can pay by cash or by card."],
    [["train", "bus"], "We would take the train, and then the bus."],
    [["red", "blue"], "No, the red one, and then a blue one."]
  ])("of %j are all in %j", (labels, said) => {
    expect(labelsIn(labels, said)).toEqual(labels)
  })
})
