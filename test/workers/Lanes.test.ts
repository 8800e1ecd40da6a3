import { assert, describe, it } from "@effect/vitest"
import { pools } from "../../src/processes/Pools.ts"
import { acceleratedLane } from "../../workers/Lanes.ts"

describe("acceleratedLane", () => {
  it("gives a process's GPU to speech wherever it is served", () => {
    for (const wish of ["auto", "cpu", "cuda", "webgpu"]) {
      assert.strictEqual(acceleratedLane(pools, wish), "speech")
      assert.strictEqual(acceleratedLane(["vision", "speech"], wish), "speech")
    }
  })

  it("gives it to vision alone where a provider is named, and to no other lane", () => {
    assert.strictEqual(acceleratedLane(["vision", "extraction"], "cuda"), "vision")
    assert.isUndefined(acceleratedLane(["vision", "extraction"], "auto"))
    assert.isUndefined(acceleratedLane(["media", "extraction", "delivery"], "cuda"))
  })
})
