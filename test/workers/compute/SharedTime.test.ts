import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { setImmediate as turn } from "node:timers/promises"
import { makeSharedTime } from "../../../workers/compute/SharedTime.ts"

/** Work on a clock that stands still until it is set: `start` begins it, `end` ends it and gives its share. */
const lab = () => {
  const clock = { at: 0 }
  const time = makeSharedTime(() => clock.at)
  return {
    clock,
    start: () => {
      const { promise, reject, resolve } = Promise.withResolvers<string>()
      const measured = time.measure(() => promise)
      return {
        end: async () => {
          resolve("done")
          return (await measured).seconds
        },
        fail: async () => {
          reject(new Error("failed"))
          await measured.catch(() => {})
        }
      }
    }
  }
}

describe("SharedTime", () => {
  it("gives a call that is alone all of its time, and calls at once an equal part of it", async () => {
    const { clock, start } = lab()
    const first = start()
    clock.at = 1000
    const second = start()
    clock.at = 3000
    assert.strictEqual(await first.end(), 2)
    clock.at = 4000
    assert.strictEqual(await second.end(), 2)
    clock.at = 9000
    const third = start()
    clock.at = 9500
    assert.strictEqual(await third.end(), 0.5)
  })

  it("charges nobody for a call that has failed", async () => {
    const { clock, start } = lab()
    const failing = start()
    const staying = start()
    clock.at = 1000
    await failing.fail()
    clock.at = 2000
    assert.strictEqual(await staying.end(), 1.5)
  })

  it("hands out exactly the time in which there was any call, however they overlap", async () => {
    const call = fc.record({ from: fc.nat(30), takes: fc.nat(30) })
    await fc.assert(fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 8 }), async (calls) => {
      const { clock, start } = lab()
      const started: Array<ReturnType<typeof start>> = []
      let shared = 0
      let busy = 0
      for (clock.at = 0; clock.at <= 60; clock.at++) {
        const { at } = clock
        if (calls.some(({ from, takes }) => from <= at && at < from + takes)) busy++
        for (const [i, { from }] of calls.entries()) if (from === at) started[i] = start()
        for (const [i, { from, takes }] of calls.entries()) if (from + takes === at) shared += await started[i]!.end()
      }
      assert.approximately(shared, busy / 1000, 1e-9)
    }))
  })

  it("gives what the work gives", async () => {
    const time = makeSharedTime()
    assert.strictEqual((await time.measure(() => turn("value"))).value, "value")
  })
})
