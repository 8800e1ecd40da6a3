import assert from "node:assert/strict"
import { describe, test } from "vitest"
import { shownUri } from "../../src/sources/ShownUri.ts"

describe("a source's address as it is shown", () => {
  test.each([
    ["https://u:p@example.com/a.mp4", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?X-Amz-Signature=1&v=2", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?sv=2020&sig=abc", "https://example.com/a.mp4"],
    ["https://example.com/a.mp4?token=abc", "https://example.com/a.mp4"],
    ["https://example.com/watch?v=abc", "https://example.com/watch?v=abc"],
    ["https://example.com/a#t=3", "https://example.com/a"],
    ["upload://upl_1", "upload://upl_1"],
    ["s3://bucket/key", "s3://bucket/key"]
  ])("%s", (uri, shown) => assert.equal(shownUri(uri), shown))
})
