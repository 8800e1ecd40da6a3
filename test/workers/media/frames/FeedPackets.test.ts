import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { av1Parser } from "../../../../workers/media/codec/Av1Parser.ts"
import type { FrameParser } from "../../../../workers/media/codec/CodedFrame.ts"
import { vp9Parser } from "../../../../workers/media/codec/Vp9Parser.ts"
import { flags } from "../../../../workers/media/ffmpeg/InputArguments.ts"
import { defaultLimits } from "../../../../workers/media/ffmpeg/MediaLimits.ts"
import { decodeFrames, sampleFrames } from "../../../../workers/media/frames/FrameSampling.ts"
import { decodeGroups } from "../../../../workers/media/frames/GroupDecoding.ts"
import { PictureMemory } from "../../../../workers/media/pixels/PictureMemory.ts"
import { breadth } from "../../../support/Breadth.ts"
import { canEncode, layer, MediaLab } from "../MediaLab.ts"

const assets = fileURLToPath(new URL("../../../../../shared/assets/video/dev", import.meta.url))
const noAssets = !existsSync(assets)
if (noAssets) process.stdout.write("left out: ../shared/assets/video is not there\n")

/** By one decoder that all packets are fed to, or those that pass a sieve, or by several that take turns. */
type Way = { readonly sieve: FrameParser | null } | { readonly groups: FrameParser }

const sampledBy = Effect.fnUntraced(function*(file: string, way: Way) {
  const lab = yield* MediaLab
  const { probe } = yield* lab.stages.probe({ ...lab.task("probe"), input: { source: yield* lab.store(file) } })
  const pictures = createHash("sha256")
  const context = {
    tools: lab.tools,
    limits: { ...defaultLimits, max_frame_side: 320 },
    decode_threads: 2,
    memory: new PictureMemory()
  }
  let given = 0
  // Without what a decoder leaves out by itself, every sample is exact.
  const exact = { ...probe, video: { ...probe.video!, longest_gap: 1, longest_key_gap: null } }
  const on = {
    keep: (index: number, frame: Buffer) => Effect.sync(() => pictures.update(`${index}:`).update(frame)),
    sampled: (count: number) => Effect.sync(() => given = count)
  }
  const { flawless, sampled } = "groups" in way
    ? yield* decodeGroups(context, probe, file, on, way.groups)
    : yield* decodeFrames(context, exact, file, on, { acceleration: [], sieve: way.sieve })
  return { flawless, given, sampled, kept: pictures.digest("hex") }
})

const readBytes = (path: string) => Effect.promise(() => readFile(path))

const moving = (seconds: number) => flags(`-f lavfi -i testsrc2=size=128x72:rate=24:duration=${seconds}`)
const aom = flags("-c:v libaom-av1 -strict experimental -cpu-used 8 -b:v 100k -g 40")

suite(layer, { timeout: 300_000, excludeTestServices: true })("feeding only the packets that samples need", (it) => {
  const clips = {
    "of AV1 with layers of references": ["layers.mp4", "libaom-av1", av1Parser, [...moving(2), ...aom]],
    "of AV1 by SVT": ["svt.mkv", "libsvtav1", av1Parser, [...moving(6), ...flags("-c:v libsvtav1 -preset 10 -g 50")]],
    "of AV1 by rav1e": ["rav1e.mp4", "librav1e", av1Parser, [...moving(3), ...flags("-c:v librav1e -speed 10")]],
    "of VP9 with hidden frames": ["hidden.webm", "libvpx-vp9", vp9Parser, [
      ...moving(8),
      ...flags("-c:v libvpx-vp9 -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 25 -g 43 -b:v 200k")
    ]],
    "of AV1 that begins late, at an uneven rate": ["late.mp4", "libaom-av1", av1Parser, [
      ...flags("-f lavfi -i sine=duration=4 -itsoffset 1.3"),
      ...moving(3),
      ...flags("-map 0:a -map 1:v -vf select='lt(mod(n\\,37)\\,15)' -vsync vfr -c:a aac"),
      ...aom
    ]],
    "of VP9": ["vp9.webm", "libvpx-vp9", vp9Parser, [
      ...moving(8),
      ...flags("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 29")
    ]],
    "of VP9 that begins late, at an uneven rate, with groups between two samples": [
      "uneven.mkv",
      "libvpx-vp9",
      vp9Parser,
      [
        ...flags("-f lavfi -i sine=duration=9 -itsoffset 1.3"),
        ...moving(8),
        ...flags("-map 0:a -map 1:v -vf select='lt(mod(n\\,37)\\,9)' -vsync vfr -c:a libvorbis"),
        ...flags("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 7")
      ]
    ]
  } as const
  for (const [name, [file, encoder, parser, args]] of breadth(Object.entries(clips))) {
    it.effect(`${name} gives exactly the samples and the pictures that all packets give`, () =>
      Effect.gen(function*() {
        const { make, tools } = yield* MediaLab
        if (!canEncode(tools.ffmpeg, encoder)) return process.stdout.write(`left out: no ${encoder} here\n`)
        const path = yield* make(file, [...args, "NAME"])
        const all = yield* sampledBy(path, { sieve: null })
        const few = yield* sampledBy(path, { sieve: parser() })
        assert.isAtLeast(all.given, 4)
        assert.isTrue(few.flawless)
        assert.deepStrictEqual(few, all)
        if (encoder === "libvpx-vp9") assert.deepStrictEqual(yield* sampledBy(path, { groups: parser() }), all)
      }))
  }

  const large = flags(
    "-f lavfi -i testsrc2=size=640x360:rate=24:duration=3 -c:v libvpx-vp9 -deadline realtime -cpu-used 8"
  )
  const damaged = {
    "of AV1": ["sound.mp4", [...moving(2), ...aom], (major: number) => major < 59 ? 1 : 2],
    "of VP9, by decoders that take turns": ["sound.webm", [...large, ...flags("-g 24")], () => 2]
  } as const
  for (const [name, [from, args, timesOf]] of Object.entries(damaged)) {
    it.effect(`decodes all of a damaged file ${name}, as if nothing had been chosen`, () =>
      Effect.gen(function*() {
        const { make, stages, store, task, tools, write } = yield* MediaLab
        const bytes = Buffer.from(yield* readBytes(yield* make(from, [...args, "NAME"])))
        const isMp4 = from.endsWith("mp4")
        const media = isMp4 ? bytes.indexOf("mdat") + 4000 : bytes.length >> 1
        for (let at = media; at < media + (isMp4 ? 400 : 12_000); at++) bytes[at] = bytes[at]! ^ 0x55
        const file = yield* write(`damaged-${from}`, bytes)
        const { probe } = yield* stages.probe({ ...task("probe"), input: { source: yield* store(file) } })
        const context = { tools, limits: defaultLimits, decode_threads: isMp4 ? 1 : 2, memory: new PictureMemory() }
        const run = Effect.fnUntraced(function*(duration_seconds: number) {
          let times = 1
          const sampled = yield* sampleFrames(
            context,
            { ...probe, facts: { ...probe.facts, duration_seconds } },
            file,
            {
              keep: () => Effect.void,
              sampled: () => Effect.void,
              again: Effect.sync(() => times++)
            }
          )
          return { times, sampled }
        })
        const whole = yield* run(probe.facts.duration_seconds)
        // Packets are chosen of what is long.
        const chosen = yield* run(3600)
        assert.deepStrictEqual([whole.times, chosen.times], [1, timesOf(tools.libavformat[0])])
        assert.isAbove(whole.sampled.hashes.length, 0)
        assert.deepStrictEqual(chosen.sampled, whole.sampled)
      }))
  }

  it.effect("tells where it does not understand a packet, and leaves nothing running", () =>
    Effect.gen(function*() {
      const { make } = yield* MediaLab
      const path = yield* make("odd.webm", [
        ...moving(3),
        ...flags("-c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
        "NAME"
      ])
      const parse = vp9Parser()
      let count = 0
      const confused = (packet: Uint8Array) => count++ === 20 ? null : parse(packet)
      assert.isFalse((yield* sampledBy(path, { sieve: confused })).flawless)
      count = 0
      assert.isFalse((yield* sampledBy(path, { groups: confused })).flawless)
    }))

  for (const [name, parser] of [["exo_sample_av1.mp4", av1Parser], ["exo_bear-vp9.webm", vp9Parser]] as const) {
    it.effect.skipIf(noAssets)(
      `of ${name} gives exactly the samples that all packets give`,
      () =>
        Effect.gen(function*() {
          const all = yield* sampledBy(`${assets}/${name}`, { sieve: null })
          assert.deepStrictEqual(yield* sampledBy(`${assets}/${name}`, { sieve: parser() }), all)
        })
    )
  }
})
