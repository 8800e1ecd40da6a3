import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { deliverJobs } from "../../support/vendors/DeliveryRun.ts"
import type { Fault } from "../../support/vendors/FakeHttp.ts"
import { type FaultOf, kinds, openVendors } from "../../support/vendors/Vendors.ts"

/** Every third call goes wrong, each time in the next way. */
const everyThird = (): FaultOf => {
  const faults: ReadonlyArray<Fault> = [
    { kind: "close_after" },
    { kind: "429", retry_after: 1 },
    { kind: "500_after" },
    { kind: "close_before" },
    { kind: "html_after" },
    { kind: "500_before" },
    { kind: "redirect" }
  ]
  let calls = 0
  return () => {
    calls++
    return calls % 3 === 0 ? faults[(calls / 3) % faults.length] : undefined
  }
}

it.live(
  "a worker delivers every job to every kind, once where that can be, though every third call goes wrong",
  () =>
    Effect.gen(function*() {
      const vendors = yield* Effect.acquireRelease(
        Effect.promise(() => openVendors({ faultOf: everyThird(), lag_ms: 100 })),
        ({ close }) => Effect.promise(close)
      )
      const counts = yield* deliverJobs({
        vendors,
        kinds,
        jobs: 8,
        schedule: Array.from({ length: 30 }, () => "0.2").join(","),
        settle: { notion: 0.3, slack: 0.1 }
      })
      assert.deepStrictEqual(vendors.violations, [])
      for (const { again, exactly_once, kind, lost, too_early, unfinished } of counts) {
        assert.deepStrictEqual({ kind, lost, unfinished, too_early }, { kind, lost: 0, unfinished: 0, too_early: 0 })
        if (exactly_once) assert.strictEqual(again, 0, kind)
      }
    }).pipe(Effect.scoped),
  120_000
)
