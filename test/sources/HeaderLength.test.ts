import * as fc from "fast-check"
import assert from "node:assert"
import { readFileSync } from "node:fs"
import { describe, it } from "vitest"
import { headerLength } from "../../src/sources/HeaderLength.ts"

/** Reads a file as a blob store does, and counts what is asked for. */
const read = (file: Uint8Array, size = file.length) => {
  const reading = headerLength(size)
  let pieces = 0
  let bytes = 0
  let next = reading.next()
  while (next.done !== true) {
    const { from, length } = next.value
    assert(Number.isSafeInteger(from) && from < Math.max(size, 1) && length > 0)
    const piece = file.subarray(from, from + length)
    pieces++
    bytes += piece.length
    next = reading.next(piece)
  }
  return { seconds: next.value, pieces, bytes }
}

const numbers = (...values: ReadonlyArray<number>) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4))
  return bytes
}
const box = (type: string, ...content: ReadonlyArray<Uint8Array>) => {
  const body = Buffer.concat(content)
  return Buffer.concat([numbers(body.length + 8), Buffer.from(type), body])
}
const ftyp = box("ftyp", Buffer.from("isom0000"))
const mvhd = (scale: number, ticks: number) => box("mvhd", numbers(0, 0, 0, scale, ticks), Buffer.alloc(80))
const mvhd64 = (scale: number, ticks: bigint) => {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(ticks)
  return box("mvhd", numbers(0x01_00_00_00), Buffer.alloc(16), numbers(scale), length, Buffer.alloc(80))
}
const largeBox = (type: string, length: bigint) => {
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(length)
  return Buffer.concat([numbers(1), Buffer.from(type), size])
}

const float = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
const ebml = (id: string, content: Uint8Array, unbounded = false) =>
  Buffer.concat([
    Buffer.from(id, "hex"),
    unbounded
      ? Buffer.from("01ffffffffffffff", "hex")
      : Buffer.from([0x40 | (content.length >> 8), content.length & 255]),
    content
  ])
const matroska = (info: Uint8Array, before: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([
    ebml("1a45dfa3", Buffer.from("42868101", "hex")),
    ebml("18538067", Buffer.concat([before, ebml("1549a966", info)]), true)
  ])

const little = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const wave = (rate: number, told: number, held: number, size = held) => {
  const format = Buffer.alloc(16)
  format.writeUInt32LE(rate, 8)
  const header = Buffer.concat([
    Buffer.from("RIFF"),
    little(36 + told),
    Buffer.from("WAVEfmt "),
    little(16),
    format,
    Buffer.from("data"),
    little(told)
  ])
  return { file: Buffer.concat([header, Buffer.alloc(Math.min(held, 100))]), size: header.length + size }
}

describe("headerLength", () => {
  it.each([["lecture.mp4", 94.622], ["product-demo.mp4", 77.322]] as const)(
    "reads the length of %s",
    (name, length) => {
      const { bytes, pieces, seconds } = read(readFileSync(new URL(`../../samples/${name}`, import.meta.url)))
      assert.strictEqual(seconds, length)
      assert(pieces < 10 && bytes < 1000)
    }
  )

  it("reads MP4 wherever its header lies, in both versions of it and behind boxes of 64 bits", () => {
    const moov = box("moov", mvhd(1000, 3204))
    assert.strictEqual(read(Buffer.concat([ftyp, moov])).seconds, 3.204)
    assert.strictEqual(read(Buffer.concat([ftyp, box("free"), box("mdat", Buffer.alloc(5000)), moov])).seconds, 3.204)
    assert.strictEqual(
      read(Buffer.concat([ftyp, box("moov", box("udta"), mvhd64(90_000, 900_000_000n))])).seconds,
      10_000
    )
    const large = Buffer.concat([ftyp, largeBox("mdat", 1016n), Buffer.alloc(1000), moov])
    assert.strictEqual(read(large).seconds, 3.204)
  })

  it("reads Matroska by its scale, and WAV by its bytes, also where the recorder was cut off", () => {
    const duration = ebml("4489", float(4500))
    assert.strictEqual(read(matroska(duration)).seconds, 4.5)
    assert.strictEqual(
      read(matroska(Buffer.concat([ebml("2ad7b1", Buffer.from("2710", "hex")), duration]))).seconds,
      0.045
    )
    assert.strictEqual(read(matroska(duration, ebml("ec", Buffer.alloc(300)))).seconds, 4.5)
    const { file, size } = wave(32_000, 64_000, 64_000)
    assert.strictEqual(read(file, size).seconds, 2)
    const cut = wave(32_000, 0xFF_FF_FF_00, 96_000)
    assert.strictEqual(read(cut.file, cut.size).seconds, 3)
  })

  it("knows nothing of fragments, of headers that say nothing or nonsense, and of what is none of these", () => {
    const silent: ReadonlyArray<Uint8Array> = [
      Buffer.alloc(0),
      Buffer.from("no media at all, but long enough"),
      ftyp,
      Buffer.concat([ftyp, box("moov", mvhd(1000, 0))]),
      Buffer.concat([ftyp, box("moov", mvhd(0, 1000))]),
      Buffer.concat([ftyp, largeBox("mdat", 0xFF_FF_FF_FF_FF_FF_FF_FFn), Buffer.alloc(100)]),
      Buffer.concat([ftyp, numbers(0), Buffer.from("mdat"), Buffer.alloc(100)]),
      Buffer.concat([ftyp, numbers(3), Buffer.from("mdat"), Buffer.alloc(100)]),
      matroska(ebml("4489", float(Number.NaN))),
      matroska(Buffer.alloc(0)),
      wave(0, 1000, 1000).file
    ]
    for (const file of silent) assert.strictEqual(read(file).seconds, undefined)
  })

  it("ends after a bounded number of small pieces for any bytes, and never throws", () => {
    const beginnings = ["", "1a45dfa3", Buffer.from(ftyp).toString("hex"), Buffer.from("RIFF0000WAVE").toString("hex")]
    const files = fc.tuple(
      fc.constantFrom(...beginnings),
      fc.uint8Array({ maxLength: 400 }),
      fc.bigInt({ min: 0n, max: 1n << 40n })
    )
    fc.assert(fc.property(files, ([beginning, rest, size]) => {
      const { bytes, pieces, seconds } = read(Buffer.concat([Buffer.from(beginning, "hex"), rest]), Number(size))
      assert(pieces <= 70 && bytes <= 70_000)
      assert(seconds === undefined || seconds > 0)
    }))
  })
})
