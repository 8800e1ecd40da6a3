import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { sectionsOf } from "../../../../workers/extraction/lists/kinds/SlideSections.ts"
import { documentOf, footage, inputOf, type Shown } from "../Footage.ts"

const HEADS: ReadonlySet<string> = new Set(["Monday", "Tuesday", "Wednesday"])
const MENU = [
  "Monday",
  "Leek soup",
  "Brown bread",
  "Apple pie",
  "Tuesday",
  "Lentil stew",
  "Brown bread",
  "Plum cake",
  "Wednesday",
  "Fish curry",
  "Boiled rice",
  "Brown bread"
]
type Line = Exclude<Shown[1][number], string>

const line = (text: string, top: number, left = 0.1): Line => ({
  text,
  box: [left, top, 0.4, HEADS.has(text) ? 0.06 : 0.04]
})

/** A page of which each frame shows so many rows from another one on, below what stays in its place. */
const scrolled = (
  rows: ReadonlyArray<string>,
  starts: ReadonlyArray<number>,
  { fixed = [], size = 6, step = 0.1, top = 0.1 }: Partial<Record<"size" | "step" | "top", number>> & {
    readonly fixed?: ReadonlyArray<Line>
  } = {}
): ReadonlyArray<Shown> =>
  starts.map((from, at) => [
    5 * at,
    [...fixed, ...rows.slice(from, from + size).map((text, row) => line(text, top + step * row))]
  ])

const sections = (shown: ReadonlyArray<Shown>) =>
  documentOf([], shown).slides.map((slide) =>
    sectionsOf(slide, () => false).filter(({ heading }) => HEADS.has(heading?.text ?? "")).map(({ heading, lines }) =>
      [heading!, ...lines].map(({ text }) => text)
    )
  )

const manyRows = (from: number) =>
  Array.from({ length: 1500 }, (_, at) => line("and so on", 0.1 + 0.0005 * (at + from)))

const DAYS = [
  ["Monday", "Leek soup", "Brown bread", "Apple pie"],
  ["Tuesday", "Lentil stew", "Brown bread", "Plum cake"],
  ["Wednesday", "Fish curry", "Boiled rice", "Brown bread"]
]

describe("a page that is scrolled", () => {
  it.each([
    ["by two lines", scrolled(MENU, [0, 2, 4, 6])],
    ["by one line", scrolled(MENU, [0, 1, 2, 3, 4, 5, 6])],
    ["by three lines of a denser page", scrolled(MENU, [0, 3, 5], { size: 7, step: 0.08 })],
    ["with a pause", scrolled(MENU, [0, 2, 2, 4, 4, 6])],
    ["down, up and down again", scrolled(MENU, [0, 2, 1, 0, 2, 4, 6])]
  ])("is one slide with each line under the heading that stands over it: %s", (_, shown) => {
    const [days, ...more] = sections(shown)
    expect(more).toEqual([])
    // The title's own lines are its section's and those of all others.
    expect(days!.slice(1)).toEqual(DAYS.slice(1))
    expect(days![0]!.slice(0, 4)).toEqual(DAYS[0])
  })

  it("is one slide below a bar that stays in its place", () => {
    const fixed = [line("The canteen on the hill", 0.02), line("Sign in", 0.02, 0.7)]
    const [days, ...more] = sections(scrolled(MENU, [0, 2, 4, 6], { fixed, top: 0.2 }))
    expect([days, more]).toEqual([DAYS, []])
  })

  it("gives each of its lists its own lines", () => {
    const texts = { type: "array", items: { type: "string" } }
    const schema = { type: "object", properties: { monday: texts, tuesday: texts, wednesday: texts } }
    expect(extract(inputOf(schema, footage([], scrolled(MENU, [0, 2, 4, 6])))).result).toEqual({
      monday: DAYS[0]!.slice(1),
      tuesday: DAYS[1]!.slice(1),
      wednesday: DAYS[2]!.slice(1)
    })
  })

  it("ends with its last frame, and cites a line of that", () => {
    const { slides: [slide] } = documentOf([], scrolled(MENU, [0, 2, 4, 6]))
    expect(slide).toMatchObject({ t_start: 0, t_end: 599.5, last: { text: "Boiled rice", t_start: 15, t_end: 599.5 } })
  })
})

describe("pictures that are no such page", () => {
  it("are slides of their own where another title stands above lines that have moved", () => {
    const { slides } = documentOf([], [
      [0, ["Agenda", "Our budget", "The timeline", "Known risks", "Thanks"]],
      [5, [line("Recap", 0.1), line("The timeline", 0.22), line("Known risks", 0.34)]]
    ])
    expect(slides.map(({ heading }) => heading?.text)).toEqual(["Agenda", "Recap"])
  })

  it("list a line again that is added below itself", () => {
    const { slides } = documentOf([], [
      [0, ["Shopping", "Brown bread"]],
      [5, ["Shopping", "Brown bread", "Milk"]],
      [9, ["Shopping", "Brown bread", "Milk", "Brown bread"]]
    ])
    expect(slides.map(({ lines }) => lines.map(({ text }) => text))).toEqual([["Brown bread", "Milk", "Brown bread"]])
  })

  it("are read in time that grows with the number of their lines", () => {
    expect(documentOf([], [[0, manyRows(0)], [5, manyRows(3)], [9, manyRows(5)]]).slides).toHaveLength(1)
  })
})
