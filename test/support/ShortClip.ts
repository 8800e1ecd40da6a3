import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

/** The first seconds of the sample lecture as a file in this folder: twelve have speech, pictures and text on them. */
export const shortClip = Effect.fn("shortClip")(function*(folder: string, seconds = 12) {
  const { ffmpeg } = yield* findMediaTools
  const file = join(folder, "short.mp4")
  const made = spawnSync(ffmpeg, ["-v", "error", "-i", sample, "-t", String(seconds), "-c", "copy", file])
  assert.strictEqual(made.status, 0, String(made.stderr))
  return file
})
