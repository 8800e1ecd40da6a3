import { assert, it } from "vitest"
import { measureFirstUses } from "../../bench/idempotency.ts"

it("makes one job of 20 first uses of a key at the same moment over two API processes, 15 times over", async () => {
  const { bad_rounds, examples, jobs, keys } = await measureFirstUses(15)
  assert.deepStrictEqual({ bad_rounds, examples, jobs, keys }, { bad_rounds: 0, examples: [], jobs: 15, keys: 15 })
})
