import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { flags } from "../../../workers/media/ffmpeg/InputArguments.ts"
import { layer, MediaLab } from "./MediaLab.ts"

/** Seconds of each part. */
const PART = 4

const still = (source: string, size: string, rate = 24) =>
  flags(`-f lavfi -i ${source}=size=${size}:rate=${rate}:duration=${PART}`)

const part = Effect.fnUntraced(function*(
  name: string,
  source: ReadonlyArray<string>,
  codec: ReadonlyArray<string>,
  begins = 0
) {
  const { make } = yield* MediaLab
  return yield* make(name, [...source, ...codec, ...flags(`-output_ts_offset ${begins}`), "NAME"])
})

/** Eight samples of one picture, and eight of another. */
const halves = Array.from({ length: 16 }, (_, nth) => nth < 8 ? 0 : 1)
const times = halves.map((_, nth) => nth / 2)

suite(layer, { timeout: 120_000, excludeTestServices: true })("pictures that change size on the way", (it) => {
  const h264 = flags("-c:v libx264 -preset ultrafast -bf 0 -pix_fmt yuv420p")
  const streams = {
    "smaller ones": ["640x360", "320x180", false, h264],
    "larger ones": ["320x180", "640x360", false, h264],
    "those of fields": [
      "640x360",
      "320x180",
      true,
      flags("-vf interlace -c:v mpeg2video -flags +ildct+ilme -top 1 -bf 0")
    ]
  } as const
  for (const [name, [before, after, fields, codec]] of Object.entries(streams)) {
    it.effect(`are sampled at their own times: ${name}`, () =>
      Effect.gen(function*() {
        const { run, write } = yield* MediaLab
        const rate = fields ? 48 : 24
        const one = yield* part(`one-${rate}-${before}.ts`, still("smptebars", before, rate), codec)
        const two = yield* part(`two-${rate}-${after}.ts`, still("rgbtestsrc", after, rate), codec, PART)
        const bytes = yield* Effect.promise(() => Promise.all([one, two].map((file) => readFile(file))))
        const { frames } = yield* run(yield* write(`${rate}-${before}-${after}.ts`, Buffer.concat(bytes)))
        assert.deepStrictEqual(frames.frames.map(({ timestamp }) => timestamp), times)
        // Before a cut, fields that are woven apart take a little from the sample behind it.
        const sure = fields ? halves.toSpliced(7, 1) : halves
        const clusters = frames.frames.map(({ cluster }) => cluster)
        assert.deepStrictEqual(fields ? clusters.toSpliced(7, 1) : clusters, sure)
      }))
  }

  it.effect("are sampled at their own times: those of VP9", () =>
    Effect.gen(function*() {
      const { make, run, write } = yield* MediaLab
      const codec = flags("-pix_fmt yuv420p -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24 -b:v 2M")
      const one = yield* part("one.webm", still("smptebars", "320x180"), codec)
      const two = yield* part("two.webm", still("rgbtestsrc", "640x360"), codec)
      const list = yield* write("list.txt", `file '${one}'\nfile '${two}'\n`)
      const file = yield* make("changing.webm", [...flags("-f concat -safe 0 -i"), list, ...flags("-c copy"), "NAME"])
      const { frames } = yield* run(file)
      assert.deepStrictEqual(frames.frames.map(({ timestamp }) => timestamp), times)
      assert.deepStrictEqual(frames.frames.map(({ cluster }) => cluster), halves)
    }))
})
