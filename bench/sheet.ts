import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import sharp, { type OverlayOptions } from "sharp"
import { findMediaTools } from "../workers/media/ffmpeg/Ffmpeg.ts"
import { openFrameDescriber } from "../workers/vision/description/DescribeFrame.ts"
import { openObjectDetector } from "../workers/vision/objects/ObjectDetector.ts"

const shared = fileURLToPath(new URL("../../shared/assets/", import.meta.url))

/** Photographs and filmed clips by file and second. No network was trained on them; the thresholds of the detector were looked at on some. */
const shown: ReadonlyArray<readonly [file: string, second: number | null]> = [
  ["images/dev/astronaut.png", null],
  ["images/dev/coffee.png", null],
  ["images/dev/motorcycle_left.png", null],
  ["video/dev/bottle-detection.mp4", 3],
  ["video/dev/car-detection.mp4", 6],
  ["video/dev/exo_bbb.mp4", 6],
  ["video/dev/exo_bear-vp9.webm", 0.5],
  ["video/dev/exo_desks.3gp", 0.5],
  ["video/dev/fb_chair-orig-22-sd-bar.mp4", 3],
  ["video/dev/iot_asl_book.mkv", 3],
  ["video/dev/nat1080_6s.mp4", 3],
  ["video/dev/perspective-video.mp4", 6],
  ["strangers/cooking.mp4", 30],
  ["strangers/property-tour.mp4", 30],
  ["strangers/news.mp4", 16]
]

const TILE = { width: 440, height: 250, words: 110, across: 3 } as const
const LINE = 58

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** The words in lines of a tile's width. */
const linesOf = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < LINE) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const captionOf = (text: string): Buffer =>
  Buffer.from(
    `<svg width="${TILE.width}" height="${TILE.words}"><rect width="100%" height="100%" fill="white"/>${
      linesOf(text).slice(0, 6).map((line, i) =>
        `<text x="6" y="${16 + 17 * i}" font-family="sans-serif" font-size="13">${escaped(line)}</text>`
      ).join("")
    }</svg>`
  )

/**
 * Describes photographs and stills of filmed clips by the built-in stack, prints what it says of each, and with `--out=FILE` lays
 * pictures and sentences on one sheet to be looked at. Files that are not here are named and left out.
 */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const out = args.find((argument) => argument.startsWith("--out="))?.slice(6)
  const { ffmpeg } = await Effect.runPromise(findMediaTools)
  const folder = mkdtempSync(join(tmpdir(), "footnote-sheet-"))
  const [describer, detector] = [await openFrameDescriber(), await openObjectDetector()]
  const tiles: Array<OverlayOptions> = []
  try {
    for (const [file, second] of shown) {
      const path = join(shared, file)
      if (!existsSync(path)) {
        console.log(`skipped   ${file} is not here`)
        continue
      }
      const still = second === null ? path : join(folder, "still.png")
      if (second !== null) {
        spawnSync(ffmpeg, ["-v", "error", "-y", "-ss", String(second), "-i", path, "-frames:v", "1", still])
      }
      const { description } = await describer.describe(still, undefined, detector)
      const name = second === null ? file : `${file} at ${second} s`
      console.log(`${name.padEnd(48)} ${description}`)
      const [left, top] = [
        tiles.length / 2 % TILE.across * TILE.width,
        Math.floor(tiles.length / 2 / TILE.across) * (TILE.height + TILE.words)
      ]
      const { height, width } = TILE
      tiles.push(
        { input: await sharp(still).resize({ width, height, fit: "contain" }).png().toBuffer(), left, top },
        { input: captionOf(description), left, top: top + height }
      )
    }
    if (out === undefined || tiles.length === 0) return
    const height = Math.ceil(tiles.length / 2 / TILE.across) * (TILE.height + TILE.words)
    await sharp({ create: { width: TILE.across * TILE.width, height, channels: 3, background: "white" } })
      .composite(tiles).png().toFile(resolve(out))
    console.log(`The sheet is ${resolve(out)}.`)
  } finally {
    await Promise.all([describer.dispose(), detector.dispose()])
    rmSync(folder, { recursive: true })
  }
}
