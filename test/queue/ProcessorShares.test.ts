import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { backlogged, type Demand, mostTasks, withinShares } from "../../src/queue/ProcessorShares.ts"

const demand = fc.record({
  held: fc.nat(9),
  waiting: fc.nat(9),
  weight: fc.constantFrom(0.5, 1, 2, 3),
  jobs: fc.integer({ min: 1, max: 9 })
})
const processors = fc.integer({ min: 1, max: 16 })
const demands = fc.array(demand, { maxLength: 6 }).map((some) => new Map(some.map((one, at) => [`t${at}`, one])))

const wanted = ({ held, waiting }: Demand) => held + waiting
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((all, one) => all + one, 0)

describe("mostTasks", () => {
  it("bounds nobody whom no other tenant wants anything beside, and gives each of several at least one", () => {
    fc.assert(fc.property(processors, demands, (processors, demands) => {
      const most = mostTasks({ processors, demands })
      const wanting = [...demands].filter(([, one]) => wanted(one) > 0)
      assert.deepStrictEqual([...most.keys()].toSorted(), wanting.map(([tenant]) => tenant).toSorted())
      for (const tasks of most.values()) assert.isAtLeast(tasks, 1)
      if (wanting.length === 1) assert.deepStrictEqual([...most.values()], [Infinity])
    }))
  })

  it("leaves each tenant its part of the processors by weight, whatever the others want", () => {
    fc.assert(fc.property(processors, demands, (processors, demands) => {
      const most = mostTasks({ processors, demands })
      const weights = sum([...most.keys()].map((tenant) => demands.get(tenant)!.weight))
      for (const [tenant, tasks] of most) {
        assert.isAtLeast(tasks, Math.floor(processors * demands.get(tenant)!.weight / weights))
      }
    }))
  })

  it("leaves no processor idle that anybody wants, and oversubscribes by less than one task for each tenant", () => {
    fc.assert(fc.property(processors, demands, (processors, demands) => {
      const most = mostTasks({ processors, demands })
      const used = sum(Array.from(most, ([tenant, tasks]) => Math.min(tasks, wanted(demands.get(tenant)!))))
      assert.isAtLeast(used, Math.min(processors, sum([...demands.values()].map(wanted))))
      if (most.size > 1) assert.isBelow(used, processors + most.size)
    }))
  })

  it("gives a tenant that wants little what it wants, and the rest to whoever wants more", () => {
    const demands = new Map([
      ["little", { held: 1, waiting: 0, weight: 1, jobs: 1 }],
      ["much", { held: 0, waiting: 50, weight: 1, jobs: 50 }]
    ])
    assert.strictEqual(mostTasks({ processors: 2, demands }).get("much"), 1)
    assert.strictEqual(mostTasks({ processors: 16, demands }).get("much"), 15)
  })
})

describe("withinShares", () => {
  it("never takes a tenant beyond its share, whichever tasks are taken", () => {
    fc.assert(fc.property(processors, demands, fc.integer({ min: 1, max: 9 }), (processors, demands, count) => {
      const standing = { processors, demands }
      const may = withinShares(count, standing)
      assert.isAtLeast(may.count, 1)
      for (const [tenant, most] of mostTasks(standing)) {
        const { held } = demands.get(tenant)!
        if (may.without.includes(tenant)) assert.isAtLeast(held, most)
        else assert.isAtMost(held + may.count, most)
      }
    }))
  })
})

describe("backlogged", () => {
  it("names nobody who has its share or less, and never all who want anything", () => {
    fc.assert(fc.property(processors, demands, (processors, demands) => {
      const behind = backlogged({ processors, demands })
      const wanting = [...demands].filter(([, one]) => wanted(one) > 0)
      const weights = sum(wanting.map(([, { weight }]) => weight))
      for (const tenant of behind) {
        const one = demands.get(tenant)!
        assert.isAbove(wanted(one), processors * one.weight / weights)
      }
      if (wanting.length > 0) assert.isBelow(behind.size, wanting.length)
    }))
  })

  it("names whoever has a hundred jobs beside one that has one, and not where there is room for all", () => {
    const demands = new Map([
      ["one", { held: 1, waiting: 1, weight: 1, jobs: 1 }],
      ["hundred", { held: 1, waiting: 3, weight: 1, jobs: 4 }]
    ])
    assert.deepStrictEqual([...backlogged({ processors: 2, demands })], ["hundred"])
    assert.deepStrictEqual([...backlogged({ processors: 8, demands })], [])
  })
})
