import { describe, expect, it } from "vitest"
import type { EvidenceSpan } from "../../../src/artifacts/Evidence.ts"
import { mediaFragment } from "../../../src/artifacts/MediaFragment.ts"
import { findTemplate } from "../../../src/schemas/Templates.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { demo, type Footage, inputOf, lecture } from "./Footage.ts"

type Cited = Pick<EvidenceSpan, "media_fragment" | "quote" | "source_ref" | "t_end" | "t_start">

const cited = (template: string, source: Footage) =>
  extract(inputOf(findTemplate(template)!.json_schema, source)).evidence.spans.flatMap((span): ReadonlyArray<Cited> =>
    [[span], span.corroborated_by, span.alternatives].flat()
  )

/** The box of the line on the frame that says the quote, where one line says all of it. */
const boxOf = ({ vision }: Footage, source_ref: string, quote: string) =>
  vision.frames.find((frame) => frame.source_ref === source_ref)?.text.find(({ text }) => text.includes(quote))?.box

describe("media fragments of evidence", () => {
  const sources = [["lecture-notes", lecture], ["product-demo", demo]] as const
  for (const [template, source] of sources) {
    it(`${template}: every citation links to its own seconds, and what was read to the line that says it`, () => {
      const citations = cited(template, source)
      expect(citations.length).toBeGreaterThan(3)
      let places = 0
      for (const { media_fragment, quote, source_ref, t_end, t_start } of citations) {
        expect(media_fragment.startsWith(mediaFragment({ t_start, t_end }, null))).toBe(true)
        const region = /&xywh=percent:(\d+),(\d+),(\d+),(\d+)$/u.exec(media_fragment)?.slice(1).map(Number)
        if (source_ref.startsWith("seg#")) expect(region).toBeUndefined()
        const box = boxOf(source, source_ref, quote)?.map((part) => part * 100)
        if (region === undefined || box === undefined) continue
        places += 1
        const [x, y, width, height] = box as [number, number, number, number]
        expect(region[0]).toBeLessThanOrEqual(x + 1e-5)
        expect(region[1]).toBeLessThanOrEqual(y + 1e-5)
        expect(region[0]! + region[2]!).toBeGreaterThanOrEqual(x + width - 1e-5)
        expect(region[1]! + region[3]!).toBeGreaterThanOrEqual(y + height - 1e-5)
        // The line and what wraps around it, never the whole slide.
        expect(region[3]).toBeLessThan(45)
      }
      expect(places).toBeGreaterThan(0)
    })
  }

  it("links words that wrap over two lines to the box around both", () => {
    const frame: Footage["vision"]["frames"][number] = {
      ...lecture.vision.frames[0]!,
      text: [
        { text: "The theory of", box: [0.1, 0.1, 0.5, 0.1], confidence: 0.9 },
        { text: "ocean tides", box: [0.1, 0.22, 0.4, 0.1], confidence: 0.9 }
      ]
    }
    const wrapped: Footage = { ...lecture, vision: { ...lecture.vision, frames: [frame] } }
    const title = cited("lecture-notes", wrapped).find(({ quote }) => quote === "The theory of ocean tides")
    expect(title?.media_fragment).toMatch(/&xywh=percent:10,10,50,22$/u)
  })
})
