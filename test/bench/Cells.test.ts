import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { simulateMove } from "../../bench/cells/Move.ts"
import { place, type Policy, ranked } from "../../bench/cells/Placement.ts"

const cells = fc.uniqueArray(
  fc.record({ name: fc.string({ minLength: 1 }), size: fc.double({ min: 0.1, max: 10, noNaN: true }) }),
  { minLength: 2, maxLength: 8, selector: ({ name }) => name }
)
const policy = fc.constantFrom<Policy>("first", "lighter of two", "lightest")

describe("the router before several cells", () => {
  it("leaves the order of all other cells as it was when one goes", () => {
    fc.assert(fc.property(fc.string(), cells, fc.nat(), (tenant, all, at) => {
      const gone = all[at % all.length]!
      const names = (some: typeof all) => ranked(tenant, some).map(({ name }) => name)
      assert.deepStrictEqual(
        names(all.filter((cell) => cell !== gone)),
        names(all).filter((name) => name !== gone.name)
      )
    }))
  })

  it("leaves every tenant where it is when a cell is added", () => {
    fc.assert(fc.property(cells, policy, (all, by) => {
      const tenants = Array.from({ length: 20 }, (_, at) => ({ id: `ten_${at}`, load: 1 / (at + 1) }))
      const before = place(tenants, all.slice(1), by)
      assert.deepStrictEqual(place(tenants, all, by, before), before)
    }))
  })

  it("loses no write of a tenant that moves, where the mover waits as long as a router believes what it has read", () => {
    const move = fc.record({
      routers: fc.integer({ min: 1, max: 10 }),
      ttl: fc.integer({ min: 1, max: 40 }),
      copy: fc.integer({ min: 0, max: 40 }),
      writes: fc.integer({ min: 1, max: 3 })
    })
    fc.assert(
      fc.property(
        move,
        fc.nat(20),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (one, more, draws) => {
          const random = () => draws.next().value as number
          assert.strictEqual(simulateMove({ ...one, wait: one.ttl + more, random }).lost, 0)
        }
      )
    )
    const early = simulateMove({ routers: 8, ttl: 30, wait: 0, copy: 60, writes: 1, random: () => 0.5 })
    assert.isAbove(early.lost, 0)
  })
})
