import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { onScreen } from "../../../src/artifacts/Frames.ts"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { MediaTools } from "../../../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../../../workers/media/ffmpeg/InputArguments.ts"
import { breadth } from "../../support/Breadth.ts"
import { layer, MediaLab } from "./MediaLab.ts"
import { turned } from "./TurnedVideo.ts"

const ask = (program: string, args: ReadonlyArray<string>) =>
  spawnSync(program, [...args], { encoding: "utf8", maxBuffer: 64e6 })

/**
 * When each picture of the file begins, in order, from the start of the source: asked of ffprobe, or, where only the bundled
 * build is installed, of the `showinfo` filter over everything decoded.
 */
const picturesOf = ({ ffmpeg, ffprobe }: MediaTools, file: string): ReadonlyArray<number> => {
  if (ffprobe !== null) {
    const frames = "-v error -select_streams V:0 -show_entries frame=best_effort_timestamp_time -of csv=p=0"
    const { stdout } = ask(ffprobe, [...flags(frames), file])
    const start = Number(ask(ffprobe, [...flags("-v error -show_entries format=start_time -of csv=p=0"), file]).stdout)
    return stdout.trim().split("\n").map((line) => Number.parseFloat(line) - start)
  }
  const { stderr } = ask(ffmpeg, [
    ...flags("-nostdin -copyts -i"),
    file,
    ...flags("-map 0:V:0 -vf showinfo -vsync 0 -f null -")
  ])
  const start = Number(/start: (-?[\d.]+)/u.exec(stderr)![1])
  return [...stderr.matchAll(/pts_time:(-?[\d.]+)/gu)].map(([, time]) => Number(time) - start)
}

/** What is on screen at each half second from the first picture on. */
const sampledFrom = (pictures: ReadonlyArray<number>, samples: number): ReadonlyArray<number> => {
  const first = Math.floor(pictures[0]! * 2 + 1e-6)
  return Array.from({ length: samples }, (_, n) => {
    const moment = (first + n) / 2 + 1e-6
    return roundSeconds(pictures.findLast((begins) => begins <= moment) ?? pictures[0]!)
  })
}

/** Every picture is needed for the next, so that none is left out and each sample is known. */
const everyPictureCounts = flags("-c:v libx264 -preset ultrafast -bf 0 -g 25 -pix_fmt yuv420p")

const moving = (seconds: number, rate = 25) =>
  flags(`-f lavfi -i testsrc2=size=320x180:rate=${rate}:duration=${seconds}`)
const sound = (seconds: number) => flags(`-f lavfi -i sine=frequency=440:duration=${seconds}`)

suite(layer, { timeout: 120_000, excludeTestServices: true })("the times of frames", (it) => {
  const plain = [...moving(4), ...sound(4), ...everyPictureCounts, ...flags("-c:a aac")]

  const clips = {
    "at an even rate": ["even.mp4", plain],
    "at an uneven rate, with a picture that stands for 2 s": ["uneven.mp4", [
      ...moving(6),
      "-vf",
      "select='between(mod(n\\,17)\\,0\\,4)*not(between(t\\,2\\,4))'",
      ...flags("-vsync vfr"),
      ...everyPictureCounts
    ]],
    "of 30000/1001 pictures per second": ["ntsc.mp4", [...moving(4, 29.97), ...everyPictureCounts]],
    "of one picture in 1.7 s": ["slow.mp4", [...moving(9, 0.6), ...everyPictureCounts]],
    "before which there is only sound": ["late.mp4", [
      ...sound(4),
      ...flags("-itsoffset 1.3"),
      ...moving(3),
      ...flags("-map 0:a -map 1:v"),
      ...everyPictureCounts,
      ...flags("-c:a aac")
    ]],
    "in VP9 in WebM": ["vp9.webm", [...moving(3), ...flags("-c:v libvpx-vp9 -deadline realtime -cpu-used 8")]],
    "in two fields": ["fields.mkv", [
      ...moving(3),
      ...flags("-vf interlace -c:v mpeg2video -flags +ildct+ilme -top 1 -bf 0")
    ]]
  } as const

  for (const [shape, [name, args]] of breadth(Object.entries(clips))) {
    it.effect(`are the container's own: ${shape}`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const file = yield* lab.make(name, [...args, "NAME"])
        const { frames, images } = yield* lab.run(file)
        const times = frames.frames.map(({ timestamp }) => timestamp)
        assert.deepStrictEqual(times, sampledFrom(picturesOf(lab.tools, file), times.length))
        assert.isAbove(images.length, 0)
        for (const { index, timestamp } of images) assert.strictEqual(timestamp, times[index])
      }))
  }

  /** One recording, packed anew without another decoding; what each does to its times is in the name. */
  const packed = {
    "cut by an edit list": ["cut.mp4", flags("-ss 1.3 -i NAME -c copy")],
    "before zero in MP4": ["negative.mp4", flags("-i NAME -c copy -output_ts_offset -1")],
    "before zero in Matroska": ["negative.mkv", flags("-i NAME -c copy -output_ts_offset -1")],
    "in a transport stream from 1.4 s": ["stream.ts", flags("-i NAME -c copy")],
    "in a transport stream, later than the sound": ["late.ts", [
      ...flags("-i NAME -itsoffset 1.5 -i NAME -map 0:a -map 1:v -c copy")
    ]]
  } as const

  for (const [shape, [name, args]] of breadth(Object.entries(packed))) {
    it.effect(`are the container's own: ${shape}`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const whole = yield* lab.make("whole.mp4", [...plain, "NAME"])
        const file = yield* lab.make(name, [...args.map((arg) => (arg === "NAME" ? whole : arg)), "NAME"])
        const { frames } = yield* lab.run(file)
        const times = frames.frames.map(({ timestamp }) => timestamp)
        const pictures = picturesOf(lab.tools, file)
        if (name.endsWith(".ts")) {
          // Half seconds are counted from the video's own first picture here.
          const [first] = pictures
          const counted = sampledFrom(pictures.map((begins) => begins - first!), times.length)
          times.forEach((time, n) => assert.approximately(time, counted[n]! + first!, 0.0011))
        } else assert.deepStrictEqual(times, sampledFrom(pictures, times.length))
        assert.isAbove(times.length, 3)
      }))
  }

  it.effect("are the container's own: turned upright by the player", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.write("upright.mp4", turned(yield* lab.make("lying.mp4", [...plain, "NAME"])))
      const { frames } = yield* lab.run(file)
      const times = frames.frames.map(({ timestamp }) => timestamp)
      assert.deepStrictEqual(times, sampledFrom(picturesOf(lab.tools, file), times.length))
      assert.strictEqual(frames.frames[0]!.height, 320)
    }))

  it.effect("are those of pictures that were decoded, where others are left out for speed", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("skipped.mp4", [
        ...moving(4),
        ...flags("-c:v libx264 -preset ultrafast -bf 3 -g 50 -pix_fmt yuv420p NAME")
      ])
      const { frames } = yield* lab.run(file)
      const pictures = picturesOf(lab.tools, file).map(roundSeconds)
      frames.frames.forEach(({ timestamp }, n) => {
        assert.include(pictures, timestamp)
        // Three pictures between two that others refer to.
        assert.isTrue(timestamp <= n / 2 && timestamp > n / 2 - 0.17, `${timestamp} at ${n / 2}`)
      })
    }))

  it.effect("are those of the key pictures alone, where every sample has one", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("dense.mp4", [
        ...moving(4),
        ...flags("-c:v libx264 -preset ultrafast -g 12 -keyint_min 12 -sc_threshold 0 -pix_fmt yuv420p NAME")
      ])
      const { frames } = yield* lab.run(file)
      const times = frames.frames.map(({ timestamp }) => timestamp)
      assert.deepStrictEqual(times, sampledFrom(Array.from({ length: 9 }, (_, key) => key * 0.48), times.length))
      assert.lengthOf(times, 8)
    }))

  it.effect("tell how long a picture stood that was never followed by another", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("still.mp4", [
        ...moving(1),
        ...flags("-vf tpad=stop_mode=clone:stop_duration=4,mpdecimate -vsync vfr"),
        ...everyPictureCounts,
        "NAME"
      ])
      const { frames, probe } = yield* lab.run(file)
      const moments = [...onScreen(frames).values()]
      assert.isAtLeast(Math.max(...moments.map(({ t_end }) => t_end)), probe.facts.duration_seconds - 0.6)
      for (const { timestamp } of frames.frames) assert.isAtMost(timestamp, 1)
    }))

  const cursed = fileURLToPath(new URL("../../../../shared/assets/video/dev/mb_cursed-vfr.mp4", import.meta.url))
  if (!existsSync(cursed)) {
    process.stdout.write(`left out, for want of ${cursed}: a last picture that stands for 1.6 s\n`)
  }
  it.effect.skipIf(!existsSync(cursed))(
    "go as far as the last picture's own length, as the header says",
    () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const { codes, frames, probe } = yield* lab.run(cursed)
        assert.deepStrictEqual(codes, [])
        assert.approximately(probe.facts.duration_seconds, 8.726, 0.006)
        assert.approximately(frames.frames.at(-1)!.timestamp, 7.156, 0.001)
      })
  )
})
