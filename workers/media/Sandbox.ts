/** What the machine offers to confine a decoder. */
export interface SandboxTools {
  /** Absolute path of util-linux `prlimit`, or null. */
  readonly prlimit: string | null
  /** Absolute path of util-linux `setpriv` and the options that it knows, or null. */
  readonly setpriv: { readonly path: string; readonly pdeathsig: boolean; readonly landlock: boolean } | null
}

export interface Confinement {
  readonly cpu_seconds: number
  /** The only file outside of the system's own folders that may be read. */
  readonly input: string
  readonly program: string
  readonly cwd: string
}

/**
 * Address space. Below 1.5 GB one decoder was seen to spin for minutes instead of failing, so it is generous and always
 * paired with a limit on processor time.
 */
const ADDRESS_SPACE = 3 * 1024 ** 3

const systemFolders = ["/usr", "/lib", "/lib64", "/etc/alternatives"]
const LOADER_CACHE = "/etc/ld.so.cache"

/**
 * The command in front of the decoder: resource limits, death with its parent, no new privileges and, where the kernel
 * and util-linux have Landlock, a file system in which only the program, its libraries and the input exist. Whatever
 * the machine lacks is left out. `exists` tells which system folders there are.
 */
export const confine = (
  tools: SandboxTools,
  { cpu_seconds, cwd, input, program }: Confinement,
  exists: (path: string) => boolean
): ReadonlyArray<string> => {
  const command: Array<string> = []
  if (tools.prlimit !== null) {
    const cpu = Math.ceil(cpu_seconds)
    command.push(
      tools.prlimit,
      `--cpu=${cpu}:${cpu + 5}`,
      `--as=${ADDRESS_SPACE}`,
      "--core=0",
      "--nofile=64",
      "--fsize=0",
      "--"
    )
  }
  if (tools.setpriv !== null) {
    command.push(tools.setpriv.path, "--no-new-privs")
    if (tools.setpriv.pdeathsig) command.push("--pdeathsig", "KILL")
    if (tools.setpriv.landlock) {
      command.push("--landlock-access", "fs")
      const allow = (rights: string, path: string) => command.push("--landlock-rule", `path-beneath:${rights}:${path}`)
      for (const folder of systemFolders.filter(exists)) allow("execute,read-file,read-dir", folder)
      // The kernel refuses a folder's right on a file.
      allow("execute,read-file", program)
      for (const file of [LOADER_CACHE].filter(exists)) allow("read-file", file)
      for (const path of [input, cwd]) allow("read-file", path)
    }
    command.push("--")
  }
  return command
}
