import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { SAMPLES_PER_SECOND } from "../../../../src/artifacts/Frames.ts"
import type { CodedFrame, FrameParser } from "../../../../workers/media/codec/CodedFrame.ts"
import { NotPruned, ReferencePruner } from "../../../../workers/media/codec/ReferencePruning.ts"

type Drawn = Pick<CodedFrame, "uses" | "stores" | "essential">

interface Packet {
  readonly hidden: ReadonlyArray<Drawn>
  readonly shown: Drawn
  /** Ticks since the packet before it. */
  readonly after: number
}

/** Samples lie on pictures and between them; by the other clock only between them. */
const TICK = 1 / 90
const ODD_TICK = 1 / 89.7

const drawn = fc.record({
  uses: fc.nat(255),
  stores: fc.oneof(fc.constant(0), fc.nat(255)),
  essential: fc.constant(false)
})
const packets = fc.array(
  fc.record({ hidden: fc.array(drawn, { maxLength: 2 }), shown: drawn, after: fc.integer({ min: 0, max: 60 }) }),
  { minLength: 1, maxLength: 120 }
)

/** Each frame is three bytes: its number among all, and one that is no frame's. */
const written = (drawing: ReadonlyArray<Packet>) => {
  const frames: Array<CodedFrame> = []
  let ticks = 0
  const stream = drawing.map(({ after, hidden, shown }) => {
    ticks += after
    const bytes = [...hidden, shown].flatMap((frame, nth, all) => {
      const from = 3 * nth
      frames.push({ ...frame, from, to: from + 2, shown: nth === all.length - 1 })
      return [(frames.length - 1) >> 8, (frames.length - 1) & 255, 0xee]
    })
    return { ticks: BigInt(ticks), packet: Uint8Array.from(bytes) }
  })
  return { frames, stream }
}

/** The numbers in a packet, the frames that are left out skipped. */
const numbersIn = (packet: Uint8Array): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  for (let at = 0; at < packet.length;) {
    if (packet[at] === 0xee) at++
    else {
      numbers.push(packet[at]! * 256 + packet[at + 1]!)
      at += 2
    }
  }
  return numbers
}

const sieved = (drawing: ReadonlyArray<Packet>, tick = TICK) => {
  const { frames, stream } = written(drawing)
  const parse: FrameParser = (packet) => numbersIn(packet).map((number) => frames[number]!)
  const sieve = new ReferencePruner(parse, tick)
  const out = stream.flatMap(({ packet, ticks }) => sieve.push(ticks, packet)).concat(sieve.finish())
  return { frames, stream, out, kept: out.flatMap(({ packet }) => numbersIn(packet)) }
}

/** The picture on screen at each half second, as the times have it; the last stays. */
const samplesOf = (stream: ReadonlyArray<{ readonly ticks: bigint; readonly packet: Uint8Array }>, tick = TICK) => {
  const pictures = stream.map(({ packet, ticks }) => ({ at: Number(ticks) * tick, number: numbersIn(packet).at(-1)! }))
  const samples = new Set([pictures[0]!.number, pictures.at(-1)!.number])
  for (let sample = 0; sample / SAMPLES_PER_SECOND <= pictures.at(-1)!.at; sample++) {
    const picture = pictures.findLast(({ at }) => at <= sample / SAMPLES_PER_SECOND + 1e-9)
    if (picture !== undefined) samples.add(picture.number)
  }
  return samples
}

/** What each frame finds in the places that it uses, by the number of who put it there. */
const decoded = (frames: ReadonlyArray<CodedFrame>, order: Iterable<number>) => {
  const places = Array.from({ length: 8 }, () => -1)
  const found = new Map<number, string>()
  for (const number of order) {
    const { stores, uses } = frames[number]!
    found.set(number, places.filter((_, place) => (uses >> place) & 1).join())
    places.forEach((_, place) => (stores >> place) & 1 ? places[place] = number : undefined)
  }
  return found
}

const fast = (shown: Drawn, hidden: ReadonlyArray<Drawn> = []) => ({ hidden, shown, after: 1 })

describe("ReferencePruner", () => {
  it("lets every sampled picture through, with all that it is decoded with in its place, in order", () =>
    fc.assert(fc.property(packets, (drawing) => {
      const { frames, kept, stream } = sieved(drawing)
      assert.deepStrictEqual(kept, kept.toSorted((a, b) => a - b))
      const through = new Set(kept)
      for (const number of samplesOf(stream)) assert.isTrue(through.has(number), `picture ${number}`)
      const whole = decoded(frames, frames.keys())
      for (const [number, places] of decoded(frames, kept)) assert.strictEqual(places, whole.get(number))
    })))

  it("lets nothing through that neither a sample nor what it is decoded with needs", () =>
    fc.assert(fc.property(packets, (drawing) => {
      const { frames, kept, stream } = sieved(drawing, ODD_TICK)
      const whole = decoded(frames, frames.keys())
      const needed = new Set<number>()
      const open = [...samplesOf(stream, ODD_TICK)]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (next < 0 || needed.has(next)) continue
        needed.add(next)
        open.push(...whole.get(next)!.split(",").filter((place) => place !== "").map(Number))
      }
      assert.deepStrictEqual(kept, [...needed].toSorted((a, b) => a - b))
    })))

  it("keeps what changes how all that follows is read, and what is no frame's of a packet that is let through", () => {
    const still = { uses: 1, stores: 1, essential: false }
    const leaf = { uses: 1, stores: 0, essential: false }
    const changing = fast({ ...leaf, essential: true })
    const { kept, out } = sieved([
      fast(still),
      fast(leaf),
      fast(leaf),
      changing,
      fast(leaf),
      fast(still, [leaf]),
      fast(leaf)
    ])
    assert.deepStrictEqual(kept, [0, 3, 6, 7])
    assert.deepStrictEqual([...out[2]!.packet], [0xee, 0, 6, 0xee])
  })

  it("decodes what has waited too long, so that memory does not grow", () => {
    const frames: ReadonlyArray<CodedFrame> = [{ from: 0, to: 1, uses: 0, stores: 0, shown: false, essential: false }]
    const kept: CodedFrame = { ...frames[0]!, uses: 1, stores: 1 }
    const sieve = new ReferencePruner(() => [kept], 1)
    let waiting = 0
    for (let nth = 0; nth < 5000; nth++) {
      waiting += 1 - sieve.push(BigInt(nth), new Uint8Array(10)).length
      assert.isAtMost(waiting, 512)
    }
  })

  it("refuses what is not understood, and times that run back", () => {
    assert.throws(() => new ReferencePruner(() => null, 1).push(0n, new Uint8Array(1)), NotPruned)
    const shown: CodedFrame = { from: 0, to: 1, uses: 0, stores: 1, shown: true, essential: false }
    const sieve = new ReferencePruner(() => [shown], 1)
    sieve.push(5n, new Uint8Array(1))
    assert.throws(() => sieve.push(4n, new Uint8Array(1)), NotPruned)
  })
})
