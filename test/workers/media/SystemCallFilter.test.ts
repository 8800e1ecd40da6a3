import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { deniedCalls, systemCallFilter } from "../../../workers/media/SystemCallFilter.ts"

const ALLOW = 0x7fff_0000
const EPERM = 0x0005_0001
const KILL = 0x8000_0000
const audit = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const
const architectures = ["x64", "arm64"] as const

/** What the kernel's interpreter (bpf(4), the classic machine) answers for one call. */
const answer = (program: Uint8Array, { arch, number }: { readonly arch: number; readonly number: number }): number => {
  const view = new DataView(program.buffer, program.byteOffset, program.length)
  let accumulator = 0
  for (let at = 0; at < program.length / 8; at++) {
    const [code, yes, no, k] = [
      view.getUint16(8 * at, true),
      view.getUint8(8 * at + 2),
      view.getUint8(8 * at + 3),
      view.getUint32(8 * at + 4, true)
    ]
    if (code === 0x06) return k
    if (code === 0x20) accumulator = k === 0 ? number : arch
    else if (code === 0x15) at += accumulator === k ? yes : no
    else if (code === 0x35) at += accumulator >= k ? yes : no
    else throw new Error(`An instruction that the kernel does not have: ${code}`)
  }
  throw new Error("The program runs over its end")
}

describe("systemCallFilter", () => {
  for (const arch of architectures) {
    it(`refuses every listed call on ${arch} and allows every other`, () => {
      const program = systemCallFilter(arch)!
      const denied = new Set(Object.values(deniedCalls(arch)!))
      for (let number = 0; number < 600; number++) {
        assert.strictEqual(
          answer(program, { arch: audit[arch], number }),
          denied.has(number) ? EPERM : ALLOW,
          `${number}`
        )
      }
    })

    it(`kills whoever calls by another architecture's numbers on ${arch}`, () => {
      const program = systemCallFilter(arch)!
      fc.assert(
        fc.property(fc.nat(600), fc.constantFrom(0x4000_0003, 0x4000_0028, audit.x64, audit.arm64, 0), (number, of) => {
          if (of !== audit[arch]) assert.strictEqual(answer(program, { arch: of, number }), KILL)
        })
      )
    })

    it(`has on ${arch} no call that opens a connection and lists none twice`, () => {
      const denied = deniedCalls(arch)!
      for (const call of ["socket", "socketpair", "connect", "bind", "sendto", "sendmsg", "io_uring_setup"]) {
        assert.property(denied, call)
      }
      assert.strictEqual(new Set(Object.values(denied)).size, Object.keys(denied).length)
    })
  }

  it("kills calls of the x32 table, which would go round the list", () => {
    const program = systemCallFilter("x64")!
    const socket = deniedCalls("x64")!["socket"]!
    assert.strictEqual(answer(program, { arch: audit.x64, number: 0x4000_0000 + socket }), KILL)
  })

  it("knows the same calls on both architectures, but for two that only one of them has", () => {
    const names = architectures.map((arch) => Object.keys(deniedCalls(arch)!))
    const once = names.flat().filter((name) => !names.every((list) => list.includes(name)))
    assert.deepStrictEqual(once.toSorted(), ["ioperm", "iopl"])
  })

  it("is nothing where the numbers are not known", () => {
    assert.isNull(systemCallFilter("riscv64"))
    assert.isNull(systemCallFilter("constructor"))
  })
})
