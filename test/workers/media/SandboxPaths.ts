import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { type SandboxPaths, sandboxPrograms } from "../../../workers/media/ffmpeg/FindSandbox.ts"

const onPath = (program: string): string | null =>
  (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, program)).find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  }) ?? null

/** What this machine has to confine decoders with. */
export const sandboxPaths = (): SandboxPaths =>
  Object.fromEntries(sandboxPrograms.map((name) => [name, onPath(name)])) as SandboxPaths
