import { assert, layer as suite } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import sharp from "sharp"
import { flags } from "../../../workers/media/ffmpeg/InputArguments.ts"
import { layer, MediaLab, ownDecoders, recipes, uploaded } from "./MediaLab.ts"
import { turned } from "./TurnedVideo.ts"

const loudness = (pcm: Int16Array, from: number, to: number): number =>
  Math.max(...pcm.subarray(from * 16_000, to * 16_000).map(Math.abs))

suite(layer, { timeout: 120_000, excludeTestServices: true })("the media lane", (it) => {
  it.effect("measures, listens and looks: H.264 with AAC in MP4", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("plain.mp4", recipes.video_and_sound(4))
      const { codes, frames, images, pcm, probe } = yield* lab.run(file)
      assert.deepStrictEqual(codes, [])
      assert.deepInclude(probe.facts, { container: "mp4", width: 320, height: 180, frame_rate: 25 })
      assert.deepInclude(probe.facts, { audio: "aac", video: "h264" })
      assert.approximately(probe.facts.duration_seconds, 4, 0.1)
      assert.approximately(pcm.length / 16_000, 4, 0.1)
      assert.isAbove(loudness(pcm, 1, 3), 1000)
      assert.strictEqual(frames.visual_branch, "present")
      assert.deepStrictEqual(frames.frames.map(({ timestamp }) => timestamp), [0, 0.48, 1, 1.48, 2, 2.48, 3, 3.48])
      assert.strictEqual(frames.frames[5]!.source_ref, "frame#000005")
      assert.strictEqual(frames.kept, images.length)
      assert.deepStrictEqual(
        images.map(({ index }) => index),
        frames.frames.flatMap(({ kept }, i) => (kept ? [i] : []))
      )
      for (const { height, image, width } of images) {
        const picture = yield* Effect.flatMap(lab.read(image), (jpeg) => Effect.promise(() => sharp(jpeg).metadata()))
        assert.deepInclude(picture, { format: "jpeg", width, height })
      }
    }))

  it.effect("gives the same bytes again", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("again.mp4", recipes.video_and_sound(3))
      const [first, second] = yield* Effect.all([lab.run(file, "one"), lab.run(file, "two")])
      assert.deepStrictEqual(second.frames, first.frames)
      assert.deepStrictEqual(second.pcm, first.pcm)
      assert.deepStrictEqual(
        second.images.map(({ image }) => image.sha256),
        first.images.map(({ image }) => image.sha256)
      )
    }))

  it.effect("sets a turned video upright", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.write("turned.mp4", turned(yield* lab.make("colours.mp4", recipes.two_colours)))
      const { frames, images, probe } = yield* lab.run(file)
      assert.deepInclude(probe.facts, { width: 180, height: 320 })
      assert.strictEqual(probe.video?.rotation, 90)
      assert.deepInclude(frames.frames[0], { width: 180, height: 320 })
      const jpeg = yield* lab.read(images[0]!.image)
      const half = (top: number) =>
        Effect.promise(async () => {
          const { channels } = await sharp(
            await sharp(jpeg).extract({ left: 20, top, width: 100, height: 100 }).toBuffer()
          ).stats()
          return channels.map(({ mean }) => (mean > 128 ? 1 : 0))
        })
      assert.deepStrictEqual([yield* half(20), yield* half(200)], [[1, 0, 0], [0, 0, 1]])
    }))

  it.effect("takes sound alone and pictures alone", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const heard = yield* lab.run(yield* lab.make("sound.m4a", recipes.sound_only))
      assert.isNull(heard.probe.video)
      assert.deepStrictEqual(heard.frames, { visual_branch: "absent", sampled: 0, kept: 0, frames: [] })
      assert.approximately(heard.pcm.length / 16_000, 2, 0.1)
      const seen = yield* lab.run(yield* lab.make("silent.mp4", recipes.video_only))
      assert.isFalse(seen.probe.has_audio)
      assert.lengthOf(seen.pcm, 0)
      assert.strictEqual(seen.frames.sampled, 4)
      assert.deepStrictEqual([heard.codes, seen.codes], [[], []])
    }))

  it.effect("keeps the silence before sound that starts late, so that times are the source's", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const { pcm } = yield* lab.run(yield* lab.make("late.mp4", recipes.late_sound))
      assert.isBelow(loudness(pcm, 0, 1.4), 50)
      assert.isAbove(loudness(pcm, 1.6, 3), 1000)
    }))

  it.effect("does not take cover art for a video", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const { frames, probe } = yield* lab.run(yield* lab.make("cover.mp3", recipes.cover_art))
      assert.isNull(probe.facts.video)
      assert.strictEqual(probe.facts.audio, "mp3")
      assert.strictEqual(frames.visual_branch, "absent")
    }))

  it.effect("reads embedded captions with their language, cleaned of markup and invisible characters", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const srt = yield* lab.write(
        "captions.srt",
        "1\n00:00:00,500 --> 00:00:01,250\n<i>First</i> words\n\n2\n00:00:01,500 --> 00:00:02,000\nsec\u200Bond\nline\n"
      )
      const file = yield* lab.make("captions.mp4", [
        ...flags(`-f lavfi -i testsrc2=size=320x180:rate=25:duration=3 -i ${srt}`),
        ...flags("-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:s mov_text"),
        ...flags("-metadata:s:s:0 language=eng NAME")
      ])
      const { cues, probe } = yield* lab.run(file)
      assert.deepStrictEqual(probe.caption_streams.map(({ language }) => language), ["en"])
      assert.deepStrictEqual(cues, [
        { t_start: 0.5, t_end: 1.25, text: "First words", language: "en" },
        { t_start: 1.5, t_end: 2, text: "second line", language: "en" }
      ])
    }))

  it.effect("reads one caption track of each language, not the same sentence of two", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const words = ["Bonjour", "Signs only and much of them", "Hello", "[bell] Hello", "Hello again"]
      const srt = yield* Effect.forEach(
        words,
        (text, i) => lab.write(`track${i}.srt`, `1\n00:00:00,500 --> 00:00:01,500\n${text}\n`)
      )
      const file = yield* lab.make("tracks.mkv", [
        ...flags("-f lavfi -i testsrc2=size=320x180:rate=25:duration=2"),
        ...srt.flatMap((path) => ["-i", path]),
        ...flags("-map 0 -map 1 -map 2 -map 3 -map 4 -map 5 -c:v libx264 -preset ultrafast -c:s srt"),
        ...flags("-metadata:s:s:0 language=fre -metadata:s:s:1 language=eng -metadata:s:s:2 language=eng"),
        ...flags(
          "-metadata:s:s:3 language=eng -metadata:s:s:4 language=ger -disposition:s:0 0 -disposition:s:1 forced"
        ),
        ...flags("-disposition:s:2 default -disposition:s:4 forced NAME")
      ])
      const { codes, cues } = yield* lab.run(file)
      assert.deepStrictEqual(cues.map(({ language, text }) => [language, text]), [
        ["fr", "Bonjour"],
        ["en", "Hello"],
        ["de", "Hello again"]
      ])
      assert.deepStrictEqual(codes, [])
    }))

  it.effect("reads what is left of a truncated file and says so", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const whole = readFileSync(yield* lab.make("whole.mp4", recipes.video_and_sound(4)))
      const { codes, frames, pcm, probe } = yield* lab.run(
        yield* lab.write("cut.mp4", whole.subarray(0, whole.length * 0.4))
      )
      assert.include(codes, "DURATION_MISMATCH")
      assert.isBelow(probe.facts.duration_seconds, 2)
      assert.isAbove(frames.sampled, 1)
      assert.isAbove(pcm.length, 8000)
    }))

  it.effect("refuses what holds no media, each with its own code and no retry", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const { probe } = lab.stages
      const whole = readFileSync(yield* lab.make("base.mp4", recipes.video_and_sound(1)))
      const noise = Uint8Array.from({ length: 65_536 }, (_, i) => (i * 2_654_435_761) >>> 11)
      const header = whole.subarray(0, 24)
      const cases = [
        ["empty.mp4", Buffer.alloc(0), "SOURCE_NOT_MEDIA"],
        ["noise.mp4", noise, "SOURCE_NOT_MEDIA"],
        ["playlist.mp4", "#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n", "SOURCE_NOT_MEDIA"],
        ["concat.mp4", "ffconcat version 1.0\nfile base.mp4\n", "SOURCE_NOT_MEDIA"],
        ["page.mp4", "<!doctype html><title>Watch</title>", "SOURCE_NOT_MEDIA"],
        ["header.mp4", Buffer.concat([header, noise]), "SOURCE_CORRUPT"]
      ] as const
      for (const [name, bytes, code] of cases) {
        const source = yield* lab.store(yield* lab.write(name, bytes))
        const failure = yield* Effect.flip(probe({ ...lab.task("probe"), input: { source } }))
        assert.deepStrictEqual([name, failure.code, failure.retryable], [name, code, false])
      }
    }))

  it.effect("refers to an upload of the tenant without copying it, and to nobody else's", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const task = { ...lab.task("fetch"), input: { source_uri: `upload://${uploaded.upload_id}` } }
      const { source } = yield* lab.stages.fetch(task)
      assert.strictEqual(source.key, "uploads/here")
      const foreign = yield* Effect.flip(lab.stages.fetch({ ...task, tenant_id: "ten_b" as const }))
      assert.deepInclude(foreign, { code: "SOURCE_UNREACHABLE", retryable: false })
      const s3 = yield* Effect.flip(lab.stages.fetch({ ...task, input: { source_uri: "s3://bucket/key" } }))
      assert.deepInclude(s3, { code: "SOURCE_BLOCKED", retryable: false })
      const local = yield* Effect.flip(lab.stages.fetch({ ...task, input: { source_uri: "file:///etc/passwd" } }))
      assert.strictEqual(local.code, "SOURCE_BLOCKED")
    }))

  it.effect("fetches over http into a blob of exactly the served bytes", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const bytes = readFileSync(yield* lab.make("served.mp4", recipes.video_and_sound(2)))
      const server = yield* Effect.acquireRelease(
        Effect.callback<Server>((resume) => {
          const server = createServer((_, response) => response.end(bytes))
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      const { source } = yield* lab.stages.fetch({
        ...lab.task("fetch"),
        input: { source_uri: `http://127.0.0.1:${port}/a.mp4?signature=x` }
      })
      assert.deepStrictEqual(source, {
        key: "lab/fetch/source",
        size_bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex")
      })
      assert.isTrue(bytes.equals(yield* lab.read(source)))
    }))

  it.effect("leaves no decoder behind when a stage is interrupted in the middle", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const source = yield* lab.store(yield* lab.make("long.mp4", recipes.video_and_sound(30)))
      const { probe } = yield* lab.stages.probe({ ...lab.task("probe"), input: { source } })
      const midway = yield* Deferred.make<ReadonlyArray<string>>()
      const fiber = yield* lab.stages.frames({
        ...lab.task("frames"),
        input: { probe },
        progress: () => Effect.andThen(Deferred.succeed(midway, ownDecoders()), Effect.never)
      }).pipe(Effect.forkChild)
      assert.lengthOf(yield* Deferred.await(midway), 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(ownDecoders(), [])
    }))
})
