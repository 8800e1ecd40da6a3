import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { UploadLookup } from "../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../src/storage/Blobs.ts"
import { findMediaTools } from "../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../workers/media/ffmpeg/InputArguments.ts"
import { makeMediaStages } from "../workers/media/MediaStages.ts"
import { processorSeconds } from "./media/ProcessorTime.ts"
import { peaks } from "./speech/PeakMemory.ts"

export interface VideoLengthReport {
  readonly minutes: number
  readonly wall_seconds: number
  readonly processor_seconds: number
  readonly sampled: number
  readonly kept: number
  /** The most memory that the worker and its decoder ever held. */
  readonly worker_megabytes: number
  readonly decoder_megabytes: number
}

/** A minute of moving patterns and sound, encoded once and repeated without another encoding. */
const makeLong = (ffmpeg: string, folder: string, minutes: number): string => {
  const make = (name: string, args: ReadonlyArray<string>) => {
    const file = join(folder, name)
    const { status, stderr } = spawnSync(ffmpeg, [...flags("-v error -nostdin -y"), ...args, file], {
      encoding: "utf8"
    })
    if (status !== 0) throw new Error(stderr)
    return file
  }
  const minute = make("minute.mp4", [
    ...flags("-f lavfi -i testsrc2=size=640x360:rate=30:duration=60 -f lavfi -i sine=frequency=440:duration=60"),
    ...flags("-c:v libx264 -preset veryfast -b:v 1M -pix_fmt yuv420p -c:a aac")
  ])
  return make("long.mp4", flags(`-stream_loop ${minutes - 1} -i ${minute} -c copy`))
}

/** Probe and frames of one file of that length, in this process. */
const measure = Effect.fnUntraced(function*(minutes: number) {
  const tools = yield* findMediaTools
  const { ffmpeg } = tools
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "footnote-length-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const file = makeLong(ffmpeg, folder, minutes)
  return yield* Effect.gen(function*() {
    const blobs = yield* Blobs
    // Bubblewrap does not wait for what it wraps, whose processor time then is nobody's.
    const stages = yield* makeMediaStages({}, { ...tools, sandbox: { ...tools.sandbox, bwrap: null } })
    const source = yield* blobs.putFile("bench/source", file)
    const task = {
      job_id: "job_bench" as const,
      tenant_id: "ten_bench" as const,
      index: 0,
      attempt: 0,
      spec: undefined as never,
      progress: () => Effect.void
    }
    const memory = peaks()
    const wall = performance.now()
    const processor = processorSeconds()
    const { probe } = yield* stages.probe({ ...task, stage: "probe", blobPrefix: "bench/probe", input: { source } })
    const frames = yield* stages.frames({ ...task, stage: "frames", blobPrefix: "bench/frames", input: { probe } })
    const { decoder_megabytes, worker_megabytes } = memory.stop()
    const report: VideoLengthReport = {
      minutes,
      wall_seconds: (performance.now() - wall) / 1000,
      processor_seconds: processorSeconds() - processor,
      sampled: frames.sampled,
      kept: frames.kept,
      worker_megabytes,
      decoder_megabytes
    }
    return report
  }).pipe(
    Effect.provide(
      Layer.succeed(UploadLookup, { find: () => Effect.succeedNone }).pipe(
        Layer.provideMerge(layerFileSystem(join(folder, "blobs"))),
        Layer.provideMerge(NodeServices.layer)
      )
    )
  )
}, Effect.scoped)

/** One length's report on standard output, for `run`. */
export const print = async (minutes: number): Promise<void> => {
  const report = await Effect.runPromise(
    measure(minutes).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )
  console.log(JSON.stringify(report))
}

/**
 * Time and memory of the front end over length, a process per length: `npm run bench -- video-length [--minutes=60]` beside
 * ten minutes. Six times as long may cost 6.3 times as much, and no more memory.
 */
export const run = async (args: ReadonlyArray<string> = []): Promise<ReadonlyArray<VideoLengthReport>> => {
  const longest = Number(args.find((arg) => arg.startsWith("--minutes="))?.slice(10) ?? 60)
  const reports = [10, longest].map((minutes): VideoLengthReport => {
    // Memory that one run has held would be seen in the next one's peak.
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { print } from ${JSON.stringify(import.meta.url)}; await print(${minutes})`
      ],
      { encoding: "utf8", maxBuffer: 64e6 }
    )
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout.trim().split("\n").at(-1)!)
  })
  const [short, long] = [reports[0]!, reports[1]!]
  console.table(Object.fromEntries(reports.map((report) => [`${report.minutes} min`, {
    "processor s": report.processor_seconds.toFixed(1),
    "wall s": report.wall_seconds.toFixed(1),
    "worker MB": report.worker_megabytes.toFixed(0),
    "decoder MB": report.decoder_megabytes.toFixed(0),
    frames: `${report.kept} of ${report.sampled}`
  }])))
  const times = (field: "processor_seconds" | "wall_seconds") => (long[field] / short[field]).toFixed(2)
  console.log(
    `${long.minutes / short.minutes} times as long: ${times("processor_seconds")} times the processor time, ` +
      `${times("wall_seconds")} times the wall time`
  )
  return reports
}
