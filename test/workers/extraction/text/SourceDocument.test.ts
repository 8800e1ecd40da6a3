import { describe, expect, it } from "vitest"
import {
  boxOf,
  makeSourceDocument,
  momentOf,
  quoteOf,
  sourceConfidence
} from "../../../../workers/extraction/text/SourceDocument.ts"
import { documentOf, footage } from "../Footage.ts"

const line = (text: string, left: number, top: number) => ({ text, box: [left, top, 0.3, 0.05] as const })

describe("makeSourceDocument", () => {
  it("lists speech before pictures, each in time order", () => {
    const { passages } = documentOf([[5, "S1", "second words"], [1, "S1", "first words"]], [[0.5, ["Title", "A line"]]])
    expect(passages.map(({ channel, text }) => [channel, text])).toEqual([
      ["asr", "first words"],
      ["asr", "second words"],
      ["ocr", "Title"],
      ["ocr", "A line"]
    ])
  })

  it("lists what a model says of a frame, at half the weight of what is read, and nothing that rules say of it", () => {
    const source = footage([], [[0.5, ["Title"]], [5, ["Other"]]])
    const frames = source.vision.frames.map((frame, at) =>
      at === 0 ? { ...frame, description: "A cat sleeps. A slide.", model_sentence: "A cat sleeps." } : frame
    )
    const { passages } = makeSourceDocument({ ...source, vision: { ...source.vision, frames } })
    const [said, ...others] = passages.filter(({ channel }) => channel === "vision")
    expect([said?.text, others]).toEqual(["A cat sleeps.", []])
    expect(sourceConfidence({ passage: said!, from: 0, to: 5 })).toBe(0.5)
  })

  it("lets a picture stand from its first to its last sample", () => {
    const { slides } = documentOf([], [[0.5, ["One"]], [10, ["Two"]]])
    expect(slides.map(({ t_end, t_start }) => [t_start, t_end])).toEqual([[0.5, 9.5], [10, 599.5]])
  })

  it("joins frames of one heading to one slide and lists what stays on screen once", () => {
    const { passages, slides } = documentOf([], [
      [0, ["List", "first point"]],
      [5, ["List", "first point", "second point"]],
      [9, ["Other", "second point"]]
    ])
    expect(slides.map(({ heading, lines }) => [heading?.text, ...lines.map(({ text }) => text)])).toEqual([
      ["List", "first point", "second point"],
      ["Other"]
    ])
    expect(slides[0]).toMatchObject({ t_start: 0, t_end: 8.5 })
    expect(momentOf({ passage: slides[0]!.last, from: 0, to: 4 })).toEqual({ t_start: 5, t_end: 8.5 })
    expect(passages.filter(({ text }) => text === "second point")).toHaveLength(1)
  })

  it("begins another slide where nothing but the heading stays of two lines or more", () => {
    const { slides } = documentOf([], [
      [0, ["Harbour Hotel", "Breakfast from seven", "Garden room"]],
      [5, ["Harbour Hotel", "Special diets", "Gluten free"]]
    ])
    expect(slides.map(({ lines }) => lines.map(({ text }) => text))).toEqual([
      ["Breakfast from seven", "Garden room"],
      ["Special diets", "Gluten free"]
    ])
  })

  it.each([
    ["Final balance: 500 €", "Final balance: -500 €"],
    ["Final balance: 500 €", "Final balance: 500 $"],
    ["Blood type O+", "Blood type O-"],
    ["x < 3", "x > 3"]
  ])("lists a line again that a sign alone has turned: %j, then %j", (before, after) => {
    const { passages } = documentOf([], [[0, ["Title", before]], [5, ["Title", after]]])
    expect(passages.map(({ text }) => text)).toEqual(["Title", before, after])
  })

  it("joins a wrapped line and keeps two columns and two bullets apart", () => {
    const { passages } = documentOf([], [[0, [
      { text: "Rain warnings", box: [0.1, 0.1, 0.3, 0.1] },
      line("You get a message when", 0.1, 0.3),
      line("a plant needs water.", 0.1, 0.37),
      line("Home plan", 0.1, 0.6),
      line("Family plan", 0.6, 0.6),
      line("$4 per month", 0.1, 0.67),
      line("• one", 0.1, 0.8),
      line("• two", 0.1, 0.87)
    ]]])
    expect(passages.filter(({ channel }) => channel === "ocr").map(({ text }) => text)).toEqual([
      "Rain warnings",
      "You get a message when a plant needs water.",
      "Home plan",
      "Family plan",
      "$4 per month",
      "• one",
      "• two"
    ])
  })

  it("quotes a row of a table by the words on the screen, and a cell with its own place and confidence", () => {
    const source = footage([], [[0, [
      line("Harbour", 0.1, 0.3),
      line("Castle", 0.1, 0.6),
      line("The docks and", 0.45, 0.3),
      line("a lighthouse", 0.45, 0.36),
      line("A tower", 0.45, 0.6),
      line("€15", 0.8, 0.3),
      line("€12", 0.8, 0.6)
    ]]])
    const frames = source.vision.frames.map((frame) => ({
      ...frame,
      text: frame.text.map((one) => one.text === "€15" ? { ...one, confidence: 0.5 } : one)
    }))
    const [passage] = makeSourceDocument({ ...source, vision: { ...source.vision, frames } }).passages
    const text = "Harbour | The docks and a lighthouse | €15"
    const span = (words: string) => ({
      passage: passage!,
      from: text.indexOf(words),
      to: text.indexOf(words) + words.length
    })
    expect(passage?.text).toBe(text)
    expect(quoteOf(span(text))).toBe("Harbour The docks and a lighthouse €15")
    expect(quoteOf(span("lighthouse | €15"))).toBe("lighthouse €15")
    expect([boxOf(span("€15")), sourceConfidence(span("€15"))]).toEqual([[
      0.8,
      0.3,
      expect.closeTo(0.3),
      expect.closeTo(0.05)
    ], 0.5])
    expect([quoteOf(span("and a")), boxOf(span("and a"))]).toEqual(["and a", [
      0.45,
      0.3,
      expect.closeTo(0.3),
      expect.closeTo(0.11)
    ]])
    expect(sourceConfidence(span("Harbour"))).toBe(0.97)
  })

  it("gives no heading to a frame without words", () => {
    expect(documentOf([], [[0, ["12:30"]]]).slides).toMatchObject([{ heading: null }])
  })

  it("takes a source without sound or pictures", () => {
    expect(makeSourceDocument(footage([]))).toMatchObject({ passages: [], slides: [] })
  })
})
