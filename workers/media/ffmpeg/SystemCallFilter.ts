import { architectures, type Judged } from "./SystemCalls.ts"

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number]

// Classic BPF (linux/bpf_common.h) and the answers of seccomp (linux/seccomp.h).
const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06
const KILL_PROCESS = 0x8000_0000
const ALLOW = 0x7fff_0000
const REFUSE_WITH_EPERM = 0x0005_0001
const REFUSE_WITH_ENOSYS = 0x0005_0026
/** Offsets in `struct seccomp_data`; of an argument its low half, which is all that these calls take (little endian). */
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number): Instruction => [LOAD_WORD, 0, 0, 16 + 8 * index]

const allow: Instruction = [RETURN, 0, 0, ALLOW]
const refuse: Instruction = [RETURN, 0, 0, REFUSE_WITH_EPERM]

/** Refuses some values of one argument. */
const unless = (index: number, ...values: ReadonlyArray<number>): ReadonlyArray<Instruction> => [
  argument(index),
  ...values.map((value, at): Instruction => [JUMP_IF_EQUAL, values.length - at, 0, value]),
  allow,
  refuse
]

/** Allows a call only where these arguments are 0: the caller itself. */
const onItself = (...indexes: ReadonlyArray<number>): ReadonlyArray<Instruction> => [
  ...indexes.flatMap((index, at): ReadonlyArray<Instruction> => [
    argument(index),
    [JUMP_IF_EQUAL, 0, 2 * (indexes.length - 1 - at) + 1, 0]
  ]),
  allow,
  refuse
]

const CLONE_THREAD = 0x0001_0000
/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID`, `NEWNET`. */
const CLONE_NEW = 0x7e02_0000

/** Each is entered with nothing loaded but the call's number, and returns. */
const judgements: Readonly<Record<Judged, ReadonlyArray<Instruction>>> = {
  // A thread of the decoder, and nothing else.
  clone: [argument(0), [JUMP_IF_ANY_BIT, 0, 2, CLONE_THREAD], [JUMP_IF_ANY_BIT, 1, 0, CLONE_NEW], allow, refuse],
  // Its flags lie in memory, where a filter cannot look; C libraries go on to `clone`.
  clone3: [[RETURN, 0, 0, REFUSE_WITH_ENOSYS]],
  // F_SETOWN, F_SETSIG, F_SETOWN_EX: whom the kernel signals about a file.
  fcntl: unless(1, 8, 10, 15),
  // FIOSETOWN and SIOCSPGRP are the same; TIOCSTI and TIOCLINUX type into a terminal.
  ioctl: unless(1, 0x8901, 0x8902, 0x5412, 0x541c),
  // PR_SET_PDEATHSIG with SIGKILL alone, which setpriv asks for behind the filter: a decoder dies with its parent. Not
  // PR_SET_MM, PR_SET_CHILD_SUBREAPER and PR_SCHED_CORE.
  prctl: [
    argument(0),
    [JUMP_IF_EQUAL, 0, 2, 1],
    argument(1),
    [JUMP_IF_EQUAL, 3, 4, 9],
    [JUMP_IF_EQUAL, 3, 0, 35],
    [JUMP_IF_EQUAL, 2, 0, 36],
    [JUMP_IF_EQUAL, 1, 0, 62],
    allow,
    refuse
  ],
  prlimit64: onItself(0),
  sched_setaffinity: onItself(0),
  sched_setattr: onItself(0),
  sched_setparam: onItself(0),
  sched_setscheduler: onItself(0),
  setpriority: onItself(0, 1)
}

/** What a decoder is refused on this architecture, by the kernel's names; undefined where no list is kept for it. */
export const deniedCalls = (arch: string): Readonly<Record<string, number>> | undefined =>
  architectures.get(arch)?.denied

/** Calls that are judged by an argument. */
export const judgedCalls = (arch: string): Readonly<Record<Judged, number>> | undefined =>
  architectures.get(arch)?.judged

/**
 * A seccomp filter as the kernel takes it (seccomp(2), `struct sock_filter[]`), for Node's name of an architecture: what a
 * decoder has no use for is refused with EPERM, the network first of all; it may have threads but no other processes, and do
 * to itself alone what could be done to others; everything else is allowed. Calls of another architecture kill the process,
 * because their numbers mean something else. Null where no list is kept for the architecture.
 */
export const systemCallFilter = (arch: string): Uint8Array | null => {
  const architecture = architectures.get(arch)
  if (architecture === undefined) return null
  const { audit, denied, foreign, judged } = architecture
  const numbers = Object.values(denied).toSorted((a, b) => a - b)
  const program: Array<Instruction> = [
    [LOAD_WORD, 0, 0, ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, NUMBER]
  ]
  if (foreign !== null) program.push([JUMP_IF_AT_LEAST, 0, 1, foreign], [RETURN, 0, 0, KILL_PROCESS])
  // A jump counts the instructions that it leaps over, at most 255.
  for (const [name, number] of Object.entries(judged)) {
    const judgement = judgements[name as Judged]
    program.push([JUMP_IF_EQUAL, 0, judgement.length, number], ...judgement)
  }
  for (const [at, number] of numbers.entries()) program.push([JUMP_IF_EQUAL, numbers.length - at, 0, number])
  program.push(allow, refuse)
  const bytes = Buffer.alloc(8 * program.length)
  for (const [at, [code, jumpTrue, jumpFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * at)
    bytes.writeUInt8(jumpTrue, 8 * at + 2)
    bytes.writeUInt8(jumpFalse, 8 * at + 3)
    bytes.writeUInt32LE(k, 8 * at + 4)
  }
  return bytes
}
