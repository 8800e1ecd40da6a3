import { assert, it } from "@effect/vitest"
import { upgradeUnderLoad } from "../../bench/upgrade.ts"
import { whyNoRelease } from "../../bench/upgrade/LastRelease.ts"

const why = whyNoRelease()
if (why !== undefined) process.stdout.write(`Skipped, the upgrade from the last release: ${why}.\n`)

it.skipIf(why !== undefined)(
  "the last release is replaced by this version under load: no request fails, no job is lost, and its worker works on this schema",
  async () => {
    const report = await upgradeUnderLoad(3, 5)
    assert.deepStrictEqual(report.failures, [])
    assert.deepStrictEqual(report.badExits, [])
    assert.strictEqual(report.lost, 0)
    assert.isAtLeast(report.byOldWorker, 10)
  },
  240_000
)
