import assert from "node:assert/strict"
import { describe, test } from "vitest"
import { openUri, shownUri } from "../../src/sources/ShownUri.ts"

describe("a source's address as it is shown", () => {
  test.each([
    ["https://u:p@example.com/a.mp4", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?X-Amz-Signature=1&v=2", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?sv=2020&sig=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?token=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?jwt=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?pass=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?pwd=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?hmac=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?download=1&ID=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?eyJhbGciOi.J9.x", "https://example.com/a.mp4"],
    ["https://cdn.example.com/a.mp4?hdnts=exp=1799999999~acl=/*~hmac=aa", "https://cdn.example.com/a.mp4"],
    ["https://player.vimeo.com/external/1.hd.mp4?s=a&profile_id=1", "https://player.vimeo.com/external/1.hd.mp4"],
    ["https://us02web.zoom.us/rec/download/a?access_token=b", "https://us02web.zoom.us/rec/download/a"],
    [`https://example.com/a.mp4?id=${"a".repeat(65)}`, "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?t=1~b", "https://example.com/a.mp4"],
    [`https://example.com/a.mp4?id=${"a".repeat(64)}`, `https://example.com/a.mp4?id=${"a".repeat(64)}`],
    ["https://example.com/watch?v=abc", "https://example.com/watch?v=abc"],
    ["https://example.com/a.mp4?start=1.5&end=1h2m&raw", "https://example.com/a.mp4?start=1.5&end=1h2m&raw"],
    [
      "https://drive.google.com/uc?export=download&id=1aB-_c",
      "https://drive.google.com/uc?export=download&id=1aB-_c"
    ],
    ["https://example.com/a#t=3", "https://example.com/a"],
    ["upload://upl_1", "upload://upl_1"],
    ["s3://bucket/key", "s3://bucket/key"]
  ])("%s", (uri, shown) => assert.equal(shownUri(uri), shown))

  test("is a link only where nothing of it had to be left out", () => {
    assert.equal(openUri("https://example.com/a.mp4?v=abc"), "https://example.com/a.mp4?v=abc")
    assert.equal(openUri("https://example.com/a.mp4?jwt=abc"), undefined)
    assert.equal(openUri("https://u:p@example.com/a.mp4"), undefined)
  })
})
