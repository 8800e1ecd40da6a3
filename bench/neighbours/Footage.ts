import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"

const made = async (name: string, args: ReadonlyArray<string>): Promise<Buffer<ArrayBuffer>> => {
  const { ffmpeg } = await Effect.runPromise(Effect.scoped(findMediaTools))
  const folder = await mkdtemp(join(tmpdir(), "footnote-footage-"))
  try {
    await promisify(execFile)(ffmpeg, ["-v", "error", ...args, join(folder, name)])
    return await readFile(join(folder, name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The first 30 s of a video, as they are. */
export const firstSeconds = (video: string): Promise<Buffer<ArrayBuffer>> =>
  made("clip.mp4", ["-i", video, "-t", "30", "-c", "copy"])

/** The sample of one lecturer and seven slides. */
export const lecture = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

/** Twelve hours of silence: some megabytes, and more than a gigabyte once decoded. */
export const silence = (): Promise<Buffer<ArrayBuffer>> =>
  made("silence.flac", ["-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-t", "43200"])
