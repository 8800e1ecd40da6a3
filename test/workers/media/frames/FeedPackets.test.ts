import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { av1Parser } from "../../../../workers/media/codec/Av1Parser.ts"
import type { FrameParser } from "../../../../workers/media/codec/CodedFrame.ts"
import { flags } from "../../../../workers/media/ffmpeg/InputArguments.ts"
import { defaultLimits } from "../../../../workers/media/ffmpeg/MediaLimits.ts"
import { decodeFrames, sampleFrames } from "../../../../workers/media/frames/FrameSampling.ts"
import { PictureMemory } from "../../../../workers/media/pixels/PictureMemory.ts"
import { breadth } from "../../../support/Breadth.ts"
import { canEncode, layer, MediaLab } from "../MediaLab.ts"

const assets = fileURLToPath(new URL("../../../../../shared/assets/video/dev", import.meta.url))
const noAssets = !existsSync(assets)
if (noAssets) process.stdout.write("left out: ../shared/assets/video is not there\n")

/** By a decoder that is given the file, or is fed the packets that pass a sieve. */
const sampledBy = Effect.fnUntraced(function*(file: string, sieve: FrameParser | null) {
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
  const { flawless, sampled } = yield* decodeFrames(context, exact, file, on, { acceleration: [], sieve })
  return { flawless, given, sampled, kept: pictures.digest("hex") }
})

const readBytes = (path: string) => Effect.promise(() => readFile(path))

const moving = (seconds: number) => flags(`-f lavfi -i testsrc2=size=128x72:rate=24:duration=${seconds}`)
const aom = flags("-c:v libaom-av1 -strict experimental -cpu-used 8 -b:v 100k -g 40")

suite(layer, { timeout: 300_000, excludeTestServices: true })("feeding only the packets that samples need", (it) => {
  const clips = {
    "of AV1 with layers of references": ["layers.mp4", "libaom-av1", [...moving(2), ...aom]],
    "of AV1 by SVT": ["svt.mkv", "libsvtav1", [...moving(6), ...flags("-c:v libsvtav1 -preset 10 -g 50")]],
    "of AV1 by rav1e": ["rav1e.mp4", "librav1e", [...moving(3), ...flags("-c:v librav1e -speed 10")]],
    "of AV1 that begins late, at an uneven rate": ["late.mp4", "libaom-av1", [
      ...flags("-f lavfi -i sine=duration=4 -itsoffset 1.3"),
      ...moving(3),
      ...flags("-map 0:a -map 1:v -vf select='lt(mod(n\\,37)\\,15)' -vsync vfr -c:a aac"),
      ...aom
    ]]
  } as const
  for (const [name, [file, encoder, args]] of breadth(Object.entries(clips))) {
    it.effect(`${name} gives exactly the samples and the pictures that all packets give`, () =>
      Effect.gen(function*() {
        const { make, tools } = yield* MediaLab
        if (!canEncode(tools.ffmpeg, encoder)) return process.stdout.write(`left out: no ${encoder} here\n`)
        const path = yield* make(file, [...args, "NAME"])
        const all = yield* sampledBy(path, null)
        const few = yield* sampledBy(path, av1Parser())
        assert.isAtLeast(all.given, 4)
        assert.isTrue(few.flawless)
        assert.deepStrictEqual(few, all)
      }))
  }

  it.effect("decodes all of a damaged file, as if nothing had been chosen", () =>
    Effect.gen(function*() {
      const { make, stages, store, task, tools, write } = yield* MediaLab
      const bytes = Buffer.from(yield* readBytes(yield* make("sound.mp4", [...moving(2), ...aom, "NAME"])))
      const media = bytes.indexOf("mdat") + 4000
      for (let at = media; at < media + 400; at++) bytes[at] = bytes[at]! ^ 0x55
      const file = yield* write("damaged-sound.mp4", bytes)
      const { probe } = yield* stages.probe({ ...task("probe"), input: { source: yield* store(file) } })
      const context = { tools, limits: defaultLimits, decode_threads: 1, memory: new PictureMemory() }
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
      assert.deepStrictEqual([whole.times, chosen.times], [1, tools.libavformat[0] < 59 ? 1 : 2])
      assert.isAbove(whole.sampled.hashes.length, 0)
      assert.deepStrictEqual(chosen.sampled, whole.sampled)
    }))

  it.effect("tells where it does not understand a packet, and leaves nothing running", () =>
    Effect.gen(function*() {
      const { make } = yield* MediaLab
      const path = yield* make("odd.mp4", [...moving(2), ...aom, "NAME"])
      const parse = av1Parser()
      let count = 0
      const confused = (packet: Uint8Array) => count++ === 20 ? null : parse(packet)
      assert.isFalse((yield* sampledBy(path, confused)).flawless)
    }))

  it.effect.skipIf(noAssets)(
    "of exo_sample_av1.mp4 gives exactly the samples that all packets give",
    () =>
      Effect.gen(function*() {
        const file = `${assets}/exo_sample_av1.mp4`
        assert.deepStrictEqual(yield* sampledBy(file, av1Parser()), yield* sampledBy(file, null))
      })
  )
})
