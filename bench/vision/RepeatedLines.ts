import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import sharp from "sharp"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import type { ClipFrame } from "./Clips.ts"
import { lineOf, randomFrom, slideBuilds, svgOf } from "./DrawnPictures.ts"

/** How a clip is worn: noise of a camera or a cheap grabber, and how coarsely it is encoded. */
interface Wear {
  readonly noise: number
  readonly crf: number
  readonly height: number
}

const wears: ReadonlyArray<Wear> = [
  { noise: 0, crf: 40, height: 300 },
  { noise: 45, crf: 38, height: 360 },
  { noise: 25, crf: 44, height: 400 }
]
const RATE = 5
const STATE_SECONDS = 2
/** What kept frames are encoded with (`FrameStage.ts`). */
const QUALITY = 82

/** Lines that change in their place from one state to the next: what differs here was written, not misread. */
const changing: ReadonlyArray<(state: number, base: number) => string> = [
  (state, base) => `Revenue ${base + 3 * state} million`,
  (state) => `Step ${state + 1} of 8`,
  (state) => `Option ${"ABCDEFGH"[state]}`,
  (state, base) => `Price $${base}.${state}9 per seat`,
  (state) => `Meeting on ${["Monday", "Sunday", "Friday", "Monday", "Sunday", "Friday", "Monday", "Tuesday"][state]}`,
  (state) => `Backups are ${state === 5 ? "disabled" : "enabled"}`,
  (state) => `The pump ${state === 6 ? "can't" : "can"} be stopped`,
  (state, base) => `Order 20${base} ships ${state === 3 ? "1" : "7"} May`,
  (state) => `Valve ${state === 4 ? "on" : "off"}`,
  (state) => `Room ${state === 2 ? "8" : "3"}14`
]

interface State {
  readonly svg: string
  readonly lines: ReadonlyArray<string>
}

/** One slide over eight states: five of its lines stay, the others change. */
const changes = (seed: number): ReadonlyArray<State> => {
  const random = randomFrom(seed)
  const base = 11 + Math.floor(random() * 80)
  const [staying] = slideBuilds(seed).slice(-1)
  const own = changing.toSorted(() => random() - 0.5).slice(0, 4)
  return Array.from({ length: 8 }, (_, state) => {
    const lines = [...staying!.lines.slice(0, 4), ...own.map((write) => write(state, base))]
    const marks = lines.map((text, i) =>
      lineOf({ text, x: 90, y: 100 + i * 78, size: i === 0 ? 44 : 27, fill: "#222222", family: "DejaVu Sans" })
    )
    return { lines, svg: svgOf(1280, 720, "#ffffff", marks) }
  })
}

const run = (ffmpeg: string, args: ReadonlyArray<string>): void => {
  const { status, stderr } = spawnSync(ffmpeg, ["-v", "error", "-y", ...args], { encoding: "utf8" })
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`)
}

const encoding = (crf: number) => ["-c:v", "libx264", "-preset", "veryfast", "-crf", String(crf), "-pix_fmt", "yuv420p"]

const wornFrames = async (
  ffmpeg: string,
  folder: string,
  name: string,
  states: ReadonlyArray<State>,
  { crf, height, noise }: Wear
) => {
  for (const [index, { svg }] of states.entries()) {
    await sharp(Buffer.from(svg)).png().toFile(join(folder, `${name}-${String(index).padStart(2, "0")}.png`))
  }
  const clip = join(folder, `${name}.mp4`)
  run(ffmpeg, [
    "-framerate",
    `1/${STATE_SECONDS}`,
    "-i",
    join(folder, `${name}-%02d.png`),
    "-vf",
    [`fps=${RATE}`, `scale=-2:${height}`, ...(noise === 0 ? [] : [`noise=alls=${noise}:allf=t`])].join(","),
    ...encoding(crf),
    clip
  ])
  const frames: Array<ClipFrame> = []
  for (const [index, { lines }] of states.entries()) {
    const picture = join(folder, `${name}-worn-${index}.png`)
    run(ffmpeg, ["-ss", String((index + 0.5) * STATE_SECONDS), "-i", clip, "-frames:v", "1", picture])
    const file = picture.replace(/png$/u, "jpg")
    await sharp(picture).jpeg({ quality: QUALITY }).toFile(file)
    frames.push({ file, lines })
  }
  return frames
}

/** Clips whose lines stay over several frames, worn by noise and coarse encoding: talks that build up, and slides on which lines change in their place. */
export const repeatedLines = async (
  folder: string,
  seeds: ReadonlyArray<number>
): Promise<Readonly<Record<string, ReadonlyArray<ReadonlyArray<ClipFrame>>>>> => {
  const { ffmpeg } = await Effect.runPromise(findMediaTools)
  const builds: Array<ReadonlyArray<ClipFrame>> = []
  const others: Array<ReadonlyArray<ClipFrame>> = []
  for (const seed of seeds) {
    const wear = wears[seed % wears.length]!
    builds.push(await wornFrames(ffmpeg, folder, `builds-${seed}`, slideBuilds(seed), wear))
    others.push(await wornFrames(ffmpeg, folder, `changes-${seed}`, changes(seed), wear))
  }
  return { "lines that stay": builds, "lines that change": others }
}
