import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import sharp from "sharp"
import { flags } from "../../../workers/media/ffmpeg/InputArguments.ts"
import { layer, MediaLab } from "./MediaLab.ts"

/** How much each line differs from both of its neighbours: high where two moments share a picture line by line. */
const combing = (grey: Uint8Array, width: number): number => {
  let sum = 0
  for (let at = width; at < grey.length - width; at++) {
    const [above, here, below] = [grey[at - width]!, grey[at]!, grey[at + width]!]
    sum += Math.max(0, Math.abs(2 * here - above - below) - Math.abs(above - below))
  }
  return sum / grey.length
}

suite(layer, { timeout: 120_000, excludeTestServices: true })("the pictures of frames", (it) => {
  it.effect("hold one moment, where the video shows two by turns of lines", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("fields.mkv", [
        ...flags(
          "-f lavfi -i testsrc=size=320x180:rate=50:duration=3 -f lavfi -i testsrc=size=320x180:rate=50:duration=3"
        ),
        "-filter_complex",
        "[1]crop=40:180:140:0[bar];[0][bar]overlay=x='mod(300*t\\,280)':y=0,interlace",
        ...flags("-c:v mpeg2video -b:v 8M -flags +ildct+ilme -top 1 NAME")
      ])
      const { images, probe } = yield* lab.run(file)
      assert.isTrue(probe.video!.interlaced)
      assert.isAbove(images.length, 0)
      const { image, timestamp } = images.at(-1)!
      const shown = yield* Effect.flatMap(lab.read(image), (jpeg) =>
        Effect.promise(() => sharp(jpeg).greyscale().raw().toBuffer()))
      const { stdout } = spawnSync(lab.tools.ffmpeg, [
        ...flags("-v error -i"),
        file,
        "-vf",
        `select='gte(t\\,${timestamp - 0.001})',format=gray`,
        ...flags("-frames:v 1 -f rawvideo -")
      ], { maxBuffer: 64e6 })
      assert.strictEqual(shown.length, stdout.length)
      assert.isBelow(combing(shown, 320), combing(stdout, 320) / 2)
    }))

  it.effect("have the light of a standard screen, where the video is coded for HDR", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("light.mp4", [
        // What SMPTE ST 2084 makes of the 203 candela that a white page has.
        ...flags("-f lavfi -i color=0x949494:size=320x180:rate=25:duration=2"),
        ...flags("-f lavfi -i color=black:size=320x180:rate=25:duration=2 -filter_complex [0][1]hstack"),
        ...flags("-c:v libx264 -preset ultrafast -pix_fmt yuv420p"),
        ...flags("-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc NAME")
      ])
      const { images, probe } = yield* lab.run(file)
      assert.strictEqual(probe.video!.transfer, "smpte2084")
      const { channels } = yield* Effect.flatMap(lab.read(images[0]!.image), (jpeg) =>
        Effect.promise(async () =>
          sharp(await sharp(jpeg).extract({ left: 40, top: 20, width: 200, height: 140 }).toBuffer()).stats()
        ))
      for (const { mean } of channels) {
        assert.approximately(mean, 187, 4)
      }
    }))

  it.effect("show black and white alike on a transparent ground", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      for (
        const codec of ["qtrle", "prores_ks -profile:v 4444 -pix_fmt yuva444p10le", "ffv1 -pix_fmt yuva420p"]
      ) {
        const file = yield* lab.make(`clear-${codec.split(" ")[0]}.${codec.startsWith("ffv1") ? "mkv" : "mov"}`, [
          ...flags("-f lavfi -i color=black:size=320x180:rate=4:duration=2"),
          ...flags("-f lavfi -i color=white:size=80x60:rate=4:duration=2"),
          ...flags("-f lavfi -i color=black:size=80x60:rate=4:duration=2 -filter_complex"),
          "[0]format=rgba,lutrgb=a=0[clear];[1]format=rgba[white];[2]format=rgba[black];"
          + "[clear][white]overlay=40:40:format=rgb[one];[one][black]overlay=200:40:format=rgb,format=rgba",
          ...flags(`-c:v ${codec} NAME`)
        ])
        const { images } = yield* lab.run(file)
        const { data, info } = yield* Effect.flatMap(
          lab.read(images[0]!.image),
          (jpeg) => Effect.promise(() => sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true }))
        )
        const at = (x: number, y: number) => data[(y * info.width + x) * info.channels]!
        assert.approximately(at(10, 10), 118, 4, codec)
        assert.approximately(at(80, 70), 255, 4, codec)
        assert.approximately(at(240, 70), 0, 4, codec)
      }
    }))
})
