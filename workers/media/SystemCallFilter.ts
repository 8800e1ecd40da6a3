/** Numbers of one machine architecture's system calls, and how the kernel calls it. */
interface Architecture {
  /** `AUDIT_ARCH_*` of linux/audit.h. */
  readonly audit: number
  /** Calls at or above it belong to another table of the same kernel, which would go round the list. */
  readonly foreign: number | null
  readonly denied: Readonly<Record<string, number>>
}

const x64: Architecture = {
  audit: 0xc000_003e,
  // The x32 table: the same calls by other numbers.
  foreign: 0x4000_0000,
  denied: {
    // The network. What is already open can still be read and written.
    socket: 41,
    connect: 42,
    accept: 43,
    sendto: 44,
    sendmsg: 46,
    bind: 49,
    listen: 50,
    socketpair: 53,
    accept4: 288,
    sendmmsg: 307,
    // Other processes.
    kill: 62,
    ptrace: 101,
    rt_sigqueueinfo: 129,
    process_vm_readv: 310,
    process_vm_writev: 311,
    pidfd_send_signal: 424,
    pidfd_open: 434,
    pidfd_getfd: 438,
    // Another file system, another name space.
    pivot_root: 155,
    chroot: 161,
    mount: 165,
    umount2: 166,
    unshare: 272,
    setns: 308,
    name_to_handle_at: 303,
    open_by_handle_at: 304,
    open_tree: 428,
    move_mount: 429,
    fsopen: 430,
    fsconfig: 431,
    fsmount: 432,
    fspick: 433,
    mount_setattr: 442,
    // Parts of the kernel that a decoder never asks for and that holes were found in.
    acct: 163,
    swapon: 167,
    reboot: 169,
    sethostname: 170,
    setdomainname: 171,
    iopl: 172,
    ioperm: 173,
    init_module: 175,
    delete_module: 176,
    quotactl: 179,
    kexec_load: 246,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
    perf_event_open: 298,
    finit_module: 313,
    kexec_file_load: 320,
    bpf: 321,
    userfaultfd: 323,
    io_uring_setup: 425,
    io_uring_enter: 426,
    io_uring_register: 427
  }
}

const arm64: Architecture = {
  audit: 0xc000_00b7,
  foreign: null,
  denied: {
    socket: 198,
    socketpair: 199,
    bind: 200,
    listen: 201,
    accept: 202,
    connect: 203,
    sendto: 206,
    sendmsg: 211,
    accept4: 242,
    sendmmsg: 269,
    ptrace: 117,
    kill: 129,
    rt_sigqueueinfo: 138,
    process_vm_readv: 270,
    process_vm_writev: 271,
    pidfd_send_signal: 424,
    pidfd_open: 434,
    pidfd_getfd: 438,
    umount2: 39,
    mount: 40,
    pivot_root: 41,
    chroot: 51,
    unshare: 97,
    name_to_handle_at: 264,
    open_by_handle_at: 265,
    setns: 268,
    open_tree: 428,
    move_mount: 429,
    fsopen: 430,
    fsconfig: 431,
    fsmount: 432,
    fspick: 433,
    mount_setattr: 442,
    quotactl: 60,
    acct: 89,
    kexec_load: 104,
    init_module: 105,
    delete_module: 106,
    reboot: 142,
    sethostname: 161,
    setdomainname: 162,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
    swapon: 224,
    perf_event_open: 241,
    finit_module: 273,
    bpf: 280,
    userfaultfd: 282,
    kexec_file_load: 294,
    io_uring_setup: 425,
    io_uring_enter: 426,
    io_uring_register: 427
  }
}

/** By Node's names. */
const architectures: ReadonlyMap<string, Architecture> = new Map([["x64", x64], ["arm64", arm64]])

// Classic BPF (linux/bpf_common.h) and the answers of seccomp (linux/seccomp.h).
const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const RETURN = 0x06
const KILL_PROCESS = 0x8000_0000
const ALLOW = 0x7fff_0000
const REFUSE_WITH_EPERM = 0x0005_0001
/** Offsets in `struct seccomp_data`. */
const NUMBER = 0
const ARCHITECTURE = 4

/** What a decoder is refused on this architecture, by the kernel's names; undefined where no list is kept for it. */
export const deniedCalls = (arch: string): Readonly<Record<string, number>> | undefined =>
  architectures.get(arch)?.denied

/**
 * A seccomp filter as the kernel takes it (seccomp(2), `struct sock_filter[]`), for Node's name of an architecture: what a
 * decoder has no use for is refused with EPERM, the network first of all; everything else is allowed. Calls of another
 * architecture kill the process, because their numbers mean something else. Null where no list is kept for the architecture.
 */
export const systemCallFilter = (arch: string): Uint8Array | null => {
  const architecture = architectures.get(arch)
  if (architecture === undefined) return null
  const { audit, denied, foreign } = architecture
  const numbers = Object.values(denied).toSorted((a, b) => a - b)
  const program: Array<readonly [code: number, jumpTrue: number, jumpFalse: number, k: number]> = [
    [LOAD_WORD, 0, 0, ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, NUMBER]
  ]
  if (foreign !== null) program.push([JUMP_IF_AT_LEAST, 0, 1, foreign], [RETURN, 0, 0, KILL_PROCESS])
  // A jump counts the instructions that it leaps over: the tests that follow, and the permission.
  for (const [at, number] of numbers.entries()) program.push([JUMP_IF_EQUAL, numbers.length - at, 0, number])
  program.push([RETURN, 0, 0, ALLOW], [RETURN, 0, 0, REFUSE_WITH_EPERM])
  const bytes = Buffer.alloc(8 * program.length)
  for (const [at, [code, jumpTrue, jumpFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * at)
    bytes.writeUInt8(jumpTrue, 8 * at + 2)
    bytes.writeUInt8(jumpFalse, 8 * at + 3)
    bytes.writeUInt32LE(k, 8 * at + 4)
  }
  return bytes
}
