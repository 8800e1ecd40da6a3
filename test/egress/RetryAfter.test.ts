import { assert, it } from "@effect/vitest"
import { parseRetryAfter } from "../../src/egress/RetryAfter.ts"

it("Retry-After is read as seconds and as an HTTP date, and as nothing else", () => {
  const now = Date.UTC(2026, 0, 1)
  assert.strictEqual(parseRetryAfter("120", now), 120)
  assert.strictEqual(parseRetryAfter("120, 7", now), 120)
  assert.strictEqual(parseRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now), 60)
  assert.strictEqual(parseRetryAfter("Wed, 31 Dec 2025 00:00:00 GMT", now), 0)
  for (const text of [undefined, "", "soon", "-5"]) assert.isTrue([undefined, 0].includes(parseRetryAfter(text, now)))
})
