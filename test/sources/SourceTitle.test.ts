import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { titleOfAddress, titleOfMetadata } from "../../src/sources/SourceTitle.ts"

const base64 = (text: string) => Buffer.from(text).toString("base64")

describe("the title of a source", () => {
  it("is the last part of an address's path, decoded, and never of its query", () => {
    assert.strictEqual(titleOfAddress("https://example.com/a/Week%203.mp4?token=x#t=1"), "Week 3.mp4")
    assert.strictEqual(titleOfAddress("https://example.com/a/b/"), "b")
    assert.strictEqual(titleOfAddress("https://example.com/100%.mp4"), "100%.mp4")
    assert.strictEqual(titleOfAddress("s3://bucket/talks/one.mkv"), "one.mkv")
    assert.strictEqual(titleOfAddress("sample://product-demo"), "product-demo")
    assert.isUndefined(titleOfAddress("https://example.com/"))
  })

  it("is the filename that a tus client says, wherever it stands", () => {
    assert.strictEqual(titleOfMetadata(`filetype ${base64("video/mp4")},filename ${base64("Grüße.mp4")}`), "Grüße.mp4")
    assert.strictEqual(titleOfMetadata(`filename ${base64("a.mp4")}, is_private`), "a.mp4")
    for (const none of [null, undefined, "", "filename", `myfilename ${base64("a")}`]) {
      assert.isUndefined(titleOfMetadata(none))
    }
  })

  it("has at most 200 characters and none that hides or ends a line", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => {
      const title = titleOfMetadata(`filename ${base64(name)}`) ?? "x"
      assert.isAtMost([...title].length, 200)
      assert.notMatch(title, /[\p{Cc}\p{Cf}]/u)
      assert.notStrictEqual(title, "")
    }))
  })
})
