import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import sharp from "sharp"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { type DrawnPicture, lineOf, slideBuilds } from "./DrawnPictures.ts"

/** One picture out of a clip, as the service keeps it, and the lines that are written on it. */
export interface ClipFrame {
  readonly file: string
  readonly lines: ReadonlyArray<string>
}

export interface Caption {
  readonly t_start: number
  readonly t_end: number
  readonly lines: ReadonlyArray<string>
}

/** What kept frames are encoded with (`FrameStage.ts`). */
const QUALITY = 82
const RATE = 25
const STATE_SECONDS = 4
const ENCODING = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p"]

const run = (ffmpeg: string, args: ReadonlyArray<string>): void => {
  const { status, stderr } = spawnSync(ffmpeg, ["-v", "error", "-y", ...args], { encoding: "utf8" })
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`)
}

const seconds = (time: string): number => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)

/** Seconds that a clip lasts. */
const lengthOf = (ffmpeg: string, clip: string): number => {
  const { stderr } = spawnSync(ffmpeg, ["-i", clip], { encoding: "utf8" })
  return seconds(/Duration: ([\d:.]+)/u.exec(stderr)![1]!)
}

const findFfmpeg = async (): Promise<string> => (await Effect.runPromise(findMediaTools)).ffmpeg

/** Draws a picture as a kept frame and gives its path. */
export const drawnFile = async (folder: string, { name, svg }: DrawnPicture): Promise<string> => {
  const file = join(folder, `${name.replaceAll(" ", "-")}.jpg`)
  await sharp(Buffer.from(svg)).jpeg({ quality: QUALITY }).toFile(file)
  return file
}

const frameAt = async (ffmpeg: string, clip: string, moment: number, file: string): Promise<string> => {
  const picture = file.replace(/jpg$/u, "png")
  run(ffmpeg, ["-ss", moment.toFixed(3), "-i", clip, "-frames:v", "1", picture])
  await sharp(picture).jpeg({ quality: QUALITY }).toFile(file)
  return file
}

/** A talk whose slides build up line by line, through H.264: one frame of every state, in time order. */
export const talkFrames = async (folder: string, seed: number): Promise<ReadonlyArray<ClipFrame>> => {
  const ffmpeg = await findFfmpeg()
  const states = slideBuilds(seed)
  for (const [index, { svg }] of states.entries()) {
    await sharp(Buffer.from(svg)).png().toFile(join(folder, `state-${seed}-${String(index).padStart(2, "0")}.png`))
  }
  const clip = join(folder, `talk-${seed}.mp4`)
  const pictures = join(folder, `state-${seed}-%02d.png`)
  run(ffmpeg, ["-framerate", `1/${STATE_SECONDS}`, "-i", pictures, "-vf", `fps=${RATE}`, ...ENCODING, clip])
  const frames: Array<ClipFrame> = []
  for (const [index, { lines }] of states.entries()) {
    const file = join(folder, `talk-${seed}-${index}.jpg`)
    frames.push({ file: await frameAt(ffmpeg, clip, (index + 0.5) * STATE_SECONDS, file), lines })
  }
  return frames
}

/** The captions of a WebVTT file. */
export const captionsOf = (file: string): ReadonlyArray<Caption> =>
  readFileSync(file, "utf8").split(/\r?\n\r?\n/u).flatMap((block) => {
    const lines = block.trim().split(/\r?\n/u)
    const at = lines.findIndex((line) => line.includes("-->"))
    if (at < 0) return []
    const [t_start, t_end] = lines[at]!.split("-->").map((time) => seconds(time.trim()))
    return [{ t_start: t_start!, t_end: t_end!, lines: lines.slice(at + 1) }]
  })

/** White type with a dark edge, centred near the lower edge, as players burn captions in. */
const captionSvg = ({ lines }: Caption, width: number, height: number): string => {
  const size = Math.round(height / 18)
  const rows = lines.map((text, i) => {
    const y = Math.round(height * 0.94 - (lines.length - 1 - i) * size * 1.3)
    const line = lineOf({
      text,
      x: Math.round(width / 2),
      y,
      size,
      fill: "#ffffff",
      family: "Liberation Sans",
      weight: "700"
    })
      .replace("<text", "<text text-anchor=\"middle\"")
    return line.replace(
      "<text",
      `<text stroke="#000000" stroke-width="${Math.round(size / 6)}" stroke-linejoin="round"`
    ) + line
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rows.join("")}</svg>`
}

/**
 * A clip with captions burnt into it, through H.264, and three frames of every caption: soon after it appears, in its
 * middle and shortly before it goes. Without a clip the captions are over a moving fractal.
 */
export const captionFrames = async (
  folder: string,
  captions: ReadonlyArray<Caption>,
  clip: string | null
): Promise<ReadonlyArray<ReadonlyArray<ClipFrame>>> => {
  const ffmpeg = await findFfmpeg()
  const length = Math.max(...captions.map(({ t_end }) => t_end))
  const source = clip === null
    ? ["-f", "lavfi", "-i", `mandelbrot=size=1280x720:rate=${RATE}`]
    : ["-i", clip]
  const first = join(folder, "first.png")
  run(ffmpeg, [...source, "-frames:v", "1", first])
  const { height, width } = await sharp(first).metadata()
  const overlays: Array<string> = []
  for (const [index, caption] of captions.entries()) {
    const file = join(folder, `caption-${index}.png`)
    writeFileSync(file, await sharp(Buffer.from(captionSvg(caption, width, height))).png().toBuffer())
    overlays.push(file)
  }
  const steps = captions.map(({ t_end, t_start }, i) =>
    `[v${i}][${i + 1}:v]overlay=enable='between(t,${t_start},${t_end - 0.001})'[v${i + 1}]`
  )
  const graph = [`[0:v]null[v0]`, ...steps].join(";")
  const burnt = join(folder, "burnt.mp4")
  const inputs = overlays.flatMap((file) => ["-i", file])
  const video = ["-filter_complex", graph, "-map", `[v${captions.length}]`, "-t", String(length), ...ENCODING]
  run(ffmpeg, [...source, ...inputs, ...video, burnt])
  const end = lengthOf(ffmpeg, burnt)
  const all: Array<ReadonlyArray<ClipFrame>> = []
  for (const [index, { lines, t_end, t_start }] of captions.entries()) {
    const frames: Array<ClipFrame> = []
    for (const share of [0.1, 0.5, 0.8]) {
      const moment = t_start + share * (Math.min(end, t_end) - t_start)
      const file = join(folder, `burnt-${index}-${frames.length}.jpg`)
      frames.push({ file: await frameAt(ffmpeg, burnt, moment, file), lines })
    }
    all.push(frames)
  }
  return all
}
