import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { FrameParser } from "../../../../workers/media/codec/CodedFrame.ts"
import { type Grouping, PacketGroups } from "../../../../workers/media/codec/PacketGroups.ts"
import { NotPruned } from "../../../../workers/media/codec/ReferencePruning.ts"

/** Samples lie on pictures and between them. */
const TICK = 1 / 90
const TICKS_PER_SAMPLE = 45

/** A packet is its own number, whether it begins anew, and whether it is seen. */
const parse: FrameParser = (packet) => [
  {
    from: 0,
    to: packet.length,
    uses: packet[2] === 1 ? 0 : 1,
    stores: 1,
    shown: packet[3] === 1,
    essential: false
  }
]
const numberOf = (packet: Uint8Array): number => packet[0]! * 256 + packet[1]!

interface Drawn {
  readonly key: boolean
  readonly after: number
  readonly shown: boolean
}

const seldom = fc.oneof({ weight: 1, arbitrary: fc.constant(true) }, { weight: 4, arbitrary: fc.constant(false) })
const streams = fc.array(
  fc.record({ key: seldom, after: fc.integer({ min: 1, max: 60 }), shown: seldom.map((hidden) => !hidden) }),
  { minLength: 1, maxLength: 120 }
)

const written = (drawing: ReadonlyArray<Drawn>) => {
  let ticks = -drawing[0]!.after
  return drawing.map(({ after, key, shown }, number) => {
    ticks += after
    // The first is a key picture that is seen.
    const marks = number === 0 ? [1, 1] : [key ? 1 : 0, shown ? 1 : 0]
    return { ticks, shown: marks[1] === 1, packet: Uint8Array.of(number >> 8, number & 255, ...marks) }
  })
}

const dealt = (drawing: ReadonlyArray<Drawn>, decoders: number, most = 1000) => {
  const stream = written(drawing)
  const groups = new PacketGroups(parse, { tick: TICK, decoders, first: 0, most })
  const samples = Math.floor(stream.at(-1)!.ticks / TICKS_PER_SAMPLE) + 1
  const parts: ReadonlyArray<Grouping> = [
    ...stream.map(({ packet, ticks }) => groups.push(BigInt(ticks), packet)),
    groups.finish(samples)
  ]
  const packets = parts.flatMap((part) => part.packets)
  return {
    stream,
    samples,
    shown: parts.flatMap((part) => part.samples),
    of: Array.from({ length: decoders }, (_, decoder) => packets.filter((packet) => packet.decoder === decoder))
  }
}

const steps = (...after: ReadonlyArray<number>) => after.map((ticks) => ({ key: false, after: ticks, shown: true }))

describe("PacketGroups", () => {
  const decoders = fc.integer({ min: 1, max: 4 })

  it("shows at every sample the picture that one decoder would show, and when that begins", () =>
    fc.assert(fc.property(streams, decoders, (drawing, count) => {
      const { of, samples, shown, stream } = dealt(drawing, count)
      assert.lengthOf(shown, samples)
      const wanted = of.map((packets) => packets.filter((packet) => packet.wanted).values())
      let number = -1
      for (const [sample, { begins, decoder }] of shown.entries()) {
        const expected = stream.findLast((one) => one.shown && one.ticks <= sample * TICKS_PER_SAMPLE)!
        if (decoder !== null) number = numberOf(wanted[decoder]!.next().value!.packet)
        assert.strictEqual(number, numberOf(expected.packet))
        assert.approximately(begins, expected.ticks * TICK, 1e-6)
      }
      for (const rest of wanted) assert.isTrue(rest.next().done)
    })))

  it("gives each decoder whole beginnings of groups, each with a wanted picture at its end", () =>
    fc.assert(fc.property(streams, decoders, (drawing, count) => {
      const { of, stream } = dealt(drawing, count)
      for (const packets of of) {
        let before = -1
        for (const { packet } of packets) {
          const number = numberOf(packet)
          const isBeginning = packet[2] === 1 && packet[3] === 1
          assert.isTrue(isBeginning || number === before + 1, `packet ${number} behind ${before}`)
          before = number
        }
        const ends = packets.filter((_, nth) => packets[nth + 1]?.packet[2] === 1 && packets[nth + 1]?.packet[3] === 1)
        assert.isTrue([...ends, ...packets.slice(-1)].every((packet) => packet.wanted))
      }
      // One behind the other they come as they stood.
      const numbers = of.flat().map(({ packet }) => numberOf(packet))
      assert.strictEqual(new Set(numbers).size, numbers.length)
      assert.isAtMost(numbers.length, stream.length)
    })))

  it("leaves out what lies behind the last sample of a group, and groups without a sample", () => {
    const key = { key: true, after: 10, shown: true }
    // At 0, 10, 40, 50 | 60 | 70, 95.
    const { of } = dealt([{ ...key, after: 0 }, ...steps(10, 30, 10), key, key, ...steps(25)], 2)
    assert.deepStrictEqual(of.map((packets) => packets.map(({ packet }) => numberOf(packet))), [[0, 1, 2], [5]])
  })

  it("deals groups out in turn", () => {
    const { shown } = dealt(Array.from({ length: 6 }, () => ({ key: true, after: 90, shown: true })), 3)
    const again = null
    assert.deepStrictEqual(
      shown.map(({ decoder }) => decoder),
      [0, again, 1, again, 2, again, 0, again, 1, again, 2]
    )
  })

  it("refuses what begins without a key picture, goes back in time, or has a group longer than it may be", () => {
    const rules = { tick: TICK, decoders: 2, first: 0, most: 3 }
    const key = Uint8Array.of(0, 0, 1, 1)
    const other = Uint8Array.of(0, 1, 0, 1)
    assert.throws(() => new PacketGroups(parse, rules).push(0n, other), NotPruned)
    assert.throws(() => new PacketGroups(() => null, rules).push(0n, key), NotPruned)
    const back = new PacketGroups(parse, rules)
    back.push(90n, key)
    assert.throws(() => back.push(80n, other), NotPruned)
    const long = new PacketGroups(parse, rules)
    long.push(0n, key)
    long.push(120n, other)
    assert.throws(() => long.push(200n, other), NotPruned)
  })
})
