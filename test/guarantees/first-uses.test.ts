import { assert, it } from "vitest"
import { measureFirstUses } from "../../bench/idempotency.ts"
import { rounds } from "../support/Breadth.ts"

const many = rounds(15)

it("makes one job of 20 first uses of a key at the same moment over two API processes, as often as it is tried", async () => {
  const { bad_rounds, examples, jobs, keys } = await measureFirstUses(many)
  assert.deepStrictEqual({ bad_rounds, examples, jobs, keys }, { bad_rounds: 0, examples: [], jobs: many, keys: many })
})
