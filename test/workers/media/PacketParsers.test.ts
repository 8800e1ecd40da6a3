import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { av1Parser } from "../../../workers/media/codec/Av1Parser.ts"

/** Bits written one after the other, filled up with zeroes. */
const bits = (...fields: ReadonlyArray<readonly [value: number, count: number]>): ReadonlyArray<number> => {
  const text = fields.map(([value, count]) => value.toString(2).padStart(count, "0")).join("")
  return (text + "0".repeat(-text.length & 7)).match(/.{8}/gu)!.map((byte) => Number.parseInt(byte, 2))
}

/** A unit of AV1 with its size. */
const unit = (kind: number, content: ReadonlyArray<number>) => [(kind << 3) | 2, content.length, ...content]

/** Main profile, one layer, 64x64, frames in order by 7 bits, no screen content. */
const sequence = unit(
  1,
  bits(
    [0, 3],
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 5],
    [0, 12],
    [0, 5],
    [5, 4],
    [5, 4],
    [63, 6],
    [63, 6],
    [0, 1],
    [0, 7],
    [1, 1],
    [0, 2],
    [0, 1],
    [0, 1],
    [6, 3],
    [0, 16]
  )
)
const key = unit(6, bits([0, 1], [0, 2], [1, 1], [0, 1], [0, 1], [0, 7], [0, 24]))
/** Shown or not; kept in these places; predicted from this one alone. */
const inter = (shown: number, stores: number, from: number) =>
  unit(
    6,
    bits(
      [0, 1],
      [1, 2],
      [shown, 1],
      ...(shown === 1 ? [] : [[1, 1]] as const),
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 7],
      [0, 3],
      [stores, 8],
      [0, 1],
      ...Array.from({ length: 7 }, () => [from, 3] as const),
      [0, 24]
    )
  )
const again = (place: number) => unit(3, bits([1, 1], [place, 3]))
const delimiter = unit(2, [])

describe("av1Parser", () => {
  it("reads where each frame is, what it is predicted from and where it is kept", () => {
    const parse = av1Parser()
    const first = [...delimiter, ...sequence, ...key]
    assert.deepStrictEqual(parse(Uint8Array.from(first)), [
      { from: 2 + sequence.length, to: first.length, shown: true, uses: 0, stores: 255, essential: true }
    ])
    const two = [...delimiter, ...inter(0, 0b100, 3), ...inter(1, 0, 2)]
    const middle = 2 + inter(0, 0b100, 3).length
    assert.deepStrictEqual(parse(Uint8Array.from(two)), [
      { from: 2, to: middle, shown: false, uses: 0b1000, stores: 0b100, essential: false },
      { from: middle, to: two.length, shown: true, uses: 0b100, stores: 0, essential: false }
    ])
    assert.deepStrictEqual(parse(Uint8Array.from([...delimiter, ...again(2)])), [
      { from: 2, to: 5, shown: true, uses: 0b100, stores: 0, essential: false }
    ])
    // A key frame that is shown again begins everything anew; a sequence that is told again changes nothing.
    assert.deepStrictEqual(parse(Uint8Array.from([...sequence, ...again(5)])), [
      { from: sequence.length, to: sequence.length + 3, shown: true, uses: 0b10_0000, stores: 255, essential: false }
    ])
  })

  it("gives up on frames before any sequence, on layers, and on two pictures in one packet", () => {
    assert.isNull(av1Parser()(Uint8Array.from([...delimiter, ...key])))
    const layered = [...sequence]
    layered[0] = layered[0]! | 4
    assert.isNull(av1Parser()(Uint8Array.from([...layered, ...key])))
    assert.isNull(av1Parser()(Uint8Array.from([...sequence, ...key, ...inter(1, 0, 0)])))
  })

  it("reads any bytes without failing, and no frame beyond them", () =>
    fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 }), (packets) => {
      const parse = av1Parser()
      parse(Uint8Array.from([...sequence, ...key]))
      for (const bytes of packets) {
        const packet = Uint8Array.from([...delimiter, ...inter(1, 7, 1), ...bytes])
        for (const { from, to } of parse(packet) ?? []) assert.isTrue(from < to && to <= packet.length)
      }
    })))
})
