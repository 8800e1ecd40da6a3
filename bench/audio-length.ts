import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { StageInput, StageName } from "../src/jobs/model/StageIo.ts"
import { ModelStore } from "../src/model-stacks/ModelStore.ts"
import { UploadLookup } from "../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../src/storage/Blobs.ts"
import * as ComputeProcess from "../workers/compute/ComputeProcess.ts"
import type { StageTask } from "../workers/engine/Stage.ts"
import { findMediaTools } from "../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../workers/media/ffmpeg/InputArguments.ts"
import { makeMediaStages } from "../workers/media/MediaStages.ts"
import { makeSpeechStages } from "../workers/speech/SpeechStage.ts"
import { peaks } from "./speech/PeakMemory.ts"

export interface LengthReport {
  readonly hours: number
  readonly source_megabytes: number
  readonly pcm_megabytes: number
  /** The most memory that each process ever held, in megabytes. */
  readonly worker_megabytes: number
  readonly model_process_megabytes: number
  readonly decoder_megabytes: number
  readonly audio_wall_seconds: number
  readonly detect_wall_seconds: number
  readonly chunks: number
  /** Seconds between where the sample was laid and where its first word was heard, at each island. */
  readonly first_word_errors: ReadonlyArray<number>
}

const root = fileURLToPath(new URL("..", import.meta.url))
const sample = join(root, "samples", "lecture.mp4")
/** Seconds of speech per island. */
const ISLAND = 20

/** Silence comes in pieces of this many seconds, encoded once and copied. */
const PIECE = 300

/** Silence with the same spoken stretch laid into it at each moment, in FLAC: ten hours are a few megabytes. */
export const makeLong = (ffmpeg: string, folder: string, seconds: number, at: ReadonlyArray<number>): string => {
  const parts: Array<string> = []
  const make = (name: string, args: ReadonlyArray<string>) => {
    const file = join(folder, name)
    const { status, stderr } = spawnSync(ffmpeg, ["-v", "error", "-y", ...args, file], { encoding: "utf8" })
    if (status !== 0) throw new Error(stderr)
    return file
  }
  const encoder = flags("-c:a flac -ac 1 -ar 16000 -sample_fmt s16")
  const silence = (length: number) =>
    make(`silence-${length}.mka`, [...flags(`-f lavfi -i anullsrc=r=16000:cl=mono -t ${length}`), ...encoder])
  const piece = silence(PIECE)
  const speech = make("island.mka", ["-t", String(ISLAND), "-i", sample, "-vn", ...encoder])
  let end = 0
  for (const [i, moment] of [...at, seconds].entries()) {
    const rest = Math.max(0, moment - end)
    parts.push(...Array.from({ length: Math.floor(rest / PIECE) }, () => piece))
    if (rest % PIECE > 0) parts.push(silence(rest % PIECE))
    if (i < at.length) parts.push(speech)
    end = moment + ISLAND
  }
  const list = join(folder, "list.txt")
  writeFileSync(list, parts.map((part) => `file '${part}'\n`).join(""))
  return make("long.mka", flags(`-f concat -safe 0 -i ${list} -c copy`))
}

const task = <S extends StageName>(stage: S, input: StageInput<S>, index = 0): StageTask<S> => ({
  job_id: "job_bench" as const,
  tenant_id: "ten_bench" as const,
  stage,
  index,
  attempt: 0,
  spec: { source_uri: "", json_schema: true, schema_id: null, hints: {}, on_missing: "fill", model_stack: "builtin" },
  input,
  blobPrefix: `bench/${stage}/${index}`,
  progress: () => Effect.void
})

const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(work, (value) => [value, (performance.now() - start) / 1000] as const)
  })

/** One file of that length through decoding, detection and recognition, in this process. */
export const measure = Effect.fnUntraced(function*(hours: number) {
  const { ffmpeg } = yield* findMediaTools
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "footnote-length-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const seconds = hours * 3600
  const islands = [0, seconds / 2, seconds - ISLAND - 1].map(Math.round)
  const file = makeLong(ffmpeg, folder, seconds, islands)
  return yield* Effect.gen(function*() {
    const blobs = yield* Blobs
    const media = yield* makeMediaStages()
    const speech = yield* makeSpeechStages
    const memory = peaks()
    const copy = join(folder, "copy.mka")
    yield* Effect.promise(() => copyFile(file, copy))
    const source = yield* blobs.putFile("bench/source", copy)
    const { probe } = yield* media.probe(task("probe", { source }))
    const [sound, audio_wall_seconds] = yield* timed(media.audio(task("audio", { probe })))
    const pcm = sound.pcm!
    const [found, detect_wall_seconds] = yield* timed(
      speech.detect_speech(task("detect_speech", { pcm, duration_seconds: sound.duration_seconds }))
    )
    const starts: Array<number> = []
    for (let chunk = 0; chunk < found.chunks; chunk++) {
      const input = { pcm, speech: found.speech, chunk }
      const { words } = yield* speech.transcribe(task("transcribe", input, chunk))
      const file = yield* blobs.localPath(words.key)
      const { pieces } = JSON.parse(yield* Effect.promise(() => readFile(file, "utf8")))
      for (const piece of pieces) for (const word of piece.words) starts.push(word.t_start)
    }
    const first = starts.find((start) => start >= islands[0]!) ?? Number.NaN
    const report: LengthReport = {
      hours,
      source_megabytes: source.size_bytes / 1e6,
      pcm_megabytes: pcm.size_bytes / 1e6,
      ...memory.stop(),
      audio_wall_seconds,
      detect_wall_seconds,
      chunks: found.chunks,
      first_word_errors: islands.slice(1).map((moment) =>
        (starts.find((start) => start >= moment - 1) ?? Number.NaN) - moment - first
      )
    }
    return report
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        ComputeProcess.layer({ entry: join(root, "workers", "speech", "speech-compute.ts") }),
        ModelStore.layer,
        Layer.succeed(UploadLookup, { find: () => Effect.die("not used") })
      ).pipe(Layer.provideMerge(layerFileSystem(join(folder, "blobs"))), Layer.provideMerge(NodeServices.layer))
    )
  )
}, Effect.scoped)

/** Memory and time over length: `npm run bench -- audio-length [--hours=10]`, a process per length. */
export const run = async (args: ReadonlyArray<string>): Promise<ReadonlyArray<LengthReport>> => {
  const longest = Number(args.find((arg) => arg.startsWith("--hours="))?.slice(8) ?? 10)
  const reports: Array<LengthReport> = []
  for (const hours of [1 / 6, longest]) {
    // Memory that one run has held would be seen in the next one's peak.
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", `import { print } from ${JSON.stringify(import.meta.url)}; await print(${hours})`],
      { encoding: "utf8", maxBuffer: 64e6 }
    )
    if (status !== 0) throw new Error(stderr)
    reports.push(JSON.parse(stdout.trim().split("\n").at(-1)!))
  }
  console.table(Object.fromEntries(reports.map((report) => [`${report.hours.toFixed(2)} h`, {
    "source MB": report.source_megabytes.toFixed(1),
    "PCM MB": report.pcm_megabytes.toFixed(0),
    "worker MB": report.worker_megabytes.toFixed(0),
    "models MB": report.model_process_megabytes.toFixed(0),
    "decoder MB": report.decoder_megabytes.toFixed(0),
    "audio s": report.audio_wall_seconds.toFixed(0),
    "detect s": report.detect_wall_seconds.toFixed(0),
    chunks: report.chunks,
    "word times off by s": report.first_word_errors.map((error) => error.toFixed(2)).join(", ")
  }])))
  return reports
}

/** One length's report on standard output, for `run`. */
export const print = async (hours: number): Promise<void> => {
  const report = await Effect.runPromise(
    measure(hours).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )
  console.log(JSON.stringify(report))
}
