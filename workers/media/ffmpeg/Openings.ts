import { chmod, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer, type ListenOptions } from "node:net"
import { join } from "node:path"
import { temporaryFolder } from "../../../src/processes/TemporaryFolders.ts"
import { changesUser, type SandboxTools, wantsFilter } from "./Sandbox.ts"
import { readsRaw, runsBehind } from "./TrialRun.ts"

/** What a decoder reaches in spite of its confinement. */
export interface Openings {
  readonly network: boolean
  /** Sockets with a path, those of databases and other services. */
  readonly sockets: boolean
  /** Files other than its input and its libraries. */
  readonly files: boolean
  /** Signals to others, and processes that outlive it. */
  readonly processes: boolean
  /** Memory and processor time without end. */
  readonly resources: boolean
}

/** Whether a decoder gets as far as a listener of ours, told by the plainest of its protocols. */
const connects = async (
  tools: SandboxTools,
  ffmpeg: string,
  where: ListenOptions,
  url: (port: number) => string
): Promise<boolean> => {
  let reached = false
  const listener = createServer((socket) => {
    reached = true
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(where, resolve))
  if (where.path !== undefined) await chmod(where.path, 0o777)
  const port = (listener.address() as AddressInfo).port
  const ask = ["-nostdin", "-v", "quiet", "-f", "mpegts", "-i", url(port)]
  await runsBehind(tools, ffmpeg, [...ask, "-f", "null", "-"])
  await new Promise((resolve) => listener.close(resolve))
  return reached
}

/**
 * Tries by the decoder itself what its confinement leaves open: a port of this machine, a socket and a file that are open to
 * every user. What no means closes counts as open whatever the trial says, since a build may lack the protocol. Never fails.
 */
export const findOpenings = async (tools: SandboxTools, ffmpeg: string): Promise<Openings> => {
  const folder = await temporaryFolder("openings")
  try {
    await chmod(folder, 0o755)
    const [file, path] = [join(folder, "file"), join(folder, "socket")]
    await writeFile(file, Buffer.alloc(4))
    await chmod(file, 0o644)
    const [network, sockets, files] = await Promise.all([
      connects(tools, ffmpeg, { host: "127.0.0.1", port: 0 }, (port) => `tcp://127.0.0.1:${port}?timeout=2000000`),
      connects(tools, ffmpeg, { path }, () => `unix:${path}`),
      runsBehind(tools, ffmpeg, readsRaw(file))
    ])
    const own = tools.bwrap !== null || tools.launcher?.files === "own"
    const ruled = tools.setpriv?.landlock === true || tools.launcher?.files === "landlock"
    const filtered = wantsFilter(tools)
    return {
      network,
      sockets: sockets || !(own || filtered),
      files: files || !(own || ruled),
      // The memory of others is a file, too.
      processes: !(own || (filtered && (ruled || changesUser(tools)))),
      resources: tools.prlimit === null && tools.launcher === null
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same in words for whoever runs the service. */
export const warningsOf = (tools: SandboxTools, open: Openings): ReadonlyArray<string> => {
  const own = !changesUser(tools)
  return [
    ...(open.network
      ? ["Nothing keeps a decoder from the network but its own options; give the worker a container without one."]
      : []),
    ...(open.sockets
      ? [
        own
          ? "A decoder can open local sockets, the embedded database among them, and so reaches the network."
          : "A decoder can open the local sockets that are open to all users, and by them reaches what their services do."
      ]
      : []),
    ...(open.files
      ? [
        own
          ? "A decoder can read every file that its worker can, keys and the database among them."
          : "A decoder can read the files that are open to all users."
      ]
      : []),
    ...(open.processes
      ? [
        own
          ? "A decoder can signal other processes of its worker's user, and start some that outlive it."
          : "A decoder can start processes that outlive it, and signal other decoders."
      ]
      : []),
    ...(open.resources ? ["A decoder's memory and processor time have no limit of their own."] : [])
  ]
}

/** What an unsafe confinement is called in a refusal: the first words of each opening; none where it is safe. */
export const gapsOf = ({ files, network, processes, sockets }: Openings): ReadonlyArray<string> => [
  ...(files ? ["files"] : []),
  ...(network ? ["the network"] : []),
  ...(sockets ? ["local sockets"] : []),
  ...(processes ? ["other processes"] : [])
]
