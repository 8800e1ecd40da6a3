import { assert, describe, it } from "@effect/vitest"
import { transcriptWithin } from "../../../src/artifacts/TimeRange.ts"
import { nameTranscript } from "../../../src/reviews/model/SpeakerNaming.ts"
import { said } from "../../artifacts/arbitraryTranscript.ts"

const heard = {
  ...said(["S1", "one two"], ["S2", "three"], ["S3", "four five"]),
  overlaps: [
    { t_start: 0.4, t_end: 0.7, speakers: ["S1", "S2"] },
    { t_start: 0.8, t_end: 1.1, speakers: ["S1", "S2", "S3"] }
  ]
}

describe("overlaps of a transcript", () => {
  it("are told of those who are several people, once speakers are merged", () => {
    const { overlaps } = nameTranscript(heard, [{ id: "S2", same_as: "S1" }])
    assert.deepStrictEqual(overlaps, [{ t_start: 0.8, t_end: 1.1, speakers: ["S1", "S3"] }])
    assert.notProperty(nameTranscript(said(["S1", "one"]), [{ id: "S1", label: "Ada" }]), "overlaps")
  })

  it("are those of a range, where one is read", () => {
    assert.deepStrictEqual(transcriptWithin(heard, { from: 0.9 }).overlaps, heard.overlaps.slice(1))
    assert.notProperty(transcriptWithin(said(["S1", "one"]), { from: 0.1 }), "overlaps")
  })
})
