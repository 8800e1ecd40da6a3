import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { claimable } from "../../src/queue/LastSlot.ts"

const tenants = ["a", "b", "c"] as const
type Tenant = (typeof tenants)[number]

/** A worker that claims, or a task of a tenant that ends. */
const event = fc.oneof(
  fc.record({ kind: fc.constant("claim" as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant("end" as const), tenant: fc.constantFrom(...tenants) }),
  fc.record({ kind: fc.constant("arrive" as const), tenant: fc.constantFrom(...tenants), tasks: fc.nat(6) })
)

describe("claimable", () => {
  it("never lets one tenant hold every slot of two or more, whatever arrives, ends and is claimed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), fc.array(event, { maxLength: 60 }), (slots, events) => {
        const held = new Map<Tenant, number>()
        const line: Array<Tenant> = []
        const total = () => [...held.values()].reduce((sum, tasks) => sum + tasks, 0)
        for (const event of events) {
          if (event.kind === "arrive") line.push(...Array.from({ length: event.tasks }, () => event.tenant))
          else if (event.kind === "end") held.set(event.tenant, Math.max(0, (held.get(event.tenant) ?? 0) - 1))
          else {
            const free = slots - total()
            if (free === 0) continue
            const may = claimable(Math.min(event.count, free), { slots, held })
            assert.isAtLeast(may.count, 1)
            for (let taken = 0; taken < may.count; taken++) {
              const at = line.findIndex((tenant) => !may.without.includes(tenant))
              if (at === -1) break
              const [tenant] = line.splice(at, 1)
              held.set(tenant!, (held.get(tenant!) ?? 0) + 1)
            }
          }
          for (const [tenant, tasks] of held) assert.isAtMost(tasks, slots - 1, `${tenant} of ${slots}`)
        }
      })
    )
  })

  it("leaves no slot free that any tenant may have: asked again, it fills all but the one that nobody else wants", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), fc.nat(12), fc.nat(12), (slots, ofA, ofB) => {
        const held = new Map<Tenant, number>()
        const line: Array<Tenant> = [
          ...Array.from({ length: ofA }, () => "a" as const),
          ...Array.from({ length: ofB }, () => "b" as const)
        ]
        const total = () => [...held.values()].reduce((sum, tasks) => sum + tasks, 0)
        for (let before = -1; before !== total();) {
          before = total()
          if (before === slots) break
          const may = claimable(slots - before, { slots, held })
          for (let taken = 0; taken < may.count; taken++) {
            const at = line.findIndex((tenant) => !may.without.includes(tenant))
            if (at === -1) break
            const [tenant] = line.splice(at, 1)
            held.set(tenant!, (held.get(tenant!) ?? 0) + 1)
          }
        }
        const wanted = Math.min(ofA, slots - 1) + Math.min(ofB, slots - 1)
        assert.strictEqual(total(), Math.min(slots, wanted))
      })
    )
  })

  it("takes a pool of one slot, or of workers that do not tell, as it comes", () => {
    for (const slots of [null, 0, 1]) {
      assert.deepStrictEqual(claimable(3, { slots, held: new Map([["a", 7]]) }), { count: 3, without: [] })
    }
  })
})
