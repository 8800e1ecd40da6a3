import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Context, Effect, FileSystem, Layer, Option, References, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { Frames } from "../../../src/artifacts/Frames.ts"
import type { JobId, TenantId } from "../../../src/identity/Id.ts"
import type { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { Cues, KeptImages, type StageName } from "../../../src/jobs/model/StageIo.ts"
import { UploadLookup } from "../../../src/sources/UploadLookup.ts"
import type { BlobRef } from "../../../src/storage/BlobRef.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import { findMediaTools, type MediaTools } from "../../../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../../../workers/media/ffmpeg/InputArguments.ts"
import { makeMediaStages } from "../../../workers/media/MediaStages.ts"
import { madeOnce } from "../../support/MadeFixture.ts"

type Stages = Effect.Success<ReturnType<typeof makeMediaStages>>

/** A file run through probe, sound, captions and frames, with the artifacts read back. */
export interface Outcome {
  readonly probe: Effect.Success<ReturnType<Stages["probe"]>>["probe"]
  readonly codes: ReadonlyArray<string>
  readonly pcm: Int16Array
  readonly cues: Cues
  readonly frames: Frames
  readonly images: KeptImages
}

/** The real media lane over a temporary blob store, and a decoder's own tools to make clips with. */
export class MediaLab extends Context.Service<MediaLab, {
  readonly tools: MediaTools
  readonly stages: Stages
  readonly folder: string
  /** Makes a file with the decoder's generators and encoders; `NAME` in the arguments is its path. */
  readonly make: (name: string, args: ReadonlyArray<string>) => Effect.Effect<string>
  readonly write: (name: string, bytes: Uint8Array | string) => Effect.Effect<string>
  readonly store: (file: string) => Effect.Effect<BlobRef>
  readonly read: (ref: BlobRef) => Effect.Effect<Uint8Array>
  readonly task: <S extends StageName>(stage: S) => {
    readonly job_id: JobId
    readonly tenant_id: TenantId
    readonly stage: S
    readonly index: number
    readonly attempt: number
    readonly spec: never
    readonly blobPrefix: string
    readonly progress: () => Effect.Effect<void>
  }
  readonly run: (file: string, prefix?: string) => Effect.Effect<Outcome, StageFailure>
}>()("footnote/test/workers/media/MediaLab") {}

export const uploaded = { tenant_id: "ten_a" as const, upload_id: "upl_here" }

/** The environment's own decoder, and loopback as the only private network that may be fetched from. */
const withLoopback = ConfigProvider.fromUnknown({ SOURCE_ALLOW_PRIVATE: "127.0.0.1/32" }).pipe(
  ConfigProvider.orElse(ConfigProvider.fromEnv())
)

const noUploads = Layer.succeed(UploadLookup, {
  find: (tenant_id, upload_id) =>
    Effect.succeed(
      tenant_id === uploaded.tenant_id && upload_id === uploaded.upload_id
        ? Option.some({ key: "uploads/here", size_bytes: 5, sha256: "a".repeat(64) })
        : Option.none()
    )
})

/** A task of one stage as a worker would hand it to the lane. */
const task = <S extends StageName>(stage: S, prefix = "lab") => ({
  job_id: "job_lab" as const,
  tenant_id: uploaded.tenant_id,
  stage,
  index: 0,
  attempt: 0,
  spec: undefined as never,
  blobPrefix: `${prefix}/${stage}`,
  progress: () => Effect.void
})

const json = <A>(schema: Schema.Codec<A>, bytes: Uint8Array): A =>
  Schema.decodeUnknownSync(schema)(JSON.parse(Buffer.from(bytes).toString("utf8")))

const encoders = new Map<string, boolean>()
/** Whether this decoder has the encoder: not every one has all. */
export const canEncode = (ffmpeg: string, name: string): boolean => {
  const known = encoders.get(name)
    ?? spawnSync(ffmpeg, ["-hide_banner", "-h", `encoder=${name}`], { encoding: "utf8" }).stdout.includes("Encoder ")
  encoders.set(name, known)
  return known
}

/** Makes a file in `folder` with a decoder's generators and encoders; `NAME` in the arguments is its path. */
export const makeClip = (ffmpeg: string, folder: string, name: string, args: ReadonlyArray<string>): string => {
  const file = join(folder, name)
  madeOnce({ program: ffmpeg, args, to: file }, () => {
    const full = ["-v", "error", "-y", "-nostdin", ...args.map((arg) => (arg === "NAME" ? file : arg))]
    const { status, stderr } = spawnSync(ffmpeg, full, { encoding: "utf8" })
    if (status !== 0) throw new Error(`Cannot make ${name}: ${stderr}`)
  })
  return file
}

export const layer = Layer.effect(
  MediaLab,
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped().pipe(Effect.orDie)
    const tools = yield* findMediaTools
    const { blobs, stages } = yield* Effect.gen(function*() {
      return { blobs: yield* Blobs, stages: yield* makeMediaStages() }
    }).pipe(Effect.provide([layerFileSystem(join(folder, "blobs")), noUploads]))

    const write = (name: string, bytes: Uint8Array | string) => {
      const file = join(folder, name)
      return Effect.orDie(Effect.as(fs.writeFile(file, Buffer.from(bytes)), file))
    }
    const make = (name: string, args: ReadonlyArray<string>) =>
      Effect.sync(() => makeClip(tools.ffmpeg, folder, name, args))
    const store = (file: string) =>
      fs.readFile(file).pipe(
        Effect.flatMap((bytes) => blobs.put(`sources/${basename(file)}`, bytes)),
        Effect.orDie
      )
    const read = (ref: BlobRef) => Effect.orDie(blobs.get(ref.key))

    const run = Effect.fn("MediaLab.run")(
      function*(file: string, prefix = basename(file).replaceAll(/[^\w.-]/gu, "_")) {
        const source = yield* store(file)
        const { probe, warnings } = yield* stages.probe({ ...task("probe", prefix), input: { source } })
        const input = { probe }
        const audio = yield* stages.audio({ ...task("audio", prefix), input })
        const captions = yield* stages.captions({ ...task("captions", prefix), input })
        const frames = yield* stages.frames({ ...task("frames", prefix), input })
        const pcm = audio.pcm === null ? Buffer.alloc(0) : Buffer.from(yield* read(audio.pcm))
        const outcome: Outcome = {
          probe,
          codes: [warnings, audio.warnings, captions.warnings, frames.warnings].flat().map(({ code }) => code),
          pcm: Int16Array.from({ length: pcm.length / 2 }, (_, i) => pcm.readInt16LE(i * 2)),
          cues: captions.captions === null ? [] : json(Cues, yield* read(captions.captions)),
          frames: json(Frames, yield* read(frames.inventory)),
          images: json(KeptImages, yield* read(frames.images))
        }
        return outcome
      }
    )
    return MediaLab.of({ tools, stages, folder, make, write, store, read, task, run })
    // Which decoder is used is told once by the worker, not by every test file.
  }).pipe(
    Effect.provideService(References.MinimumLogLevel, "Error"),
    Effect.provideService(ConfigProvider.ConfigProvider, withLoopback)
  )
).pipe(Layer.provide(NodeServices.layer))

const processes = (): ReadonlyArray<string> => readdirSync("/proc").filter((entry) => /^\d+$/u.test(entry))

/** Decoder processes that this test process started, or what stands in front of them, and that still exist (Linux). */
export const ownDecoders = (): ReadonlyArray<string> =>
  processes().flatMap((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/stat`, "utf8")
      const [, name, parent] = /\((.*)\) \S (\d+)/u.exec(status) ?? []
      // The shell that ties a decoder is named by its path, that which guards a test's PostgreSQL is not.
      const tying = name === "sh" && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("/bin/sh\0")
      const decoder = tying || /^(?:ff(?:mpeg|probe)|prlimit|setpriv|bwrap|unshare|perl)/u.test(name ?? "")
      return Number(parent) === process.pid && decoder ? [`${pid} ${name}`] : []
    } catch {
      return []
    }
  })

/**
 * Every other process that has a file of `folder` open, whoever its parent is by now: a decoder and all that it started have
 * their input open as long as they live (Linux).
 */
export const holdersOf = (folder: string): ReadonlyArray<string> =>
  processes().filter((pid) => Number(pid) !== process.pid).flatMap((pid) => {
    try {
      const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
      return open.some((path) => path.startsWith(folder)) ? [pid] : []
    } catch {
      return []
    }
  })

const lavfi = (...graphs: ReadonlyArray<string>) => graphs.flatMap((graph) => ["-f", "lavfi", "-i", graph])

const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p"]

/** Arguments that make one clip each; every clip is our own. */
export const recipes = {
  video_and_sound: (seconds: number) => [
    ...lavfi(`testsrc2=size=320x180:rate=25:duration=${seconds}`, `sine=frequency=440:duration=${seconds}`),
    ...h264,
    ...flags("-c:a aac -movflags +faststart NAME")
  ],
  video_only: [...lavfi("testsrc2=size=320x180:rate=25:duration=2"), ...h264, "NAME"],
  sound_only: [...lavfi("sine=frequency=330:duration=2"), "-c:a", "aac", "NAME"],
  /** Red on the left, blue on the right. */
  two_colours: [
    ...lavfi("color=red:size=160x180:rate=25:duration=2", "color=blue:size=160x180:rate=25:duration=2"),
    ...flags("-filter_complex [0][1]hstack"),
    ...h264,
    "NAME"
  ],
  late_sound: [
    ...lavfi("testsrc2=size=320x180:rate=25:duration=3"),
    ...flags("-itsoffset 1.5"),
    ...lavfi("sine=frequency=440:duration=2"),
    ...h264,
    ...flags("-c:a aac NAME")
  ],
  cover_art: [
    ...lavfi("sine=frequency=440:duration=2", "testsrc2=size=200x200:rate=1:duration=1"),
    ...flags("-map 0:a -map 1:v -c:a libmp3lame -c:v png -frames:v 1"),
    ...flags("-disposition:v attached_pic -id3v2_version 3 NAME")
  ]
} as const
