/** What the machine offers to confine a decoder; what is null or false is not used. */
export interface SandboxTools {
  /** Absolute path of util-linux `prlimit`. */
  readonly prlimit: string | null
  /** Absolute path of util-linux `setpriv` and the options that it knows. */
  readonly setpriv: {
    readonly path: string
    readonly pdeathsig: boolean
    readonly landlock: boolean
    readonly seccomp: boolean
  } | null
  /** Absolute path of bubblewrap, a name space for everything: files, network, processes. */
  readonly bwrap: string | null
  /** Absolute path of util-linux `unshare`, a network without a device; `user` where only a name space of users allows it. */
  readonly unshare: { readonly path: string; readonly user: boolean } | null
  /** The decoder works on a graphics card: its driver maps far more addresses than a decoder may have, and opens more files. */
  readonly devices?: boolean
}

export const unconfined: SandboxTools = { prlimit: null, setpriv: null, bwrap: null, unshare: null }

export interface Confinement {
  readonly cpu_seconds: number
  /** The only file outside of the system's own folders that may be read. */
  readonly input: string
  readonly program: string
  readonly cwd: string
}

/** The open file in which the tools find the filter of system calls, beside the input at 3. */
const FILTER_FD = 4

/** Whether these tools load a filter of system calls. */
export const wantsFilter = ({ bwrap, setpriv }: SandboxTools): boolean => bwrap !== null || setpriv?.seccomp === true

/**
 * Address space. Below 1.5 GB one decoder was seen to spin for minutes instead of failing, so it is generous and always
 * paired with a limit on processor time.
 */
const ADDRESS_SPACE = 3 * 1024 ** 3

const systemFolders = ["/usr", "/bin", "/lib", "/lib64", "/etc/alternatives"]
const LOADER_CACHE = "/etc/ld.so.cache"

const limited = (prlimit: string, devices: boolean, cpu_seconds: number): ReadonlyArray<string> => {
  const cpu = Math.ceil(cpu_seconds)
  return [
    prlimit,
    `--cpu=${cpu}:${cpu + 5}`,
    ...(devices ? [] : [`--as=${ADDRESS_SPACE}`]),
    "--core=0",
    `--nofile=${devices ? 1024 : 64}`,
    "--fsize=0",
    "--"
  ]
}

const privileged = (
  setpriv: NonNullable<SandboxTools["setpriv"]>,
  { cwd, input, program }: Confinement,
  exists: (path: string) => boolean
): ReadonlyArray<string> => {
  const command: Array<string> = [setpriv.path, "--no-new-privs"]
  if (setpriv.pdeathsig) command.push("--pdeathsig", "KILL")
  if (setpriv.landlock) {
    command.push("--landlock-access", "fs")
    const allow = (rights: string, path: string) => command.push("--landlock-rule", `path-beneath:${rights}:${path}`)
    for (const folder of systemFolders.filter(exists)) allow("execute,read-file,read-dir", folder)
    // The kernel refuses a folder's right on a file.
    allow("execute,read-file", program)
    for (const file of [LOADER_CACHE].filter(exists)) allow("read-file", file)
    for (const path of [input, cwd]) allow("read-file", path)
  }
  if (setpriv.seccomp) command.push("--seccomp-filter", `/dev/fd/${FILTER_FD}`)
  return [...command, "--"]
}

/** The input is not mounted: the decoder has it as an open file. */
const wrapped = (bwrap: string, program: string, exists: (path: string) => boolean): ReadonlyArray<string> => [
  bwrap,
  "--unshare-all",
  "--die-with-parent",
  ...[...systemFolders, LOADER_CACHE].filter(exists).concat(program).flatMap((path) => ["--ro-bind", path, path]),
  "--proc",
  "/proc",
  "--dev",
  "/dev",
  "--chdir",
  "/",
  "--seccomp",
  String(FILTER_FD),
  "--"
]

/**
 * The command in front of the decoder: resource limits, death with its parent, no new privileges and, where the machine
 * has them, a file system in which only the program, its libraries and the input exist, a filter of system calls, and no
 * network. Whatever the machine lacks is left out. `exists` tells which system folders there are. Where `wantsFilter`, the
 * filter has to be an open file at `FILTER_FD`.
 */
export const confine = (
  { bwrap, devices = false, prlimit, setpriv, unshare }: SandboxTools,
  what: Confinement,
  exists: (path: string) => boolean
): ReadonlyArray<string> => [
  ...(prlimit === null ? [] : limited(prlimit, devices, what.cpu_seconds)),
  ...(unshare === null
    ? []
    : [unshare.path, ...(unshare.user ? ["--user", "--map-current-user"] : []), "--net", "--ipc", "--"]),
  ...(bwrap === null ? [] : wrapped(bwrap, what.program, exists)),
  ...(setpriv === null ? [] : privileged(setpriv, what, exists))
]

/** What stands between a decoder and the machine, by the names of the kernel's means. */
export const meansOf = ({ bwrap, prlimit, setpriv, unshare }: SandboxTools): ReadonlyArray<string> => [
  ...(prlimit === null ? [] : ["rlimits"]),
  ...(setpriv === null && bwrap === null ? [] : ["no-new-privs"]),
  ...(setpriv?.landlock === true ? ["landlock"] : []),
  ...(wantsFilter({ bwrap, prlimit, setpriv, unshare }) ? ["seccomp"] : []),
  ...(bwrap === null ? [] : ["namespaces"]),
  ...(unshare === null ? [] : ["network namespace"])
]
