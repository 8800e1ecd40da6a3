import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { inlineAs, mediaTypeOf } from "../../src/media/MediaType.ts"

describe("what a browser is told of a source", () => {
  it("is video or audio or nothing that runs, whatever the container is called", () => {
    assert.strictEqual(mediaTypeOf("mp4", true), "video/mp4")
    assert.strictEqual(mediaTypeOf("mp4", false), "audio/mp4")
    fc.assert(fc.property(fc.string(), fc.boolean(), (container, has_video) => {
      assert.match(mediaTypeOf(container, has_video), /^((video|audio)\/[\w.+-]+|application\/(octet-stream|mxf))$/u)
    }))
  })

  it("names the file in ASCII, and once more with the letters that ASCII has not", () => {
    assert.strictEqual(inlineAs("talk 3.mp4", "job_1"), "inline; filename=\"talk 3.mp4\"")
    assert.strictEqual(
      inlineAs("Grüße.mp4", "job_1"),
      "inline; filename=\"Gr__e.mp4\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.mp4"
    )
    assert.strictEqual(inlineAs(null, "job_1"), "inline; filename=\"job_1\"")
  })

  it("is one header of one line that no name breaks out of", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => {
      const form = /^inline; filename="[^"\\%;\p{Cc}\P{ASCII}]+"(; filename\*=UTF-8''[\w.!~%-]+)?$/u
      assert.match(inlineAs(name, "job_1"), form)
    }))
  })
})
