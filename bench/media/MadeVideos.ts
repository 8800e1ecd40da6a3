import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { flags } from "../../workers/media/ffmpeg/InputArguments.ts"

/** A clip of our own, or why this decoder's build cannot make it. */
export type MadeVideo = { readonly shape: string } & ({ readonly file: string } | { readonly missing: string })

const pattern = (seconds: number, size: string, rate = 30) =>
  flags(`-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`)
/** Two moments to a picture, so twice the rate goes in. */
const fields = (seconds: number) => [
  ...pattern(seconds, "1920x1080", 60),
  ...sound(seconds),
  ...flags("-vf interlace=scan=tff -flags +ildct+ilme")
]
const sound = (seconds: number) => flags(`-f lavfi -i sine=frequency=440:duration=${seconds}`)
const h264 = flags("-c:v libx264 -preset veryfast -b:v 5M -pix_fmt yuv420p -c:a aac")

/** The clip that others are made of. */
const first = "h264.mp4"

/** What is made of the generators, or of the first clip. */
const recipes = (seconds: number, whole: string) => ({
  "H.264 1080p30": {
    name: first,
    args: [...pattern(seconds, "1920x1080"), ...sound(seconds), ...h264]
  },
  "H.264 vertical": {
    name: "vertical.mp4",
    args: [...pattern(seconds, "1080x1920"), ...sound(seconds), ...h264]
  },
  "H.264 turned": {
    name: "turned.mov",
    args: [...flags(`-i ${whole} -c copy -metadata:s:v rotate=90`)]
  },
  "H.264 VFR": {
    name: "vfr.mp4",
    args: [
      ...pattern(seconds, "1920x1080"),
      ...sound(seconds),
      "-vf",
      "select='lt(mod(n\\,60)\\,40)+not(mod(n\\,7))'",
      ...flags("-vsync vfr"),
      ...h264
    ]
  },
  "H.264 interlaced": {
    name: "interlaced.mp4",
    args: [
      ...fields(seconds),
      ...flags("-x264opts tff=1"),
      ...h264
    ]
  },
  "HEVC 1080p30": {
    name: "hevc.mp4",
    args: [...flags(`-i ${whole} -c:a copy -c:v libx265 -preset ultrafast -x265-params log-level=error`)]
  },
  "VP9 1080p30": {
    name: "vp9.webm",
    args: [
      ...flags(`-i ${whole} -an -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -b:v 3M`)
    ]
  },
  "AV1 1080p30": {
    name: "av1.mp4",
    args: [...flags(`-i ${whole} -c:a copy -c:v libsvtav1 -preset 12 -b:v 3M`)]
  },
  "MPEG-2 interlaced": {
    name: "mpeg2.ts",
    args: [
      ...fields(seconds),
      ...flags("-c:v mpeg2video -b:v 15M -top 1 -c:a mp2")
    ]
  }
})

/** Makes a clip of every shape into a folder; one that is there already is taken as it is. */
export const makeVideos = (ffmpeg: string, folder: string, seconds: number): ReadonlyArray<MadeVideo> => {
  return Object.entries(recipes(seconds, join(folder, first))).map(([shape, { args, name }]) => {
    const file = join(folder, name)
    if (!existsSync(file)) {
      const { status, stderr } = spawnSync(ffmpeg, [...flags("-v error -nostdin -y"), ...args, file], {
        encoding: "utf8"
      })
      if (status !== 0) return { shape, missing: stderr.trim().split("\n").at(-1) ?? "no reason was given" }
    }
    return { shape, file }
  })
}
