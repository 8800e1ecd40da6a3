import { describe, expect, it } from "vitest"
import { kindsSeen } from "../../../../workers/extraction/objects/SeenThings.ts"

type Box = readonly [x: number, y: number, width: number, height: number]

const frame = (index: number, ...labels: ReadonlyArray<readonly [name: string, confidence: number, box?: Box]>) => ({
  frame_id: `frm_${index}`,
  source_ref: `frame#00000${index}`,
  timestamp: index,
  description: "A scene.",
  text: [],
  labels: labels.map(([name, confidence, box]) => box === undefined ? { name, confidence } : { name, confidence, box })
})

const left: Box = [0.1, 0.1, 0.2, 0.6]
const middle: Box = [0.4, 0.1, 0.2, 0.6]
const right: Box = [0.7, 0.1, 0.2, 0.6]

describe("what is seen of each kind", () => {
  it("is told with the most at once and the places: several at once, or one after another", () => {
    const frames = [
      frame(0, ["scene", 0.9], ["person", 0.9, left], ["dog", 0.8, right]),
      frame(1, ["person", 0.8, middle]),
      frame(2, ["person", 0.9, right], ["dog", 0.8, right])
    ]
    expect(kindsSeen({ frames })).toEqual([
      { name: "person", most_at_once: 1, places: 3, frames: 3, t_start: 0, t_end: 2 },
      { name: "dog", most_at_once: 1, places: 1, frames: 2, t_start: 0, t_end: 2 }
    ])
    const together = [frame(0, ["person", 0.9, left], ["person", 0.9, right]), frame(1, ["person", 0.9, left])]
    expect(kindsSeen({ frames: together })).toEqual([
      { name: "person", most_at_once: 2, places: 2, frames: 2, t_start: 0, t_end: 1 }
    ])
  })

  it("is what is sure and has a place: the frame's own type and doubtful things are no things", () => {
    expect(kindsSeen({ frames: [frame(0, ["scene", 0.9], ["person", 0.4, left])] })).toEqual([])
  })
})
