import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { spawnSync } from "node:child_process"
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join, resolve } from "node:path"
import { UploadLookup } from "../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../src/storage/Blobs.ts"
import type { StageTask } from "../workers/engine/Stage.ts"
import { findMediaTools } from "../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../workers/media/ffmpeg/InputArguments.ts"
import { makeMediaStages } from "../workers/media/MediaStages.ts"
import { makeVideos } from "./media/MadeVideos.ts"
import { processorSeconds } from "./media/ProcessorTime.ts"
import { median } from "./Median.ts"

/** Seconds on a clock, and of all processors together. */
export interface Cost {
  readonly wall: number
  readonly processor: number
}

export interface MediaReport {
  readonly clip: string
  readonly media_seconds: number
  /** `ffmpeg -f null` over the whole video, with as many threads as the front end gives its decoder. */
  readonly plain: Cost
  readonly probe: Cost
  readonly frames: Cost
  /** Probe and frames, and the sound at the same time as the frames. */
  readonly all: Cost
  /** Speed of probe and frames over that of plain decoding: above 1 it is faster. */
  readonly ratio: Cost
  /** The same of what each further second costs, without what every file costs once; null where no second could be cut off. */
  readonly ratio_of_length: Cost | null
  readonly ratio_with_sound: Cost
  readonly sampled: number
  readonly kept: number
  /** Longest time that the worker computed without a turn of its event loop, in milliseconds of its main thread. */
  readonly longest_block_ms: number
}

const silent = {
  job_id: "job_bench" as const,
  tenant_id: "ten_bench" as const,
  index: 0,
  attempt: 0,
  progress: () => Effect.void
}

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
    const value = yield* work
    return { value, longest }
  }).pipe(Effect.scoped)

const costing = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const wall = performance.now()
    const processor = processorSeconds()
    return Effect.map(work, (value) => {
      const cost: Cost = { wall: (performance.now() - wall) / 1000, processor: processorSeconds() - processor }
      return [value, cost] as const
    })
  })

const plus = (a: Cost, b: Cost): Cost => ({ wall: a.wall + b.wall, processor: a.processor + b.processor })
const minus = (a: Cost, b: Cost): Cost => ({ wall: a.wall - b.wall, processor: a.processor - b.processor })
const over = (a: Cost, b: Cost): Cost => ({ wall: a.wall / b.wall, processor: a.processor / b.processor })

const middle = (costs: ReadonlyArray<Cost>): Cost => ({
  wall: median(costs.map(({ wall }) => wall)),
  processor: median(costs.map(({ processor }) => processor))
})

/**
 * The middle of what each round says by itself: a machine that is shared is a third slower at times, and the best of all
 * rounds then sets one thing's luck against another's.
 */
const middleRatio = (ours: ReadonlyArray<Cost>, theirs: ReadonlyArray<Cost>): Cost =>
  middle(ours.map((cost, round) => over(theirs[round]!, cost)))

const decoding = (ffmpeg: string, file: string) =>
  Effect.sync(() => {
    const args = [...flags("-v quiet -nostdin -threads 2 -i"), file, ...flags("-map 0:V:0 -f null -")]
    const { status } = spawnSync(ffmpeg, args, { stdio: "ignore" })
    if (status !== 0) throw new Error(`ffmpeg ended with ${status} on ${file}`)
  })

const number = (args: ReadonlyArray<string>, name: string, usual: number): number =>
  Number(args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual)

/** The first second of a video as a file of its own; false where this ffmpeg cannot copy it. */
const cutSecond = (ffmpeg: string, file: string, into: string): boolean =>
  spawnSync(ffmpeg, [
    ...flags("-v error -nostdin -y -t 1 -i"),
    file,
    ...flags("-map 0:V:0 -map 0:a:0? -c copy"),
    into
  ], { stdio: "ignore" }).status === 0

type Stages = Effect.Success<ReturnType<typeof makeMediaStages>>

/** What every file costs once, with as good as nothing in it: plain decoding, and probe and frames. */
const measureConstant = Effect.fnUntraced(function*(
  { ffmpeg, rounds, second, stages }: {
    readonly ffmpeg: string
    readonly rounds: number
    readonly second: string
    readonly stages: Stages
  }
) {
  const blobs = yield* Blobs
  const source = yield* blobs.putFile("bench/second", second)
  const file = yield* blobs.localPath(source.key)
  const task = { ...silent, spec: undefined as never, blobPrefix: "bench/second-out" }
  const plain: Array<Cost> = []
  const both: Array<Cost> = []
  for (let round = 0; round < rounds; round++) {
    plain.push((yield* costing(decoding(ffmpeg, file)))[1])
    const front = Effect.gen(function*() {
      const { probe } = yield* stages.probe({ ...task, stage: "probe", input: { source } })
      yield* stages.frames({ ...task, stage: "frames", input: { probe } })
    })
    both.push((yield* costing(front))[1])
  }
  return { plain: middle(plain), both: middle(both) }
})

/** One clip in rounds: plain decoding, the front end, the front end with sound, and again. */
const measure = Effect.fnUntraced(function*(
  { clip, ffmpeg, file, rounds, stages }: {
    readonly clip: string
    readonly file: string
    readonly ffmpeg: string
    readonly rounds: number
    readonly stages: Stages
  },
  folder: string
) {
  const blobs = yield* Blobs
  const copy = join(folder, "source")
  yield* Effect.promise(() => copyFile(file, copy))
  const source = yield* blobs.putFile("bench/source", copy)
  const task = { ...silent, spec: undefined as never }
  const probeTask: StageTask<"probe"> = { ...task, stage: "probe", blobPrefix: "bench/probe", input: { source } }
  const decode = decoding(ffmpeg, file)
  const plain: Array<Cost> = []
  const probed: Array<Cost> = []
  const framed: Array<Cost> = []
  const both: Array<Cost> = []
  const whole: Array<Cost> = []
  // Watching costs a timer every millisecond, so it has a run of its own, which warms up the others as well.
  const { probe } = yield* stages.probe(probeTask)
  const framesTask: StageTask<"frames"> = { ...task, stage: "frames", blobPrefix: "bench/frames", input: { probe } }
  const audioTask: StageTask<"audio"> = { ...task, stage: "audio", blobPrefix: "bench/audio", input: { probe } }
  const { longest, value: { kept, sampled } } = yield* watchingTheLoop(stages.frames(framesTask))
  for (let round = 0; round < rounds; round++) {
    plain.push((yield* costing(decode))[1])
    const [, probing] = yield* costing(stages.probe(probeTask))
    const [, framing] = yield* costing(stages.frames(framesTask))
    const [, together] = yield* costing(
      Effect.all([stages.frames(framesTask), stages.audio(audioTask)], { concurrency: 2 })
    )
    probed.push(probing)
    framed.push(framing)
    both.push(plus(probing, framing))
    whole.push(plus(probing, together))
  }
  const second = join(folder, `second${extname(file)}`)
  const once = cutSecond(ffmpeg, file, second)
    ? yield* measureConstant({ ffmpeg, rounds: rounds + 1, second, stages })
    : null
  const report: MediaReport = {
    clip,
    media_seconds: probe.facts.duration_seconds,
    sampled,
    kept,
    plain: middle(plain),
    probe: middle(probed),
    frames: middle(framed),
    all: middle(whole),
    ratio: middleRatio(both, plain),
    ratio_of_length: once === null
      ? null
      : middleRatio(both.map((cost) => minus(cost, once.both)), plain.map((cost) => minus(cost, once.plain))),
    ratio_with_sound: middleRatio(whole, plain),
    longest_block_ms: longest
  }
  return report
})

const pair = ({ processor, wall }: Cost) => `${processor.toFixed(2)} / ${wall.toFixed(2)}`

const row = (
  {
    all,
    frames,
    kept,
    longest_block_ms,
    media_seconds,
    plain,
    probe,
    ratio,
    ratio_of_length,
    ratio_with_sound,
    sampled
  }: MediaReport
) => {
  return {
    "plain s": pair(plain),
    "probe s": pair(probe),
    "frames s": pair(frames),
    "with sound s": pair(all),
    "speed of plain": pair(ratio),
    "by length": ratio_of_length === null ? "" : pair(ratio_of_length),
    "with sound": pair(ratio_with_sound),
    "x real time": (media_seconds / (probe.wall + frames.wall)).toFixed(1),
    frames: `${kept} of ${sampled}`,
    "block ms": longest_block_ms.toFixed(0)
  }
}

const print = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const videoName = /\.(?:mp4|mov|mkv|webm|ts|avi|m4v|flv|3gp)$/iu

/**
 * The front end (probe and frames, and with the sound beside them) against `ffmpeg -f null` over the same video, in turns in
 * one run, processor seconds / wall seconds, each the middle of its rounds; once for the whole, and once without what a file of
 * one second costs: `npm run bench -- media [--seconds=60] [--rounds=3] [--folder=DIR]`. Clips of nine shapes are made, or those
 * of a folder are taken.
 */
export const run = async (args: ReadonlyArray<string> = []): Promise<ReadonlyArray<MediaReport>> => {
  const named = args.find((arg) => arg.startsWith("--folder="))?.slice(9)
  const rounds = number(args, "rounds", 3)
  const folder = await mkdtemp(join(tmpdir(), "footnote-bench-"))
  const program = Effect.gen(function*() {
    const tools = yield* findMediaTools
    const { ffmpeg } = tools
    // Bubblewrap does not wait for what it wraps, whose processor time then is nobody's; it costs 10 ms a process.
    const stages = yield* makeMediaStages({}, { ...tools, sandbox: { ...tools.sandbox, bwrap: null } })
    const clips = named === undefined
      ? makeVideos(ffmpeg, folder, number(args, "seconds", 60))
      : (yield* Effect.promise(() => readdir(resolve(named)))).filter((name) => videoName.test(name)).toSorted()
        .map((name) => ({ shape: name, file: join(resolve(named), name) }))
    if (clips.length === 0) throw new Error(`No videos in ${named}`)
    const reports: Array<MediaReport> = []
    for (const clip of clips) {
      if ("missing" in clip) {
        yield* print(`${clip.shape}: left out, this ffmpeg cannot make it: ${clip.missing}`)
        continue
      }
      const report = yield* measure({ clip: clip.shape, file: clip.file, ffmpeg, rounds, stages }, folder)
      yield* print(`${clip.shape}: ${report.ratio.processor.toFixed(2)} of plain decoding's speed`)
      reports.push(report)
    }
    yield* print(`processor seconds / wall seconds, the middle of ${rounds} rounds`)
    yield* Effect.sync(() => console.table(Object.fromEntries(reports.map((report) => [report.clip, row(report)]))))
    return reports
  })
  const layer = layerFileSystem(join(folder, "blobs")).pipe(Layer.provide(NodeServices.layer))
  return Effect.runPromise(
    program.pipe(
      Effect.provide(layer),
      Effect.provideService(References.MinimumLogLevel, "Error"),
      Effect.provideService(UploadLookup, { find: () => Effect.succeedNone })
    )
  ).finally(() => rm(folder, { recursive: true, force: true }))
}
