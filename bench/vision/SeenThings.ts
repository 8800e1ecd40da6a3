import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ObjectName } from "../../src/artifacts/ObjectNames.ts"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import type { ObjectDetector } from "../../workers/vision/objects/ObjectDetector.ts"
import { loadPicture } from "../../workers/vision/picture/Picture.ts"

/** How many of each kind a picture shows: exactly so many, or from so many up to so many where it is hard to say. */
type Shown = { readonly [N in ObjectName]?: number | readonly [least: number, most: number] }

/** What was found on pictures: `said` and `right` count what was told, `there` and `found` what is to be seen. */
export interface ThingScore {
  readonly pictures: number
  readonly said: number
  readonly right: number
  readonly there: number
  readonly found: number
  readonly decoding_ms: ReadonlyArray<number>
  readonly finding_ms: ReadonlyArray<number>
}

const nothing: ThingScore = { pictures: 0, said: 0, right: 0, there: 0, found: 0, decoding_ms: [], finding_ms: [] }

/** Frames of the shared clips, and shared photographs; looked at one by one, after a first sheet of what the detector had found. */
const frames: ReadonlyArray<readonly [file: string, second: number | null, shown: Shown]> = [
  ["images/dev/astronaut.png", null, { person: 1 }],
  ["images/dev/coffee.png", null, { cup: 1, spoon: 1, "dining table": [0, 1] }],
  ["images/dev/motorcycle_left.png", null, {
    motorcycle: 1,
    bottle: [0, 6],
    person: [0, 1],
    bicycle: [0, 1],
    car: [0, 1]
  }],
  ...[0.5, 3].map((second) => ["video/dev/bottle-detection.mp4", second, { bottle: 3 }] as const),
  ...[6, 12].map((second) => ["video/dev/bottle-detection.mp4", second, { bottle: 3, person: [0, 1] }] as const),
  ["video/dev/bottle-detection.mp4", 20, { bottle: 1 }],
  ["video/dev/car-detection.mp4", 0.5, {}],
  ["video/dev/car-detection.mp4", 6, { car: 1 }],
  ["video/dev/exo_bbb.mp4", 0.5, {}],
  ["video/dev/exo_bbb.mp4", 3, {}],
  ["video/dev/exo_bbb.mp4", 6, { bird: 1 }],
  ["video/dev/exo_bear-vp9.webm", 0.5, { bear: 1 }],
  ["video/dev/exo_desks.3gp", 0.5, { mouse: 1 }],
  ["video/dev/exo_sample_av1.mp4", 0.5, { person: 1 }],
  ...[0.5, 3].map((second) => ["video/dev/fb_chair-orig-22-sd-bar.mp4", second, { chair: 1 }] as const),
  ["video/dev/fb_chair-orig-22-sd-bar.mp4", 12, { chair: 1, cup: [0, 1] }],
  ...[0.5, 3].map((second) =>
    ["video/dev/iot_asl_book.mkv", second, { person: 1, chair: [0, 1], tv: [0, 1] }] as const
  ),
  ["video/dev/nat1080_6s.mp4", 0.5, { bird: [0, 2] }],
  ["video/dev/nat1080_6s.mp4", 3, {}],
  ["video/dev/perspective-video.mp4", 0.5, {}],
  ["video/dev/perspective-video.mp4", 3, {}],
  ...[6, 12].map((second) =>
    ["video/dev/perspective-video.mp4", second, {
      person: 1,
      tv: 1,
      keyboard: [0, 1],
      cup: [0, 1],
      mouse: [0, 1]
    }] as const
  ),
  ...[3, 6].map((second) => ["video/dev/transcribe-anything-video.mp4", second, { person: 1 }] as const),
  ["video/dev/mb_video-h265.mp4", 3, {}],
  ["video/dev/rabbit-silent.mp4", 6, {}],
  ["video/dev/shots.mp4", 12, {}],
  ["strangers/property-tour.mp4", 30, { "dining table": [0, 1], tv: [0, 1] }],
  ["strangers/cooking.mp4", 30, { cup: 1, spoon: 1, "dining table": [0, 1] }],
  ["strangers/news.mp4", 16, {}],
  ["strangers/standup.mp4", 2, {}]
]

const compared = (score: ThingScore, told: ReadonlyArray<ObjectName>, shown: Shown, wrong: (what: string) => void) => {
  let { found, right, said, there } = score
  for (const name of new Set([...told, ...Object.keys(shown) as ReadonlyArray<ObjectName>])) {
    const got = told.filter((one) => one === name).length
    const bounds = shown[name] ?? 0
    const [least, most] = typeof bounds === "number" ? [bounds, bounds] : bounds
    said += got
    right += Math.min(got, most)
    there += least
    found += Math.min(got, least)
    if (got > most) wrong(`${got - most} ${name} too many`)
    if (got < least) wrong(`${least - got} ${name} missed`)
  }
  return { ...score, pictures: score.pictures + 1, found, right, said, there }
}

const look = async (detector: ObjectDetector, score: ThingScore, file: string, shown: Shown, label: string) => {
  const began = performance.now()
  const picture = await loadPicture(file)
  const decoded = performance.now()
  const told = await detector.find(picture)
  const done = performance.now()
  const next = compared(score, told.map(({ name }) => name), shown, (what) => console.log(`  ${label}: ${what}`))
  return {
    ...next,
    decoding_ms: [...score.decoding_ms, decoded - began],
    finding_ms: [...score.finding_ms, done - decoded]
  }
}

const truthOf = (name: string): Readonly<Record<string, Shown>> =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`${name}.json`, import.meta.url)), "utf8"))

/** Photographs of npm packages, where a folder holds them unpacked as `NAME-VERSION/package`. */
const photographs = async (detector: ObjectDetector, folder: string, name: string) => {
  let score = nothing
  for (const [file, shown] of Object.entries(truthOf(name))) {
    const path = join(folder, file)
    if (existsSync(path)) score = await look(detector, score, path, shown, file)
  }
  return score
}

const shared = async (detector: ObjectDetector, assets: string, scratch: string) => {
  const { ffmpeg } = await Effect.runPromise(findMediaTools)
  let score = nothing
  for (const [file, second, shown] of frames) {
    const path = join(assets, file)
    if (!existsSync(path)) continue
    if (second === null) {
      score = await look(detector, score, path, shown, file)
      continue
    }
    const picture = join(scratch, "thing.jpg")
    const { status, stderr } = spawnSync(
      ffmpeg,
      ["-v", "error", "-y", "-ss", String(second), "-i", path, "-frames:v", "1", "-q:v", "3", picture],
      { encoding: "utf8" }
    )
    if (status !== 0) throw new Error(`${file} at ${second} s: ${stderr}`)
    score = await look(detector, score, picture, shown, `${file} at ${second} s`)
  }
  return score
}

/**
 * What the detector finds on the shared photographs and clips, and on those of npm packages that `folder` holds. Those in
 * `photographs-chosen.json` were in view when its threshold was chosen, all others were not.
 */
export const seenThings = async (
  detector: ObjectDetector,
  folder: string,
  scratch: string
): Promise<Readonly<Record<string, ThingScore>>> => {
  const sets = {
    "things: shared frames": await shared(detector, join(folder, "..", ".."), scratch),
    "things: photographs held out": await photographs(detector, folder, "photographs-held-out"),
    "things: photographs chosen by": await photographs(detector, folder, "photographs-chosen")
  }
  return Object.fromEntries(Object.entries(sets).filter(([, { pictures }]) => pictures > 0))
}
