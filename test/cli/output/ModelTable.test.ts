import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { renderFetch } from "../../../src/cli/output/ModelTable.ts"

describe("renderFetch", () => {
  const name = "hub:owner/model/encoder.int8.onnx"

  it("names the file and how many megabytes of it are here", () => {
    const line = renderFetch({ name, received: 267_500_000, total: 622_000_000 }, 120)
    assert.include(line, " 43 %  encoder.int8.onnx  267.5 / 622.0 MB")
    assert.strictEqual(renderFetch({ name, received: 1_500_000, total: null }, 120), "encoder.int8.onnx  1.5 MB")
  })

  it("never fills a terminal's whole line and never claims more than all", () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat()), fc.integer({ min: 2, max: 300 }), (received, total, width) => {
        const line = renderFetch({ name, received, total }, width)
        assert.isBelow(line.length, width)
        const percent = /(\d+) %/u.exec(line)?.[1]
        if (percent !== undefined) assert.isAtMost(Number(percent), 100)
      })
    )
  })
})
