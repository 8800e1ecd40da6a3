import { type Confinement, DECODER_ID, FILTER_FD, harmlessDevices, type Limit } from "./Confinement.ts"
import { launched, type Launcher } from "./Launcher.ts"

/** What the machine offers to confine a decoder; what is null or false is not used. */
export interface SandboxTools {
  /** Absolute path of util-linux `prlimit`. */
  readonly prlimit: string | null
  /** Absolute path of util-linux `setpriv`, the options that it knows, and what a decoder loses of a worker that is root. */
  readonly setpriv: {
    readonly path: string
    readonly pdeathsig: boolean
    readonly landlock: boolean
    readonly seccomp: boolean
    /** `identity`: user, groups and capabilities; `capabilities`: these alone. Null where the worker is not root. */
    readonly drop: "identity" | "capabilities" | null
  } | null
  /** Absolute path of bubblewrap, a name space for everything: files, network, processes. */
  readonly bwrap: string | null
  /** Absolute path of util-linux `unshare`, a network without a device; `user` where only a name space of users allows it. */
  readonly unshare: { readonly path: string; readonly user: boolean } | null
  /** Our own launcher, run by perl: limits, privileges, the filter and, as chosen, a file system of its own or Landlock. */
  readonly launcher: Launcher | null
  /** The decoder works on a graphics card: its driver maps far more addresses than a decoder may have, and opens more files. */
  readonly devices?: boolean
}

export const unconfined: SandboxTools = { prlimit: null, setpriv: null, bwrap: null, unshare: null, launcher: null }

/** Whether these tools load a filter of system calls. */
export const wantsFilter = ({ bwrap, launcher, setpriv }: SandboxTools): boolean =>
  bwrap !== null || launcher !== null || setpriv?.seccomp === true

/** Whether decoders have another user than their worker, so that an input has to be made readable for them. */
export const changesUser = ({ launcher, setpriv }: SandboxTools): boolean =>
  launcher?.identity === "decoder" || setpriv?.drop === "identity"

/**
 * Address space. Below 1.5 GB one decoder was seen to spin for minutes instead of failing, so it is generous and always
 * paired with a limit on processor time.
 */
const ADDRESS_SPACE = 3 * 1024 ** 3

/** Threads and processes of a user that is the decoders' alone: some eight decoders have thirty threads each. */
const PROCESSES = 1024

const exactly = (option: string, resource: number, most: number): Limit => ({
  option,
  resource,
  soft: most,
  hard: most
})

/** `alone`: nobody else's processes are counted with the decoders'. */
const limitsOf = (devices: boolean, cpu_seconds: number, alone: boolean): ReadonlyArray<Limit> => {
  const cpu = Math.ceil(cpu_seconds)
  return [
    { option: "cpu", resource: 0, soft: cpu, hard: cpu + 5 },
    ...(devices ? [] : [exactly("as", 9, ADDRESS_SPACE)]),
    exactly("core", 4, 0),
    exactly("nofile", 7, devices ? 1024 : 64),
    ...(alone ? [exactly("nproc", 6, PROCESSES)] : []),
    exactly("fsize", 1, 0)
  ]
}

const systemFolders = ["/usr", "/bin", "/lib", "/lib64", "/etc/alternatives"]
const LOADER_CACHE = "/etc/ld.so.cache"

const limited = (prlimit: string, limits: ReadonlyArray<Limit>): ReadonlyArray<string> => [
  prlimit,
  ...limits.map(({ hard, option, soft }) => `--${option}=${soft === hard ? soft : `${soft}:${hard}`}`),
  "--"
]

const separated = (
  { path, user }: NonNullable<SandboxTools["unshare"]>
): ReadonlyArray<string> => [
  path,
  ...(user ? ["--user", "--map-current-user"] : []),
  "--net",
  "--ipc",
  "--pid",
  "--fork",
  "--kill-child",
  "--"
]

const privileged = (
  setpriv: NonNullable<SandboxTools["setpriv"]>,
  { cwd, input, program }: Confinement,
  exists: (path: string) => boolean
): ReadonlyArray<string> => {
  const command: Array<string> = [setpriv.path, "--no-new-privs"]
  if (setpriv.drop === "identity") command.push(`--reuid=${DECODER_ID}`, `--regid=${DECODER_ID}`, "--clear-groups")
  if (setpriv.drop !== null) command.push("--inh-caps=-all", "--bounding-set=-all")
  if (setpriv.pdeathsig) command.push("--pdeathsig", "KILL")
  if (setpriv.landlock) {
    command.push("--landlock-access", "fs")
    const allow = (rights: string, path: string) => command.push("--landlock-rule", `path-beneath:${rights}:${path}`)
    for (const folder of systemFolders.filter(exists)) allow("execute,read-file,read-dir", folder)
    // The kernel refuses a folder's right on a file.
    allow("execute,read-file", program)
    for (const file of [LOADER_CACHE, ...harmlessDevices].filter(exists)) allow("read-file", file)
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
  "--cap-drop",
  "ALL",
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
  { bwrap, devices = false, launcher, prlimit, setpriv, unshare }: SandboxTools,
  what: Confinement,
  exists: (path: string) => boolean
): ReadonlyArray<string> => {
  const alone = launcher === null ? setpriv?.drop === "identity" : launcher.identity !== "worker"
  const limits = limitsOf(devices, what.cpu_seconds, alone)
  return [
    ...(prlimit === null ? [] : limited(prlimit, limits)),
    ...(unshare === null ? [] : separated(unshare)),
    ...(setpriv === null ? [] : privileged(setpriv, what, exists)),
    ...(bwrap === null ? [] : wrapped(bwrap, what.program, exists)),
    ...(launcher === null ? [] : launched(launcher, what, limits, exists))
  ]
}

/** What stands between a decoder and the machine, by the names of the kernel's means. */
export const meansOf = (tools: SandboxTools): ReadonlyArray<string> => {
  const { bwrap, launcher, prlimit, setpriv, unshare } = tools
  return [
    ...(prlimit === null && launcher === null ? [] : ["rlimits"]),
    ...(setpriv === null && bwrap === null && launcher === null ? [] : ["no-new-privs"]),
    ...(changesUser(tools) ? ["user of their own"] : []),
    ...(setpriv?.landlock === true || launcher?.files === "landlock" ? ["landlock"] : []),
    ...(wantsFilter(tools) ? ["seccomp"] : []),
    ...(bwrap === null && launcher?.files !== "own" ? [] : ["namespaces"]),
    ...(unshare === null ? [] : ["network namespace"])
  ]
}
