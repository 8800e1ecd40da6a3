import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { filenameIn, metadataOf } from "../../src/sources/UploadName.ts"

const base64 = (text: string) => Buffer.from(text).toString("base64")

const named = (header: string) => filenameIn(metadataOf(header) ?? null)

describe("the name of an upload", () => {
  it("is what Upload-Metadata calls filename, else name, and null where it calls nothing so", () => {
    assert.strictEqual(filenameIn(`name ${base64("b.mp4")},filename ${base64("Grüße.mp4")}`), "Grüße.mp4")
    assert.strictEqual(filenameIn(`filetype ${base64("video/mp4")}, name ${base64("b.mp4")}`), "b.mp4")
    for (const none of [null, "", "filename", "filetype dmlkZW8=", `filename ${base64(" \n")}`]) {
      assert.isNull(filenameIn(none))
    }
  })

  it("is what Content-Disposition calls it, in UTF-8 where it says so", () => {
    assert.strictEqual(named("attachment; filename=\"a \\\"b\\\".mp4\""), "a \"b\".mp4")
    assert.strictEqual(named("inline; filename=a.mp4; filename*=UTF-8''Gr%C3%BC%C3%9Fe.mp4"), "Grüße.mp4")
    assert.strictEqual(named("attachment; filename*=UTF-8''%zz; filename=a.mp4"), "a.mp4")
    assert.isUndefined(metadataOf(undefined))
    assert.isUndefined(metadataOf("attachment"))
  })

  it("has no folder, no control or direction character, and 255 characters at most, whatever is sent", () => {
    assert.strictEqual(filenameIn(`filename ${base64("C:\\Users\\a\\../b.mp4")}`), "b.mp4")
    assert.strictEqual(filenameIn(`filename ${base64("talk\u202E4pm.exe\u0000")}`), "talk4pm.exe")
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      const name = filenameIn(`filename ${base64(text)}`)
      if (name === null) return
      assert.notMatch(name, /[/\\\p{Cc}\p{Cf}]/u)
      assert.isAtMost(Array.from(name).length, 255)
      assert.strictEqual(name, filenameIn(`filename ${base64(name)}`))
    }))
  })
})
