import { assert, it } from "@effect/vitest"
import { stopUnderLoad } from "../../bench/drain.ts"

it("stopping API processes behind a balancer under load fails no request and loses no job", async () => {
  const report = await stopUnderLoad(2, 4)
  assert.deepStrictEqual(report.failures, [])
  assert.deepStrictEqual(report.badExits, [])
  assert.strictEqual(report.lost, 0)
  assert.isAbove(report.jobs, 8)
}, 240_000)
