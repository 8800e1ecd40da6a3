import { assert, layer as suite } from "@effect/vitest"
import { Effect, Result } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { layer, MediaLab, ownDecoders } from "./MediaLab.ts"

const assets = join(import.meta.dirname, "../../../../shared/assets")
const hostile = join(assets, "hostile")
const footage = join(assets, "video/dev")
const present = existsSync(hostile) && existsSync(footage)
if (!present) {
  process.stdout.write("The hostile and development clips are not on this machine; made clips are checked.\n")
}

const list = (folder: string, keep: RegExp) =>
  present ? readdirSync(folder).filter((name) => keep.test(name)).toSorted() : []

/** Files whose damage or lies must be told, and the one code each refused file ends with. */
const expected: Readonly<Record<string, string>> = {
  "bitflip_moov.mp4": "SOURCE_CORRUPT",
  "day_long_video.mp4": "SOURCE_TOO_LONG",
  "deep_boxes.mp4": "SOURCE_CORRUPT",
  "encrypted_cenc.mp4": "SOURCE_CORRUPT",
  "h264_8192.mp4": "MEDIA_LIMIT_EXCEEDED",
  "hevc_16384.mp4": "MEDIA_LIMIT_EXCEEDED",
  "invalid_vp9.webm": "SOURCE_CORRUPT",
  "streams_300.mkv": "MEDIA_LIMIT_EXCEEDED",
  "truncated_nomoov.mp4": "SOURCE_CORRUPT",
  "bitflip_mdat.mp4": "partial",
  "duration_143165s.mp4": "partial",
  "duration_lie.mp4": "partial",
  "gap.mkv": "partial",
  "res_change.ts": "partial",
  "stsz_200M.mp4": "partial",
  "truncated_faststart.mp4": "partial",
  "audio_only.m4a": "whole",
  "ch16.wav": "whole",
  "cover_art.mp3": "whole",
  "fps_1000.mp4": "whole",
  "gap_1h.mp4": "whole",
  "one_px.avi": "whole",
  "rotated90.mp4": "whole",
  "sar_1_255.mp4": "whole",
  "stts_huge.mp4": "whole",
  "tenant_b.ts": "whole",
  "video_only.mp4": "whole"
}

suite(layer, { timeout: 180_000, excludeTestServices: true })("media from strangers", (it) => {
  for (const name of list(hostile, /\.(?!json$|sh$|py$|mjs$)\w+$/u)) {
    it.effect(`ends typed and bounded: ${name}`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const result = yield* Effect.result(lab.run(join(hostile, name)))
        const outcome = Result.match(result, {
          onFailure: ({ code, retryable }) => (retryable ? `${code}, retried` : code),
          onSuccess: ({ codes }) => (codes.length > 0 ? "partial" : "whole")
        })
        assert.strictEqual(outcome, expected[name] ?? "SOURCE_NOT_MEDIA")
        assert.deepStrictEqual(ownDecoders(), [])
        if (Result.isFailure(result)) return
        const { frames, pcm, probe } = result.success
        assert.isAtMost(frames.sampled, 2 * probe.facts.duration_seconds + 3)
        assert.isAtMost(pcm.length / 16_000, probe.facts.duration_seconds + 2)
        assert.isTrue(frames.frames.every(({ height, width }) => Math.max(width, height) <= 1280))
      }))
  }

  for (const name of list(footage, /\.(?!json$|vtt$|srt$)\w+$/u)) {
    it.effect(`reads as it is: ${name}`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const { codes, frames, images, pcm, probe } = yield* lab.run(join(footage, name))
        // One clip's header claims 143,165 s: that is told, and the packets' time is used.
        assert.deepStrictEqual(codes, name === "exo_sample_fragmented.mp4" ? ["DURATION_MISMATCH"] : [])
        const { duration_seconds } = probe.facts
        if (probe.has_audio) assert.isAtMost(pcm.length / 16_000, duration_seconds + 0.5)
        if (probe.video !== null) assert.approximately(frames.sampled / 2, duration_seconds, 1.6)
        assert.lengthOf(images, frames.kept)
        const clusters = frames.frames.filter(({ kept }) => kept).map(({ cluster }) => cluster)
        assert.deepStrictEqual(clusters, clusters.map((_, i) => i))
      }))
  }

  it.effect("refuses a playlist, whatever it is called, before any decoder runs", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      yield* lab.make("neighbour.mp4", ["-f", "lavfi", "-i", "testsrc2=size=64x64:duration=1", "NAME"])
      const source = yield* lab.store(yield* lab.write("list.mp4", "ffconcat version 1.0\nfile neighbour.mp4\n"))
      const failure = yield* Effect.flip(lab.stages.probe({ ...lab.task("probe"), input: { source } }))
      assert.strictEqual(failure.code, "SOURCE_NOT_MEDIA")
    }))
})
