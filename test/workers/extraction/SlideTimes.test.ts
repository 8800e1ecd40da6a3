import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findTemplate } from "../../../src/schemas/Templates.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { type Footage, inputOf, lecture } from "./Footage.ts"
import { expectSound } from "./Soundness.ts"

/** The same pictures, each of which began so long before it was sampled. */
const begunBefore = (source: Footage, delays: ReadonlyArray<number>): Footage => {
  const at = (timestamp: number): number => {
    const delay = delays[(timestamp * 2) % delays.length]!
    return Math.max(0, Math.round((timestamp - delay) * 1000) / 1000)
  }
  const moved = <T extends { readonly timestamp: number }>(frames: ReadonlyArray<T>) =>
    frames.map((frame) => ({ ...frame, timestamp: at(frame.timestamp) }))
  return {
    ...source,
    frames: { ...source.frames, frames: moved(source.frames.frames) },
    vision: { ...source.vision, frames: moved(source.vision.frames) }
  }
}

const schema = findTemplate("lecture-notes")!.json_schema

describe("a slide's beginning and end", () => {
  it("are those of its frames by the container's clock, whenever pictures begin between two samples", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 499 }).map((ms) => ms / 1000), { minLength: 1, maxLength: 7 }),
        (delays) => {
          const source = begunBefore(lecture, delays)
          const out = extract(inputOf(schema, source))
          expect(out.evidence.spans.filter(({ origin }) => origin === "derived").length).toBeGreaterThan(4)
          expectSound(out, source, schema)
        }
      ),
      { numRuns: 15 }
    )
  })
})
