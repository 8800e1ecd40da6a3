import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Batch, type BatchLimits, makeBatchQueue, padByQuarters } from "../../../workers/onnx/BatchQueue.ts"

interface Item {
  readonly tenant_id: string
  readonly length: number
  readonly order: number
}

const item = fc.record({ tenant_id: fc.constantFrom("a", "b", "c", "d"), length: fc.integer({ min: 1, max: 2001 }) })
/** What happens to a queue: items come, runs are taken. */
const steps = fc.array(
  fc.oneof({ weight: 3, arbitrary: item }, { weight: 1, arbitrary: fc.constant("take" as const) }),
  {
    maxLength: 200
  }
)
const limits: fc.Arbitrary<BatchLimits> = fc.record({
  items: fc.integer({ min: 1, max: 16 }),
  frames: fc.integer({ min: 1, max: 20_000 }),
  pad: fc.constantFrom(padByQuarters, (length: number) => length)
})

/** Plays the steps and then empties the queue; `before` sees what waits when a run is taken, oldest first. */
const play = (
  limits: BatchLimits,
  script: ReadonlyArray<"take" | Omit<Item, "order">>,
  seen: (batch: Batch<Item>, waiting: ReadonlyArray<Item>) => void = () => {}
) => {
  const queue = makeBatchQueue<Item>(limits)
  const added: Array<Item> = []
  const taken: Array<Batch<Item>> = []
  const left = new Set<Item>()
  const take = () => {
    const waiting = [...left]
    const batch = queue.take()
    if (batch === undefined) return
    taken.push(batch)
    for (const one of batch.items) assert.isTrue(left.delete(one), "an item was given twice or never added")
    seen(batch, waiting)
  }
  for (const step of script) {
    if (step === "take") {
      take()
      continue
    }
    const one = { ...step, order: added.length }
    added.push(one)
    left.add(one)
    queue.add(one)
  }
  while (queue.size() > 0) take()
  return { added, taken, left }
}

const numbered = (order: number): Item => ({ tenant_id: "a", length: 100, order })

describe("BatchQueue", () => {
  it("gives every item once and loses none", () => {
    fc.assert(fc.property(limits, steps, (limits, script) => {
      const { added, left, taken } = play(limits, script)
      assert.strictEqual(left.size, 0)
      assert.deepStrictEqual(
        taken.flatMap(({ items }) => items).toSorted((a, b) => a.order - b.order),
        added
      )
    }))
  })

  it("keeps a run to one padded length, to its number of items and to its padded frames", () => {
    fc.assert(fc.property(limits, steps, (limits, script) => {
      play(limits, script, ({ items, length }) => {
        for (const one of items) assert.strictEqual(limits.pad(one.length), length)
        assert.isAtLeast(items.length, 1)
        assert.isAtMost(items.length, limits.items)
        if (items.length > 1) assert.isAtMost(items.length * length, limits.frames)
      })
    }))
  })

  it("leaves no room while an item of the run's length waits", () => {
    fc.assert(fc.property(limits, steps, (limits, script) => {
      play(limits, script, ({ items, length }, waiting) => {
        const fitting = waiting.filter((one) => limits.pad(one.length) === length)
        const room = Math.max(1, Math.min(limits.items, Math.floor(limits.frames / length)))
        assert.strictEqual(items.length, Math.min(room, fitting.length))
      })
    }))
  })

  it("shares a run between tenants to within one item, as long as they have items of its length", () => {
    fc.assert(fc.property(limits, steps, (limits, script) => {
      play(limits, script, ({ items, length }, waiting) => {
        const share = (tenant_id: string) => items.filter((one) => one.tenant_id === tenant_id).length
        const most = Math.max(...["a", "b", "c", "d"].map(share))
        for (const tenant_id of ["a", "b", "c", "d"]) {
          const had = waiting.filter((one) => one.tenant_id === tenant_id && limits.pad(one.length) === length).length
          assert.isAtLeast(share(tenant_id), Math.min(had, most - 1))
        }
      })
    }))
  })

  it("takes a tenant's oldest item of a length first", () => {
    fc.assert(fc.property(limits, steps, (limits, script) => {
      play(limits, script, ({ items, length }, waiting) => {
        for (const [tenant_id, own] of Map.groupBy(items, (one) => one.tenant_id)) {
          const oldest = waiting.filter((one) => one.tenant_id === tenant_id && limits.pad(one.length) === length)
          assert.deepStrictEqual(own, oldest.slice(0, own.length))
        }
      })
    }))
  })

  it("lets an item with `a` older ones of its tenant wait for (a + 1) × tenants runs at most, however odd its length", () => {
    fc.assert(fc.property(limits, steps, (limits, script) => {
      const deadline = new Map<Item, number>()
      let run = 0
      play(limits, script, ({ items }, waiting) => {
        for (const one of waiting) {
          if (deadline.has(one)) continue
          const older = waiting.filter((other) => other.tenant_id === one.tenant_id && other.order < one.order).length
          deadline.set(one, run + (older + 1) * 4)
        }
        run++
        for (const one of items) assert.isAtMost(run, deadline.get(one)!)
      })
    }))
  })

  it("does not let a tenant that floods one length delay another tenant's odd one", () => {
    const queue = makeBatchQueue<Item>({ items: 8, frames: 1e6, pad: padByQuarters })
    for (let order = 0; order < 500; order++) queue.add({ tenant_id: "flood", length: 1000, order })
    queue.add({ tenant_id: "small", length: 37, order: 500 })
    const first = queue.take()!
    const second = queue.take()!
    assert.deepStrictEqual(first.items.map((one) => one.order), [0, 1, 2, 3, 4, 5, 6, 7])
    assert.deepStrictEqual(second.items.map((one) => one.order), [500])
  })

  it("gives no item that was removed, and says of one that a run has taken that it is too late", () => {
    const queue = makeBatchQueue<Item>({ items: 2, frames: 1e6, pad: padByQuarters })
    const items = [numbered(0), numbered(1), numbered(2), numbered(3)] as const
    for (const one of items) queue.add(one)
    assert.isTrue(queue.remove(items[1]))
    assert.isFalse(queue.remove(items[1]))
    assert.deepStrictEqual(queue.take()!.items, [items[0], items[2]])
    assert.isFalse(queue.remove(items[0]))
    assert.isTrue(queue.remove(items[3]))
    assert.strictEqual(queue.size(), 0)
    assert.isUndefined(queue.take())
  })
})

describe("padByQuarters", () => {
  it("pads by at most a quarter and 16 frames, never shrinks, and never sorts a longer item below a shorter one", () => {
    for (let length = 1, before = 0; length < 4000; length++) {
      const padded = padByQuarters(length)
      assert.isAtLeast(padded, length)
      assert.isAtLeast(padded, before)
      if (length > 64) assert.isAtMost(padded, length * 1.25 + 16)
      before = padded
    }
  })
})
