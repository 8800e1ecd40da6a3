import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"

const samples = fileURLToPath(new URL("../../samples", import.meta.url))

/** The first seconds of a sample as a file in this folder: twelve of the lecture have speech, pictures and text on them. */
export const shortClip = Effect.fn("shortClip")(function*(
  folder: string,
  seconds = 12,
  sample: "lecture" | "product-demo" = "lecture"
) {
  const { ffmpeg } = yield* findMediaTools
  const file = join(folder, "short.mp4")
  const made = spawnSync(ffmpeg, [
    "-v",
    "error",
    "-i",
    join(samples, `${sample}.mp4`),
    "-t",
    String(seconds),
    "-c",
    "copy",
    file
  ])
  assert.strictEqual(made.status, 0, String(made.stderr))
  return file
})
