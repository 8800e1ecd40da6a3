import { NodeServices } from "@effect/platform-node"
import { assert, layer as suite } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, References, Schema } from "effect"
import { existsSync } from "node:fs"
import { Frames } from "../../../src/artifacts/Frames.ts"
import { KeptImages } from "../../../src/jobs/model/StageIo.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import { findMediaTools, type MediaTools } from "../../../workers/media/ffmpeg/Ffmpeg.ts"
import { defaultLimits } from "../../../workers/media/ffmpeg/MediaLimits.ts"
import { makeFrames } from "../../../workers/media/frames/FrameStage.ts"
import { PictureMemory } from "../../../workers/media/pixels/PictureMemory.ts"
import { layer, MediaLab, recipes } from "./MediaLab.ts"

const hasCard = existsSync("/dev/nvidia0")
if (hasCard) process.stdout.write("this machine has a graphics card: its failure is not seen here\n")

const read = <A>(schema: Schema.Codec<A>, bytes: Uint8Array): A =>
  Schema.decodeUnknownSync(schema)(JSON.parse(Buffer.from(bytes).toString("utf8")))

/** The frames of one file as these tools see them, with the pictures' checksums. */
const framesWith = Effect.fnUntraced(
  function*(tools: MediaTools) {
    const lab = yield* MediaLab
    const file = yield* lab.make("accelerated.mp4", recipes.video_and_sound(3))
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    return yield* Effect.gen(function*() {
      const { probe } = yield* lab.stages.probe({ ...lab.task("probe"), input: { source: yield* lab.store(file) } })
      const blobs = yield* Blobs
      yield* blobs.put(probe.source.key, yield* fs.readFile(file))
      const handler = yield* makeFrames({
        tools,
        limits: defaultLimits,
        decode_threads: 1,
        memory: new PictureMemory()
      })
      const { images, inventory, warnings } = yield* handler({ ...lab.task("frames"), input: { probe } })
      return {
        warnings,
        inventory: read(Frames, yield* blobs.get(inventory.key)),
        images: read(KeptImages, yield* blobs.get(images.key))
      }
    }).pipe(Effect.provide(layerFileSystem(folder)))
  },
  Effect.scoped,
  Effect.provide(NodeServices.layer)
)

suite(layer, { timeout: 120_000, excludeTestServices: true })("FOOTNOTE_HWACCEL=cuda", (it) => {
  it.effect.skipIf(hasCard)(
    "decodes on the processor what no card decodes, and says so in the job",
    () =>
      Effect.gen(function*() {
        const { tools } = yield* MediaLab
        const plain = yield* framesWith(tools)
        assert.deepStrictEqual(plain.warnings, [])
        assert.isAbove(plain.images.length, 0)
        for (const offered of [true, false]) {
          const { images, inventory, warnings } = yield* framesWith({
            ...tools,
            hwaccel: { name: "cuda", offered, sandbox: tools.sandbox }
          })
          assert.deepStrictEqual(warnings.map(({ code }) => code), ["HWACCEL_UNUSED"])
          assert.match(warnings[0]!.message, /cuda.*decoded on the processor/u)
          assert.deepStrictEqual(inventory, plain.inventory)
          assert.deepStrictEqual(images, plain.images)
        }
      })
  )

  it.effect("is read from the configuration, and nothing else is taken for it", () =>
    Effect.gen(function*() {
      const { tools } = yield* MediaLab
      const find = (value: string) => {
        const env = {
          PATH: "/nowhere",
          FOOTNOTE_FFMPEG_PATH: tools.ffmpeg,
          FOOTNOTE_SANDBOX: "off",
          FOOTNOTE_HWACCEL: value
        }
        return findMediaTools.pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
          Effect.provideService(References.MinimumLogLevel, "None")
        )
      }
      assert.isNull((yield* find("none")).hwaccel)
      assert.strictEqual((yield* find("cuda")).hwaccel?.name, "cuda")
      assert.strictEqual((yield* Effect.flip(find("quantum")))._tag, "ConfigError")
    }))
})
