import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { FrameParser } from "../../../workers/media/CodedFrame.ts"
import {
  FIRST_OWN,
  GROUP_TICKS,
  type GroupedPacket,
  type Grouping,
  PacketGroups
} from "../../../workers/media/PacketGroups.ts"
import { NotSieved } from "../../../workers/media/PacketSieve.ts"

/** Samples lie on pictures and between them. */
const TICK = 1 / 90
const STEP = GROUP_TICKS / 2

/** A packet is its own number, and whether it begins anew. */
const parse: FrameParser = (packet) => [
  { from: 0, to: packet.length, uses: packet[2] === 1 ? 0 : 1, stores: 1, shown: true, essential: false }
]
const numberOf = (packet: Uint8Array): number => packet[0]! * 256 + packet[1]!

interface Drawn {
  readonly key: boolean
  readonly after: number
}

const streams = fc.array(
  fc.record({
    key: fc.oneof({ weight: 1, arbitrary: fc.constant(true) }, { weight: 4, arbitrary: fc.constant(false) }),
    after: fc.integer({ min: 1, max: 60 })
  }),
  { minLength: 1, maxLength: 120 }
)

const written = (drawing: ReadonlyArray<Drawn>) => {
  let ticks = -drawing[0]!.after
  return drawing.map(({ after, key }, number) => {
    ticks += after
    const packet = Uint8Array.of(number >> 8, number & 255, key || number === 0 ? 1 : 0)
    return { ticks: BigInt(ticks), at: Math.round(ticks * TICK * GROUP_TICKS), packet }
  })
}

const dealt = (drawing: ReadonlyArray<Drawn>, decoders: number, most = 1000) => {
  const stream = written(drawing)
  const groups = new PacketGroups(parse, { tick: TICK, decoders, first: 0, most })
  const samples = Math.floor(stream.at(-1)!.at / STEP) + 1
  const parts: ReadonlyArray<Grouping> = [
    ...stream.map(({ packet, ticks }) => groups.push(ticks, packet)),
    groups.finish(samples)
  ]
  const packets = parts.flatMap((part) => part.packets)
  return {
    stream,
    samples,
    shown: parts.flatMap((part) => part.samples),
    of: Array.from({ length: decoders }, (_, decoder) => packets.filter((packet) => packet.decoder === decoder)),
    ends: Array.from({ length: decoders }, (_, decoder) => groups.end(decoder))
  }
}

const shownAt = (packets: ReadonlyArray<GroupedPacket>, ticks: number) =>
  packets.findLast((packet) => Number(packet.ticks) <= ticks)!

const steps = (...after: ReadonlyArray<number>) => after.map((ticks) => ({ key: false, after: ticks }))

describe("PacketGroups", () => {
  const decoders = fc.integer({ min: 1, max: 4 })

  it("shows at every sample the picture that one decoder would show, by its own time and at the time that it has", () =>
    fc.assert(fc.property(streams, decoders, (drawing, count) => {
      const { of, samples, shown, stream } = dealt(drawing, count)
      assert.lengthOf(shown, samples)
      const own = Array.from({ length: count }, () => FIRST_OWN)
      for (const [sample, { decoder, lag }] of shown.entries()) {
        const expected = stream.findLast(({ at }) => at <= sample * STEP)!
        const at = own[decoder]!++
        const { packet, ticks } = shownAt(of[decoder]!, at * STEP)
        assert.strictEqual(numberOf(packet), numberOf(expected.packet))
        assert.strictEqual(Number(ticks) + lag * STEP, expected.at)
      }
    })))

  it("gives each decoder whole beginnings of groups, in times that rise from 0 to its end", () =>
    fc.assert(fc.property(streams, decoders, (drawing, count) => {
      const { ends, of, stream } = dealt(drawing, count)
      for (const [decoder, packets] of of.entries()) {
        let before = -1
        let latest = -1n
        for (const { packet, ticks } of packets) {
          const number = numberOf(packet)
          assert.isTrue(packet[2] === 1 || number === before + 1, `packet ${number} behind ${before}`)
          assert.isTrue(ticks > latest && ticks >= 0n && ticks < ends[decoder]!)
          before = number
          latest = ticks
        }
      }
      // One behind the other they come as they stood.
      const numbers = of.flat().map(({ packet }) => numberOf(packet))
      assert.strictEqual(new Set(numbers).size, numbers.length)
      assert.isAtMost(numbers.length, stream.length)
    })))

  it("leaves out what lies behind the last sample of a group, and groups without a sample", () => {
    const key = { key: true, after: 10 }
    // At 0, 10, 40, 50 | 60 | 70, 95.
    const { of } = dealt([{ key: true, after: 0 }, ...steps(10, 30, 10), key, key, ...steps(25)], 2)
    assert.deepStrictEqual(of.map((packets) => packets.map(({ packet }) => numberOf(packet))), [[0, 1, 2], [5]])
  })

  it("deals groups out in turn", () => {
    const { shown } = dealt(Array.from({ length: 6 }, () => ({ key: true, after: 90 })), 3)
    assert.deepStrictEqual(shown.map(({ decoder }) => decoder), [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2])
  })

  it("refuses what begins without a key picture, goes back in time, or has a group longer than it may be", () => {
    const rules = { tick: TICK, decoders: 2, first: 0, most: 3 }
    const key = Uint8Array.of(0, 0, 1)
    const other = Uint8Array.of(0, 1, 0)
    assert.throws(() => new PacketGroups(parse, rules).push(0n, other), NotSieved)
    assert.throws(() => new PacketGroups(() => null, rules).push(0n, key), NotSieved)
    const back = new PacketGroups(parse, rules)
    back.push(90n, key)
    assert.throws(() => back.push(80n, other), NotSieved)
    const long = new PacketGroups(parse, rules)
    long.push(0n, key)
    long.push(120n, other)
    assert.throws(() => long.push(200n, other), NotSieved)
  })
})
