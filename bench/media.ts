import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { UploadLookup } from "../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../src/storage/Blobs.ts"
import { findMediaTools } from "../workers/media/Ffmpeg.ts"
import { flags } from "../workers/media/InputArguments.ts"
import { makeMediaStages } from "../workers/media/MediaStages.ts"
import type { StageTask } from "../workers/Stage.ts"

export interface MediaReport {
  readonly clip: string
  readonly media_seconds: number
  /** Wall seconds of `ffmpeg -f null` over the whole video, and with the front end's own decoding flags. */
  readonly floor_seconds: number
  readonly fast_floor_seconds: number
  readonly front_end_seconds: number
  /** Front end over floor: below 1 it is faster than plain decoding. */
  readonly ratio: number
  readonly fast_ratio: number
  readonly times_real_time: number
  readonly sampled: number
  readonly kept: number
  /** Longest time that the worker computed without a turn of its event loop, in milliseconds of its main thread. */
  readonly longest_block_ms: number
}

const time = (ffmpeg: string, args: ReadonlyArray<string>): number => {
  const start = performance.now()
  const { status } = spawnSync(ffmpeg, args, { stdio: "ignore" })
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}`)
  return (performance.now() - start) / 1000
}

const makeClip = (ffmpeg: string, file: string): number =>
  time(ffmpeg, [
    ...flags("-v error -y -f lavfi -i testsrc2=size=1920x1080:rate=30:duration=60"),
    ...flags("-f lavfi -i sine=frequency=440:duration=60"),
    ...flags("-c:v libx264 -preset veryfast -b:v 5M -pix_fmt yuv420p -c:a aac"),
    file
  ])

const silent = { job_id: "bench", tenant_id: "bench", index: 0, attempt: 0, progress: () => Effect.void }

/** Processor time of the main thread so far, in milliseconds. */
const spent = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** The most processor time that the main thread took between two turns of the event loop while `work` ran. */
const watchingTheLoop = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    let longest = 0
    let last = spent()
    const turn = Effect.sync(() => {
      const now = spent()
      longest = Math.max(longest, now - last)
      last = now
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(1), turn)))
    const start = performance.now()
    const value = yield* work
    return { value, longest, seconds: (performance.now() - start) / 1000 }
  }).pipe(Effect.scoped)

/**
 * Probe, sound and frames of one clip against the floor of decoding it, in one run on one machine. `args[0]` is the
 * clip; by default a minute of 1080p30 at 5 Mb/s is made.
 */
export const run = async (args: ReadonlyArray<string> = []): Promise<MediaReport> => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-bench-"))
  const program = Effect.gen(function*() {
    const { ffmpeg } = yield* findMediaTools
    const clip = args[0] === undefined ? join(folder, "made.mp4") : resolve(args[0])
    if (args[0] === undefined) makeClip(ffmpeg, clip)
    const blobs = yield* Blobs
    const copy = join(folder, "source")
    yield* Effect.promise(() => copyFile(clip, copy))
    const source = yield* blobs.putFile("bench/source", copy)
    const stages = yield* makeMediaStages()

    const decode = (extra: ReadonlyArray<string>) =>
      time(ffmpeg, [
        "-v",
        "quiet",
        "-nostdin",
        "-threads",
        "2",
        ...extra,
        "-i",
        clip,
        "-map",
        "0:V:0",
        "-f",
        "null",
        "-"
      ])
    const floor_seconds = decode([])
    const fast_floor_seconds = decode(["-skip_loop_filter", "all", "-skip_frame", "noref"])

    const task = { ...silent, spec: undefined as never }
    const { longest, seconds, value } = yield* watchingTheLoop(Effect.gen(function*() {
      const probeTask: StageTask<"probe"> = { ...task, stage: "probe", blobPrefix: "bench/probe", input: { source } }
      const { probe } = yield* stages.probe(probeTask)
      const [frames] = yield* Effect.all([
        stages.frames({ ...task, stage: "frames", blobPrefix: "bench/frames", input: { probe } }),
        stages.audio({ ...task, stage: "audio", blobPrefix: "bench/audio", input: { probe } })
      ], { concurrency: 2 })
      return { frames, probe }
    }))
    const { frames, probe } = value
    const report: MediaReport = {
      clip: basename(clip),
      media_seconds: probe.facts.duration_seconds,
      floor_seconds,
      fast_floor_seconds,
      front_end_seconds: seconds,
      ratio: seconds / floor_seconds,
      fast_ratio: seconds / fast_floor_seconds,
      times_real_time: probe.facts.duration_seconds / seconds,
      sampled: frames.sampled,
      kept: frames.kept,
      longest_block_ms: longest
    }
    yield* Effect.sync(() => console.table(report))
    return report
  })
  const layer = layerFileSystem(join(folder, "blobs")).pipe(Layer.provide(NodeServices.layer))
  return Effect.runPromise(
    program.pipe(
      Effect.provide(layer),
      Effect.provideService(UploadLookup, { find: () => Effect.succeedNone })
    )
  ).finally(() => rm(folder, { recursive: true, force: true }))
}
