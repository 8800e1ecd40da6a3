import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { FrameDescription } from "../../../../src/artifacts/Vision.ts"
import { asMostRead } from "../../../../workers/extraction/text/LineVotes.ts"

type Read = string | readonly [text: string, confidence: number]

/** Frames whose lines stand below each other, each in its place. */
const framesOf = (frames: ReadonlyArray<ReadonlyArray<Read>>): ReadonlyArray<FrameDescription> =>
  frames.map((lines, index) => ({
    frame_id: `frm_${index}`,
    source_ref: `frame#${index}`,
    timestamp: index,
    description: `A slide titled “${String(typeof lines[0] === "string" ? lines[0] : lines[0]?.[0])}” with more lines.`,
    labels: [],
    text: lines.map((line, row) => {
      const [text, confidence] = typeof line === "string" ? [line, 0.99] as const : line
      return { text, confidence, box: [0.1, 0.1 + 0.1 * row, 0.02 * text.length, 0.05] }
    })
  }))

const read = (frames: ReadonlyArray<ReadonlyArray<Read>>, heard = "") =>
  asMostRead(framesOf(frames), heard.split(" ").map((text) => ({ text }))).map(({ text }) =>
    text.map((one) => one.text)
  )

const eight = (line: Read): ReadonlyArray<ReadonlyArray<Read>> => Array.from({ length: 8 }, () => [line])

describe("asMostRead", () => {
  it("lets eight frames outvote one that reads a look-alike, loses a space or is in doubt, in the text and in the sentence", () => {
    for (const glitch of ["Revenue gr0wth", "Revenuegrowth", ["Revenue grewth", 0.9]] as const) {
      const frames = [...eight("Revenue growth").slice(0, 4), [glitch], ...eight("Revenue growth").slice(4)]
      expect(new Set(read(frames).flat())).toEqual(new Set(["Revenue growth"]))
      const [, , , , fifth] = asMostRead(framesOf(frames), [])
      expect(fifth?.description).toBe("A slide titled “Revenue growth” with more lines.")
    }
  })

  it("leaves what changes on screen: numbers, choices, words that are read surely, and another place", () => {
    const changes: ReadonlyArray<ReadonlyArray<ReadonlyArray<Read>>> = [
      [...eight("Revenue 41 million"), ["Revenue 47 million"]],
      [...eight("Revenue 41 million"), [["Revenue 47 million", 0.93]]],
      [...eight("Option A"), [["Option B", 0.9]]],
      [...eight("Backups are enabled"), ["Backups are disabled"], ["Backups are enabled"]],
      [...eight("Closed on Monday"), ["Closed on Sunday"]],
      [...eight("Revenue growth"), ["Costs", "Revenue grewth"]]
    ]
    for (const frames of changes) {
      expect(read(frames)).toEqual(framesOf(frames).map(({ text }) => text.map((one) => one.text)))
    }
  })

  it("takes a number for misread that one frame between others reads with doubt", () => {
    const frames = [...eight("Founded in 1998"), [["Founded in 1993", 0.9] as const], ...eight("Founded in 1998")]
    expect(new Set(read(frames).flat())).toEqual(new Set(["Founded in 1998"]))
  })

  it("counts a word that was heard as one vote more, for what some frame has read", () => {
    const frames = [["Quarterly rnargin"], ["Quarterly margin"]] as const
    expect(read([...frames.slice(1), ...frames])).toEqual([["Quarterly margin"], ["Quarterly rnargin"], [
      "Quarterly margin"
    ]])
    const doubted = [["Quarterly margin"], [["Quarterly rnargin", 0.9] as const], ["Quarterly margin"]]
    expect(read(doubted)).toEqual(read(doubted, "quarterly profit"))
    expect(new Set(read(doubted, "the quarterly margin").flat())).toEqual(new Set(["Quarterly margin"]))
  })

  it("writes nothing that nobody read, and changes neither frames nor boxes", () => {
    const texts = fc.constantFrom("Revenue 41", "Revenue 4I", "Revenue41", "Revenue 47", "Revenae 41", "Costs")
    const lines = fc.array(fc.tuple(texts, fc.double({ min: 0.6, max: 1, noNaN: true })), { maxLength: 3 })
    fc.assert(fc.property(fc.array(lines, { maxLength: 12 }), (frames) => {
      const before = framesOf(frames)
      const known = new Set(before.flatMap(({ text }) => text.map((one) => one.text)))
      const after = asMostRead(before, [])
      expect(after.map(({ text }) => text.map(({ box }) => box))).toEqual(
        before.map(({ text }) => text.map(({ box }) => box))
      )
      for (const { text } of after) for (const one of text) expect(known).toContain(one.text)
    }))
  })
})
