import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  brokenAfterMillis,
  type DestinationEvent,
  type DestinationState,
  initialState,
  nextState
} from "../../../src/deliveries/model/DestinationState.ts"

const hour = 3600 * 1000

const event: fc.Arbitrary<DestinationEvent> = fc.oneof(
  fc.constantFrom<DestinationEvent>({ kind: "pause" }, { kind: "activate" }, { kind: "delivered" }, { kind: "gone" }),
  { weight: 4, arbitrary: fc.constant<DestinationEvent>({ kind: "failed" }) },
  fc.record({ kind: fc.constant("checked" as const), ok: fc.boolean(), final: fc.boolean() })
)

/** A life: what happened, and how many hours after the thing before it. */
const life = fc.array(fc.record({ event, hours: fc.integer({ min: 0, max: 60 }) }), { maxLength: 40 })

interface Moment {
  readonly at: number
  readonly event: DestinationEvent
  readonly before: DestinationState
  readonly after: DestinationState
}

const lived = (steps: ReadonlyArray<{ readonly event: DestinationEvent; readonly hours: number }>) => {
  const moments: Array<Moment> = []
  let [state, at] = [initialState, 0]
  for (const { event, hours } of steps) {
    at += hours * hour
    const after = nextState(state, event, at)
    moments.push({ at, event, before: state, after })
    state = after
  }
  return moments
}

/** The rule as it is written: failures reach back five days, and nothing among them ended the count. */
const failedForFiveDays = (moments: ReadonlyArray<Moment>, upTo: number): boolean => {
  let first = moments[upTo]!.at
  for (let step = upTo; step >= 0; step--) {
    const { after, at, before, event } = moments[step]!
    if (event.kind === "delivered" || event.kind === "pause") break
    // Whatever makes it active again gives it the whole time anew.
    if (before.status !== "active" && after.status === "active") break
    if (event.kind === "failed" || event.kind === "gone") first = at
  }
  return moments[upTo]!.at - first >= brokenAfterMillis
}

describe("the state of a destination", () => {
  it("is paused exactly while the owner's last word was a pause", () => {
    fc.assert(fc.property(life, (steps) => {
      let paused = false
      for (const { after, event } of lived(steps)) {
        if (event.kind === "pause") paused = true
        if (event.kind === "activate") paused = false
        assert.strictEqual(after.status === "paused", paused)
      }
    }))
  })

  it("becomes broken by a final check, a 410 or five days of failure without a success, and by nothing else", () => {
    fc.assert(
      fc.property(life, (steps) => {
        const moments = lived(steps)
        for (const [at, { after, before, event }] of moments.entries()) {
          if (before.status !== "active") continue
          const breaks = event.kind === "gone" || (event.kind === "checked" && !event.ok && event.final)
            || (event.kind === "failed" && failedForFiveDays(moments, at))
          assert.strictEqual(after.status === "broken", breaks, JSON.stringify(moments.slice(0, at + 1)))
        }
      }),
      { numRuns: 2000 }
    )
  })

  it("stops being broken by a good check or the owner's word, and by nothing else", () => {
    fc.assert(fc.property(life, (steps) => {
      for (const { after, before, event } of lived(steps)) {
        if (before.status !== "broken") continue
        const heals = event.kind === "activate" || (event.kind === "checked" && event.ok)
        assert.strictEqual(after.status, event.kind === "pause" ? "paused" : heals ? "active" : "broken")
      }
    }))
  })

  it("counts five days to the millisecond, from the first failure after the last success", () => {
    const failing = nextState(initialState, { kind: "failed" }, 1000)
    assert.strictEqual(nextState(failing, { kind: "failed" }, 1000 + brokenAfterMillis - 1).status, "active")
    assert.strictEqual(nextState(failing, { kind: "failed" }, 1000 + brokenAfterMillis).status, "broken")
    const recovered = nextState(failing, { kind: "delivered" }, 2000)
    assert.strictEqual(nextState(recovered, { kind: "failed" }, 1000 + brokenAfterMillis).status, "active")
  })
})
