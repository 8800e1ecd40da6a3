import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { renderProgress } from "../../../src/cli/output/ProgressBar.ts"

describe("renderProgress", () => {
  it("names the stage and the media seconds that are through", () => {
    const line = renderProgress({ stage: "transcribe", fraction: 0.5, duration_seconds: 84 }, 120)
    assert.include(line, " 50 %  transcribe  42.0 / 84.0 s")
  })

  it("says nothing about seconds before the length is known", () => {
    assert.isTrue(renderProgress({ stage: "fetch", fraction: 0, duration_seconds: null }, 120).endsWith("0 %  fetch"))
  })

  it("never fills a terminal's whole line and never claims more than all", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1, max: 2 }),
        fc.integer({ min: 2, max: 300 }),
        (fraction, columns) => {
          const line = renderProgress({ stage: "describe", fraction, duration_seconds: 10 }, columns)
          assert.isBelow(line.length, columns)
          const percent = /(\d+) %/u.exec(line)?.[1]
          if (percent !== undefined) assert.isAtMost(Number(percent), 100)
        }
      )
    )
  })
})
