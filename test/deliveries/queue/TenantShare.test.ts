import * as fastCheck from "fast-check"
import assert from "node:assert/strict"
import { test } from "vitest"
import { mostInFlight } from "../../../src/deliveries/queue/CircuitBreaker.ts"
import {
  countUnderWay,
  hasRoom,
  noneUnderWay,
  roomAt,
  shareOut,
  standingOf
} from "../../../src/deliveries/queue/TenantShare.ts"

const endpoint = (
  name: string,
  one: { failures?: number; answered?: boolean; in_flight?: number; since?: number }
) => ({
  endpoint: name,
  failures: 0,
  answered: false,
  in_flight: 0,
  since: 0,
  ...one
})

test("240 receivers that hang leave one that answers its places, and one that is untried a turn", () => {
  const hanging = Array.from({ length: 240 }, (_, at) => endpoint(`hanging-${at}`, { failures: 1, since: at }))
  const given = shareOut(
    [...hanging, endpoint("well", { answered: true, since: 900 }), endpoint("untried", { since: 901 })],
    noneUnderWay,
    mostInFlight.tenant
  )
  const failing = [...given].filter(([name]) => name.startsWith("hanging"))
  assert.equal(failing.length, mostInFlight.failing)
  assert.equal(given.get("well"), mostInFlight.endpoint)
  assert.equal(given.get("untried"), mostInFlight.unproven - mostInFlight.failing)
})

test("a freed place goes to the endpoint with the fewest under way, of these to the one that has waited longest", () => {
  const waiting = [
    endpoint("busy", { answered: true, in_flight: 2, since: 1 }),
    endpoint("later", { answered: true, since: 3 }),
    endpoint("first", { answered: true, since: 2 })
  ]
  assert.deepEqual([...shareOut(waiting, { ...noneUnderWay, well: 2 }, 1)], [["first", 1]])
})

test("no endpoint gets more than its own room, no standing more than its share, no tenant more than 16", () => {
  const one = fastCheck.record({
    failures: fastCheck.integer({ min: 0, max: 8 }),
    answered: fastCheck.boolean(),
    in_flight: fastCheck.integer({ min: 0, max: 4 }),
    since: fastCheck.integer({ min: 0, max: 1000 })
  })
  fastCheck.assert(
    fastCheck.property(fastCheck.array(one, { maxLength: 60 }), fastCheck.integer({ min: 0, max: 20 }), (all, most) => {
      const waiting = all.map((each, at) => ({ ...each, endpoint: String(at) }))
      const before = countUnderWay(waiting)
      const given = shareOut(waiting, before, most)
      const after = { ...before }
      for (const each of waiting) {
        const more = given.get(each.endpoint) ?? 0
        after[standingOf(each)] += more
        if (more > 0) assert.ok(each.in_flight + more <= roomAt(each.failures))
      }
      const total = [...given.values()].reduce((sum, more) => sum + more, 0)
      assert.ok(total <= most)
      if (total > 0) {
        assert.ok(after.failing + after.untried + after.well <= mostInFlight.tenant)
        if (after.failing > before.failing) assert.ok(after.failing <= mostInFlight.failing)
        if (after.failing + after.untried > before.failing + before.untried) {
          assert.ok(after.failing + after.untried <= mostInFlight.unproven)
        }
      }
      // One that answers waits only where the tenant has no place left or it has all of its own.
      if (total < most && hasRoom("well", after)) {
        for (const each of waiting) {
          if (standingOf(each) === "well") {
            assert.ok(each.in_flight + (given.get(each.endpoint) ?? 0) >= roomAt(each.failures))
          }
        }
      }
    })
  )
})
