import { fileURLToPath } from "node:url"
import { type Confinement, DECODER_ID, FILTER_FD, harmlessDevices, type Limit } from "./Confinement.ts"

/** How `launcher.pl` is to confine a decoder; it always loads the filter of system calls, and fails where anything is refused. */
export interface Launcher {
  /** Absolute path of perl, which is part of every Debian. */
  readonly perl: string
  /** `own`: namespaces of everything and a file system that holds the decoder alone; `landlock`: a ruleset; `open`: neither. */
  readonly files: "own" | "landlock" | "open"
  /**
   * Who the decoder is. `decoder`: a user without any right, for a worker that is root; `mapped`: the worker, in a user namespace
   * that has nobody else; `worker`: the worker without its capabilities.
   */
  readonly identity: "decoder" | "mapped" | "worker"
}

const script = fileURLToPath(new URL("launcher.pl", import.meta.url))

/** Where Linux distributions have libraries, and the names that point to them. */
const libraryFolders = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/alternatives"]
const libraryFiles = ["/etc/ld.so.cache"]

/** The part of a decoder's command that becomes the decoder: perl and our script. */
export const launched = (
  { files, identity, perl }: Launcher,
  { cwd, input, program }: Confinement,
  limits: ReadonlyArray<Limit>,
  exists: (path: string) => boolean
): ReadonlyArray<string> => [
  perl,
  script,
  `--arch=${process.arch}`,
  `--filter=${FILTER_FD}`,
  ...limits.map(({ hard, resource, soft }) => `--limit=${resource}:${soft}:${hard}`),
  ...(identity === "worker" ? [] : [`--id=${DECODER_ID}`]),
  ...(identity === "mapped" ? ["--user"] : []),
  ...(files === "own" ? [`--root=${cwd}`] : []),
  ...(files === "landlock" ? ["--landlock"] : []),
  ...libraryFolders.filter(exists).map((path) => `--folder=${path}`),
  ...libraryFiles.filter(exists).concat(program).map((path) => `--file=${path}`),
  ...[input, ...harmlessDevices].map((path) => `--input=${path}`),
  "--"
]
