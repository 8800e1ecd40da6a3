import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { type FileHandle, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "../../../src/processes/TemporaryFolders.ts"
import { DECODER_ID } from "./Confinement.ts"
import { changesUser, confine, type SandboxTools, wantsFilter } from "./Sandbox.ts"
import { systemCallFilter } from "./SystemCallFilter.ts"

/** Longest that a decoder may take to print its version or to be refused a connection. */
export const PATIENCE = 20_000

/** The filter as an open file that has no name any more; its reader begins at its first byte. Null where none is wanted. */
export const openFilter = async (tools: SandboxTools, folder: string): Promise<FileHandle | null> => {
  const filter = wantsFilter(tools) ? systemCallFilter(process.arch) : null
  if (filter === null) return null
  const path = join(folder, "filter")
  const writer = await open(path, "wx")
  try {
    await writer.writeFile(filter)
    // Who loads it may have become another user by then.
    await writer.chmod(0o444)
    return await open(path, "r")
  } finally {
    await writer.close()
    await rm(path)
  }
}

/**
 * Lets a decoder that is another user read this input, by a group that nobody else is in: it opens the file again, so the open
 * one that it is given is not enough. Does nothing where decoders keep their worker's user.
 */
export const handOver = async (tools: SandboxTools, input: FileHandle): Promise<void> => {
  if (!changesUser(tools)) return
  const { gid, mode, uid } = await input.stat()
  if ((mode & 0o004) !== 0 || (gid === DECODER_ID && (mode & 0o040) !== 0)) return
  await input.chown(uid, DECODER_ID)
  await input.chmod((mode & 0o777) | 0o040)
}

/** Runs a decoder behind the confinement with a private file of four bytes as its input; true where it ends with 0. */
export const runsBehind = async (
  tools: SandboxTools,
  ffmpeg: string,
  args: ReadonlyArray<string>
): Promise<boolean> => {
  const cwd = await temporaryFolder("sandbox")
  const path = join(cwd, "input")
  const input = await open(path, "wx+", 0o600)
  const filter = await openFilter(tools, cwd)
  try {
    await input.writeFile(Buffer.alloc(4))
    await handOver(tools, input)
    const behind = { cpu_seconds: PATIENCE / 1000, input: path, program: ffmpeg, cwd }
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

/** Options that read a file as sound without any header. */
export const readsRaw = (
  file: string
): ReadonlyArray<string> => [
  "-nostdin",
  "-v",
  "quiet",
  "-f",
  "u8",
  "-ar",
  "8000",
  "-ac",
  "1",
  "-i",
  file,
  "-f",
  "null",
  "-"
]
