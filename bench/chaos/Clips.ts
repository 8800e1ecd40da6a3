import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { root } from "./ChaosService.ts"

/** Seconds of real footage that jobs are made of: where each clip begins, and in which sample. */
const clips = [["lecture", 0], ["lecture", 15], ["product-demo", 4], ["product-demo", 20]] as const
const CLIP_SECONDS = 4

/** Cuts the clips out of the samples, into a folder, and reads them. */
export const cutClips = async (folder: string) => {
  const { path: ffmpeg } = createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { readonly path: string }
  return Promise.all(clips.map(([sample, at], index) => {
    const file = join(folder, `${index}.mp4`)
    const input = ["-v", "error", "-y", "-ss", String(at), "-i", join(root, `samples/${sample}.mp4`)]
    const made = spawnSync(ffmpeg, [...input, "-t", String(CLIP_SECONDS), "-c", "copy", file], { encoding: "utf8" })
    if (made.status !== 0) throw new Error(made.stderr)
    return readFile(file)
  }))
}
