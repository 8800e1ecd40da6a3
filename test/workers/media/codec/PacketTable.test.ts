import { assert, describe, it } from "@effect/vitest"
import { PacketTable } from "../../../../workers/media/codec/PacketTable.ts"

const text = `#extradata 0:       40, 0x16350d2b
#software: Lavf59.27.100
#tb 0: 1/1000
#media_type 0: video
#tb 1: 1/500
0,        -40,          0,       40,     3507, 0xd14dc1a0
1,          0,          0,       10,      465, 0x62f0d8e2
0,          0,         80,       40,     2214, 0xbb4a64b2, F=0x0
0,         40,         40,       40,     1464, 0x47ede100, F=0x4
1,       1000,       1000,       10,      465, 0x62f0d8e2, S=1,       10, 0x1
0,       2000,       2080,       40,     1317, 0x0b838c10
0,       2040,       2120,      500,    46339, 0x80db518e, F=0x0
`

describe("PacketTable", () => {
  it("tells when the packets of each stream end and how far apart they and their keys are", () => {
    const table = new PacketTable()
    for (const part of text.match(/[\s\S]{1,13}/gu)!) table.push(part)
    assert.deepStrictEqual([...table.streams], [
      [0, { packets: 5, last: 2.12, end: 2.62, longest_gap: 1.96, longest_key_gap: 2.04 }],
      [1, { packets: 2, last: 2, end: 2.02, longest_gap: 2, longest_key_gap: 2 }]
    ])
  })

  it("counts packets without times and believes none of their lengths", () => {
    const table = new PacketTable()
    const never = "-9223372036854775808"
    table.push(`#tb 0: 1/50\n0, ${never}, ${never}, 1, 32, 0x0000aaaa\n0, ${never}, ${never}, 1, 32, 0x0000aaaa\n`)
    assert.deepStrictEqual([...table.streams], [
      [0, { packets: 2, last: 0, end: 0, longest_gap: 0, longest_key_gap: null }]
    ])
  })

  it("has no stream that sent nothing", () => {
    const table = new PacketTable()
    table.push("#tb 0: 1/25\nsomething else\n3, 1, 1, 1, 1, 0x00000000\n")
    assert.strictEqual(table.streams.size, 0)
  })
})
