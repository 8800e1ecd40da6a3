import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { deniedCalls, judgedCalls, systemCallFilter } from "../../../../workers/media/ffmpeg/SystemCallFilter.ts"

const ALLOW = 0x7fff_0000
const EPERM = 0x0005_0001
const ENOSYS = 0x0005_0026
const KILL = 0x8000_0000
const audit = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const
const architectures = ["x64", "arm64"] as const

/** What the kernel's interpreter (bpf(4), the classic machine) answers for one call. */
const answer = (
  program: Uint8Array,
  { arch, args = [], number }: { readonly arch: number; readonly number: number; readonly args?: ReadonlyArray<number> }
): number => {
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
    if (code === 0x20) accumulator = k === 0 ? number : k === 4 ? arch : args[(k - 16) / 8] ?? 0
    else if (code === 0x15) at += accumulator === k ? yes : no
    else if (code === 0x35) at += accumulator >= k ? yes : no
    else if (code === 0x45) at += (accumulator & k) !== 0 ? yes : no
    else throw new Error(`An instruction that the kernel does not have: ${code}`)
  }
  throw new Error("The program runs over its end")
}

describe("systemCallFilter", () => {
  for (const arch of architectures) {
    it(`refuses every listed call on ${arch} and allows every other`, () => {
      const program = systemCallFilter(arch)!
      const denied = new Set(Object.values(deniedCalls(arch)!))
      const judged = new Set<number>(Object.values(judgedCalls(arch)!))
      for (let number = 0; number < 600; number++) {
        if (judged.has(number)) continue
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

    it(`lets a decoder on ${arch} have threads, no processes and no namespaces`, () => {
      const program = systemCallFilter(arch)!
      const { clone, clone3 } = judgedCalls(arch)!
      const cloned = (flags: number) => answer(program, { arch: audit[arch], number: clone, args: [flags] })
      // CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID: what C libraries ask for.
      const thread = 0x003d_0f00
      assert.strictEqual(cloned(thread), ALLOW)
      assert.strictEqual(cloned(17), EPERM)
      assert.strictEqual(cloned(0x0000_4111), EPERM)
      for (const space of [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]) {
        assert.deepStrictEqual([cloned(thread | space), cloned(17 | space)], [EPERM, EPERM])
      }
      assert.strictEqual(answer(program, { arch: audit[arch], number: clone3 }), ENOSYS)
    })

    it(`lets a decoder on ${arch} do to itself, and to nobody else, what could be done to others`, () => {
      const program = systemCallFilter(arch)!
      const calls = judgedCalls(arch)!
      const ask = (call: keyof typeof calls, ...args: ReadonlyArray<number>) =>
        answer(program, { arch: audit[arch], number: calls[call], args })
      for (
        const call of [
          "prlimit64",
          "sched_setaffinity",
          "sched_setattr",
          "sched_setparam",
          "sched_setscheduler"
        ] as const
      ) {
        assert.deepStrictEqual([ask(call, 0), ask(call, 1), ask(call, 4711)], [ALLOW, EPERM, EPERM], call)
      }
      assert.deepStrictEqual([ask("setpriority", 0, 0), ask("setpriority", 0, 9), ask("setpriority", 2, 0)], [
        ALLOW,
        EPERM,
        EPERM
      ])
      // F_GETFD, F_SETFL, F_DUPFD_CLOEXEC; F_SETOWN, F_SETSIG, F_SETOWN_EX.
      assert.deepStrictEqual([1, 4, 1030].map((command) => ask("fcntl", 3, command)), [ALLOW, ALLOW, ALLOW])
      assert.deepStrictEqual([8, 10, 15].map((command) => ask("fcntl", 3, command)), [EPERM, EPERM, EPERM])
      // PR_SET_NAME, PR_SET_PDEATHSIG with SIGKILL; the same with none and with SIGTERM, PR_SET_CHILD_SUBREAPER.
      assert.deepStrictEqual([ask("prctl", 15), ask("prctl", 1, 9)], [ALLOW, ALLOW])
      assert.deepStrictEqual([ask("prctl", 1, 0), ask("prctl", 1, 15), ask("prctl", 36, 1)], [EPERM, EPERM, EPERM])
      // TCGETS, FIONREAD; FIOSETOWN, SIOCSPGRP, TIOCSTI.
      assert.deepStrictEqual([0x5401, 0x541b].map((request) => ask("ioctl", 0, request)), [ALLOW, ALLOW])
      assert.deepStrictEqual([0x8901, 0x8902, 0x5412].map((request) => ask("ioctl", 0, request)), [EPERM, EPERM, EPERM])
    })

    it(`has on ${arch} no call that opens a connection and lists none twice`, () => {
      const denied = deniedCalls(arch)!
      for (const call of ["socket", "socketpair", "connect", "bind", "sendto", "sendmsg", "io_uring_setup"]) {
        assert.property(denied, call)
      }
      const listed = [...Object.values(denied), ...Object.values(judgedCalls(arch)!)]
      assert.strictEqual(new Set(listed).size, listed.length)
    })
  }

  it("kills calls of the x32 table, which would go round the list", () => {
    const program = systemCallFilter("x64")!
    const socket = deniedCalls("x64")!["socket"]!
    assert.strictEqual(answer(program, { arch: audit.x64, number: 0x4000_0000 + socket }), KILL)
  })

  it("knows the same calls on both architectures, but for those that AArch64 never had", () => {
    const names = architectures.map((arch) => Object.keys(deniedCalls(arch)!))
    const once = names.flat().filter((name) => !names.every((list) => list.includes(name)))
    assert.deepStrictEqual(once.toSorted(), [
      "chmod",
      "chown",
      "fork",
      "ioperm",
      "iopl",
      "lchown",
      "link",
      "mkdir",
      "mknod",
      "rename",
      "rmdir",
      "symlink",
      "unlink",
      "vfork"
    ])
  })

  it("is nothing where the numbers are not known", () => {
    assert.isNull(systemCallFilter("riscv64"))
    assert.isNull(systemCallFilter("constructor"))
  })
})
