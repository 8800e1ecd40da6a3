import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { confine, type SandboxTools, unconfined, wantsFilter } from "./Sandbox.ts"
import { systemCallFilter } from "./SystemCallFilter.ts"

/** Longest that a decoder may take to print its version or to be refused a connection. */
const PATIENCE = 20_000

/** The filter as an open file that has no name any more; its reader begins at its first byte. Null where none is wanted. */
export const openFilter = async (tools: SandboxTools, folder: string): Promise<FileHandle | null> => {
  const filter = wantsFilter(tools) ? systemCallFilter(process.arch) : null
  if (filter === null) return null
  const path = join(folder, "filter")
  const writer = await open(path, "wx")
  try {
    await writer.writeFile(filter)
    return await open(path, "r")
  } finally {
    await writer.close()
    await rm(path)
  }
}

/** Runs the decoder behind the confinement; true where it ends with 0. */
const runs = async (tools: SandboxTools, ffmpeg: string, args: ReadonlyArray<string>): Promise<boolean> => {
  const cwd = await mkdtemp(join(tmpdir(), "footnote-sandbox-"))
  const [input, filter] = await Promise.all([open(ffmpeg, "r"), openFilter(tools, cwd)])
  try {
    const behind = { cpu_seconds: PATIENCE / 1000, input: ffmpeg, program: ffmpeg, cwd }
    const [head, ...rest] = [...confine(tools, behind, existsSync), ffmpeg, ...args]
    return await new Promise((resolve) => {
      const child = spawn(head!, rest, {
        cwd,
        env: { LC_ALL: "C" },
        stdio: ["ignore", "ignore", "ignore", input.fd, ...(filter === null ? [] : [filter.fd])],
        timeout: PATIENCE,
        killSignal: "SIGKILL"
      })
      child.once("error", () => resolve(false)).once("exit", (code) => resolve(code === 0))
    })
  } finally {
    await Promise.all([input.close(), filter?.close(), rm(cwd, { recursive: true, force: true })])
  }
}

/**
 * Whether a decoder behind this confinement gets as far as a listener on this machine's loopback. It is told to connect by
 * the plainest of its protocols, so nothing but the confinement is in the way.
 */
const reachesNetwork = async (tools: SandboxTools, ffmpeg: string): Promise<boolean> => {
  let reached = false
  const listener = createServer((socket) => {
    reached = true
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  const { port } = listener.address() as AddressInfo
  const ask = ["-nostdin", "-v", "quiet", "-f", "mpegts", "-i", `tcp://127.0.0.1:${port}?timeout=2000000`]
  await runs(tools, ffmpeg, [...ask, "-f", "null", "-"])
  await new Promise((resolve) => listener.close(resolve))
  return reached
}

const helpOf = (file: string | null): Promise<string> =>
  new Promise((resolve) => {
    if (file === null) return resolve("")
    execFile(file, ["--help"], { timeout: PATIENCE, env: { LC_ALL: "C" } }, (_, stdout) => resolve(stdout))
  })

/** Everything worth trying, strictest first. */
const candidatesOf = (
  paths: Readonly<Record<"prlimit" | "setpriv" | "bwrap" | "unshare", string | null>>,
  help: string,
  devices: boolean
): ReadonlyArray<SandboxTools> => {
  const filtered = systemCallFilter(process.arch) !== null
  const { prlimit, unshare: path } = paths
  const bwrap = devices ? null : paths.bwrap
  const plain = paths.setpriv === null || help === ""
    ? null
    : { path: paths.setpriv, pdeathsig: help.includes("pdeathsig"), landlock: false, seccomp: false }
  const landlock = help.includes("landlock-access") && !devices
  const seccomp = help.includes("seccomp-filter") && filtered
  const unshares = path === null ? [] : [{ path, user: false }, { path, user: true }]
  const tools = (some: Partial<SandboxTools>): SandboxTools => ({
    ...unconfined,
    ...(devices ? { devices } : {}),
    prlimit,
    ...some
  })
  return [
    ...(plain !== null && landlock && seccomp ? [tools({ setpriv: { ...plain, landlock, seccomp } })] : []),
    ...(bwrap !== null && filtered ? [tools({ bwrap })] : []),
    ...(landlock || seccomp
      ? unshares.map((unshare) => tools({ unshare, setpriv: plain === null ? null : { ...plain, landlock, seccomp } }))
      : []),
    ...(plain !== null && seccomp ? [tools({ setpriv: { ...plain, seccomp } })] : []),
    ...unshares.map((unshare) => tools({ unshare, setpriv: plain })),
    ...(plain !== null && landlock ? [tools({ setpriv: { ...plain, landlock } })] : []),
    tools({ setpriv: plain }),
    tools({})
  ]
}

/** What was found, and what a decoder can do in spite of it, in words. */
export interface FoundSandbox {
  readonly tools: SandboxTools
  readonly warnings: ReadonlyArray<string>
}

const warningsOf = (tools: SandboxTools, open: boolean): ReadonlyArray<string> => [
  ...(open
    ? ["Nothing keeps a decoder from the network but its own options; give the worker a container without one."]
    : []),
  ...(tools.bwrap === null && tools.setpriv?.landlock !== true
    ? ["A decoder can read every file that its worker can; install util-linux 2.41 or bubblewrap, or use a container."]
    : []),
  ...(tools.prlimit === null ? ["A decoder's memory and processor time have no limit of their own."] : [])
]

/**
 * The strictest confinement that the decoder runs behind on this machine: an option may be known while the kernel or a
 * container refuses it, so each is tried, and the network by a real connection. With `devices` a graphics card can be opened
 * from behind it: then the files stay open too, and addresses without a limit. Never fails; what it lacks, it tells.
 */
export const findSandbox = Effect.fn("findSandbox")(function*(
  ffmpeg: string,
  paths: Readonly<Record<"prlimit" | "setpriv" | "bwrap" | "unshare", string | null>>,
  { devices = false }: { readonly devices?: boolean } = {}
): Effect.fn.Return<FoundSandbox> {
  const help = yield* Effect.promise(() => helpOf(paths.setpriv))
  let tools = unconfined
  for (const candidate of candidatesOf(paths, help, devices)) {
    if (yield* Effect.promise(() => runs(candidate, ffmpeg, ["-version"]))) {
      tools = candidate
      break
    }
  }
  const open = yield* Effect.promise(() => reachesNetwork(tools, ffmpeg))
  return { tools, warnings: warningsOf(tools, open) }
})
