import { assert, it } from "@effect/vitest"
import { advisoryLocks } from "../../src/database/AdvisoryLocks.ts"

it("no two uses of advisory locks share a number, so none waits for another", () => {
  const numbers = Object.values(advisoryLocks)
  assert.strictEqual(new Set<number>(numbers).size, numbers.length)
})
