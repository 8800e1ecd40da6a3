import { NodeServices } from "@effect/platform-node"
import { assert, layer as suite } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import type { RenderInput } from "../../../../src/jobs/model/Rendition.ts"
import { layerFileSystem } from "../../../../src/storage/Blobs.ts"
import { flags } from "../../../../workers/media/ffmpeg/InputArguments.ts"
import { makeRenditions } from "../../../../workers/media/MediaStages.ts"
import { layer, MediaLab } from "../MediaLab.ts"

/** Pictures of one grey each, five steps brighter than the one before: what is on screen is told by its mean. */
const greys = (seconds: number, rate = 25) => [
  ...flags(`-f lavfi -i color=black:size=320x180:rate=${rate}:duration=${seconds}`),
  "-vf",
  "geq=lum='20+mod(N*5\\,200)':cb=128:cr=128"
]
/** Silence, and from the second second on a tone. */
const beep = flags("-f lavfi -i aevalsrc=exprs='0.5*sin(2*PI*440*t)*gte(t\\,1)':duration=3:sample_rate=48000")

const ask = (ffmpeg: string, file: string, args: ReadonlyArray<string>) =>
  spawnSync(ffmpeg, [...flags("-nostdin -copyts -i"), file, ...args], { encoding: "buffer", maxBuffer: 64e6 })

/** When each picture begins, from the start of the file, and its mean grey. */
const picturesOf = (ffmpeg: string, file: string) => {
  const text = ask(ffmpeg, file, flags("-map 0:V:0 -vf showinfo -vsync 0 -f null -")).stderr.toString()
  const start = Number(/start: (-?[\d.]+)/u.exec(text)?.[1] ?? 0)
  return [...text.matchAll(/pts_time:(-?[\d.]+).*?mean:\[(\d+)/gu)].map(([, time, grey]) => ({
    time: Number(time) - start,
    grey: Number(grey)
  }))
}

/** The second at which sound begins to be heard. */
const onsetOf = (ffmpeg: string, file: string): number => {
  const { stdout } = ask(ffmpeg, file, flags("-map 0:a:0 -ac 1 -ar 8000 -f s16le -"))
  for (let at = 0; at + 1 < stdout.length; at += 2) if (Math.abs(stdout.readInt16LE(at)) > 3000) return at / 16_000
  return Infinity
}

suite(layer, { timeout: 120_000, excludeTestServices: true })("what is made of a source to be looked at", (it) => {
  const rendered = Effect.fnUntraced(function*(
    file: string,
    asked: Pick<RenderInput, "kind" | "format"> & Partial<RenderInput>
  ) {
    const { folder, store, tools } = yield* MediaLab
    const source = yield* store(file)
    return yield* Effect.gen(function*() {
      const render = yield* makeRenditions({}, tools)
      const input = { source, name: `${source.sha256.slice(0, 8)}-${asked.kind}`, t_start: 0, t_end: null, ...asked }
      const job_id = `job_${source.sha256.slice(0, 8)}` as const
      const { blob, content_type } = yield* render({ input, job_id, tenant_id: "ten_a", progress: () => Effect.void })
      return { file: join(folder, "blobs", blob.key), content_type, size: blob.size_bytes }
    }).pipe(Effect.provide(layerFileSystem(join(folder, "blobs")).pipe(Layer.provideMerge(NodeServices.layer))))
  })

  const x264 = flags("-c:v libx264 -preset ultrafast -qp 5 -pix_fmt yuv420p")
  const clips = {
    "an even rate": ["even.mp4", [...greys(3), ...x264]],
    "an uneven rate, with a picture that stands for 1.2 s": ["uneven.mkv", [
      ...greys(4).slice(0, -1),
      `${greys(4).at(-1)},select='not(between(t\\,1\\,2.2))*gt(mod(n\\,7)\\,2)'`,
      ...flags("-vsync vfr"),
      ...x264
    ]],
    "pictures that begin late": ["late.mp4", [
      ...beep,
      ...flags("-itsoffset 1.3"),
      ...greys(2),
      ...flags("-map 0:a -map 1:v -c:a aac"),
      ...x264
    ]],
    "a clock that begins at ten hours": ["clock.ts", [
      ...beep,
      ...greys(3),
      ...flags("-map 0:a -map 1:v -c:a mp2 -output_ts_offset 36000"),
      ...flags("-c:v mpeg2video -q:v 1")
    ]]
  } as const

  for (const [what, [name, args]] of Object.entries(clips)) {
    it.effect(`a preview of ${what} shows at each moment what the source shows within one picture of it`, () =>
      Effect.gen(function*() {
        const { make, tools } = yield* MediaLab
        const file = yield* make(name, [...args, "NAME"])
        const preview = yield* rendered(file, { kind: "preview", format: "mp4" })
        assert.strictEqual(preview.content_type, "video/mp4")
        const [source, shown] = [picturesOf(tools.ffmpeg, file), picturesOf(tools.ffmpeg, preview.file)]
        assert.isAbove(shown.length, 45)
        assert.closeTo(shown[0]!.time, 0, 0.001)
        const longest = 1 / 25 + 0.002
        for (const { grey, time } of shown) {
          const near = source.filter((one, at) =>
            one.time <= time + longest && (source[at + 1]?.time ?? Infinity) >= time - longest
          )
          const wanted = near.length > 0 ? near : [source[0]!]
          assert.isTrue(wanted.some((one) => Math.abs(one.grey - grey) <= 3), `${time}: ${grey}`)
        }
        if (file.endsWith("late.mp4") || file.endsWith(".ts")) {
          assert.closeTo(onsetOf(tools.ffmpeg, preview.file), onsetOf(tools.ffmpeg, file), 0.04)
        }
      }))
  }

  it.effect("a clip begins and ends where it is asked to, with the picture that stands there, in MP4 and GIF", () =>
    Effect.gen(function*() {
      const { make, tools } = yield* MediaLab
      const file = yield* make("parts.mp4", [
        ...beep,
        ...greys(5, 10),
        ...flags("-map 0:a -map 1:v -c:a aac"),
        ...x264,
        "NAME"
      ])
      const asked = { kind: "clip", t_start: 2.25, t_end: 3.75, name: "clip" } as const
      const clip = yield* rendered(file, { ...asked, format: "mp4" })
      const shown = picturesOf(tools.ffmpeg, clip.file)
      assert.closeTo(shown.at(-1)!.time, 1.45, 0.15)
      // Ten pictures a second, each five steps brighter: at 2.25 s the 22nd stands.
      assert.closeTo(shown[0]!.grey, 20 + 5 * 22, 3)
      assert.isBelow(onsetOf(tools.ffmpeg, clip.file), 0.04)
      const gif = yield* rendered(file, { ...asked, name: "clip.gif", format: "gif" })
      assert.strictEqual(gif.content_type, "image/gif")
      assert.lengthOf(picturesOf(tools.ffmpeg, gif.file), 15)
    }))

  it.effect("a frame shows black and white alike on a transparent ground", () =>
    Effect.gen(function*() {
      const { make, tools } = yield* MediaLab
      const file = yield* make("clear-frame.mov", [
        ...flags("-f lavfi -i color=black:size=320x180:rate=4:duration=2"),
        ...flags("-f lavfi -i color=white:size=80x180:rate=4:duration=2"),
        ...flags("-f lavfi -i color=black:size=80x180:rate=4:duration=2 -filter_complex"),
        "[0]format=rgba,lutrgb=a=0[clear];[1]format=rgba[white];[2]format=rgba[black];"
        + "[clear][white]overlay=240:0:format=rgb[one];[one][black]overlay=0:0:format=rgb,format=rgba",
        ...flags("-c:v qtrle NAME")
      ])
      const frame = yield* rendered(file, { kind: "frame", format: "jpeg", t_start: 1, name: "clear.jpg" })
      const { stdout } = ask(tools.ffmpeg, frame.file, flags("-vf scale=out_range=full,format=gray -f rawvideo -"))
      const at = (x: number) => stdout[90 * 320 + x]!
      assert.deepStrictEqual([at(40), at(160), at(300)].map((grey) => Math.round(grey / 10)), [0, 12, 26])
    }))

  it.effect("a frame is the picture that stands at its moment, however long before it came", () =>
    Effect.gen(function*() {
      const { make, tools } = yield* MediaLab
      const [name, args] = clips["an uneven rate, with a picture that stands for 1.2 s"]
      const file = yield* make(name, [...args, "NAME"])
      const source = picturesOf(tools.ffmpeg, file)
      for (const moment of [0, 0.5, 2.1, 3.5]) {
        const frame = yield* rendered(file, { kind: "frame", format: "jpeg", t_start: moment, name: `at${moment}.jpg` })
        assert.strictEqual(frame.content_type, "image/jpeg")
        const stands = source.findLast(({ time }) => time <= moment + 0.001) ?? source[0]!
        // Full range: 16 to 235 became 0 to 255.
        const [{ grey } = { grey: -1 }] = picturesOf(tools.ffmpeg, frame.file)
        assert.closeTo(grey, ((stands.grey - 16) * 255) / 219, 5, String(moment))
      }
    }))

  it.effect("sound alone is a preview of sound, and has no picture to show", () =>
    Effect.gen(function*() {
      const { make, tools } = yield* MediaLab
      const file = yield* make("beep.wav", [...beep, "NAME"])
      const preview = yield* rendered(file, { kind: "preview", format: "mp4" })
      assert.strictEqual(preview.content_type, "audio/mp4")
      assert.closeTo(onsetOf(tools.ffmpeg, preview.file), 1, 0.04)
      const refused = yield* Effect.flip(rendered(file, { kind: "frame", format: "jpeg" }))
      assert.strictEqual(refused._tag === "StageFailure" ? refused.code : "", "SOURCE_NOT_MEDIA")
    }))
})
