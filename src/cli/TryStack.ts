import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, FileSystem, Schema } from "effect"
import { availableParallelism } from "node:os"
import type { CreateJob } from "../jobs/model/Job.ts"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import { followJob, withOwnService } from "./OwnService.ts"
import { ExtractFailed, ServiceClient } from "./ServiceClient.ts"

/** What a report is made of: parts of a job's record and of its artifacts, as the API gives them. */
const TriedJob = Schema.Struct({
  model_stack: Schema.String,
  progress: Schema.Struct({
    stages: Schema.Array(Schema.Struct({
      name: Schema.String,
      status: Schema.String,
      started_at: Schema.NullOr(Schema.String),
      finished_at: Schema.NullOr(Schema.String)
    }))
  }),
  result: Schema.optionalKey(Schema.Json),
  source: Schema.NullOr(Schema.Struct({ duration_seconds: Schema.Finite })),
  usage: Schema.NullOr(Schema.Struct({ frames_kept: Schema.Finite, model_seconds: Schema.Finite })),
  warnings: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String })),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  provenance: Schema.NullOr(Schema.Struct({
    models: Schema.Array(
      Schema.Struct({ role: Schema.String, name: Schema.String, execution_provider: Schema.String })
    )
  }))
})
export type TriedJob = typeof TriedJob.Type

const TriedTranscript = Schema.Struct({
  language: Schema.NullOr(Schema.String),
  text: Schema.String,
  speakers: Schema.Array(Schema.Struct({ id: Schema.String })),
  overlaps: Schema.optionalKey(Schema.Array(Schema.Struct({ t_start: Schema.Finite })))
})

const TriedVision = Schema.Struct({
  frames: Schema.Array(Schema.Struct({
    description: Schema.String,
    text: Schema.Array(Schema.Struct({ text: Schema.String })),
    labels: Schema.Array(Schema.Struct({ name: Schema.String, box: Schema.optionalKey(Schema.Array(Schema.Finite)) }))
  }))
})

interface Tried {
  readonly job: TriedJob
  /** Absent where the job did not come so far. */
  readonly transcript?: typeof TriedTranscript.Type | undefined
  readonly vision?: typeof TriedVision.Type | undefined
  readonly seconds: number
  /** What machine it was: system, processors, Node. */
  readonly machine: string
}

const cut = (text: string, width: number): string => text.length <= width ? text : `${text.slice(0, width - 1)}…`

/** How many of the things and lines that were seen are named. */
const MOST_NAMED = 8

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const secondsOf = (stages: TriedJob["progress"]["stages"]): string =>
  stages.flatMap(({ finished_at, name, started_at, status }) => {
    if (status === "skipped" || started_at === null) return []
    if (finished_at === null) return [`${name} not finished`]
    return [`${name} ${((Date.parse(finished_at) - Date.parse(started_at)) / 1000).toFixed(1)} s`]
  }).join(", ")

const heard = ({ language, overlaps = [], speakers, text }: typeof TriedTranscript.Type): string => {
  const words = text.split(/\s+/u).filter(Boolean)
  return words.length === 0
    ? "nothing"
    : `${counted(words.length, "word")} by ${counted(speakers.length, "voice")}${
      overlaps.length === 0 ? "" : ` (at once ${counted(overlaps.length, "time")})`
    }, ${language ?? "no language"}: “${words.slice(0, 25).join(" ")}”`
}

const named = (names: ReadonlyArray<string>): string => {
  const each = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length)
  const shown = each.slice(0, MOST_NAMED).map(([name, { length }]) => `${name} ${length}`)
  return each.length === 0 ? "nothing" : shown.join(", ") + (each.length > MOST_NAMED ? ", …" : "")
}

/** What a stack did with a file, in so many lines as a terminal has and no wider: to be read, or sent to somebody. */
export const renderTry = ({ job, machine, seconds, transcript, vision }: Tried, width: number): string => {
  const lines = vision?.frames.flatMap(({ text }) => text.map((line) => line.text)) ?? []
  const things = vision?.frames.flatMap(({ labels }) => labels.filter(({ box }) => box !== undefined)) ?? []
  const first = vision?.frames.find(({ description }) => description !== "")?.description
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["stack", job.model_stack],
    ["machine", machine],
    [
      "took",
      `${seconds.toFixed(1)} s${
        job.source === null ? "" : ` for ${job.source.duration_seconds.toFixed(1)} s of footage`
      }${job.usage === null ? "" : `, models ${job.usage.model_seconds.toFixed(1)} s`}`
    ],
    ["stages", secondsOf(job.progress.stages)],
    ...(job.provenance?.models ?? []).map(({ execution_provider, name, role }) =>
      [role, `${name} on ${execution_provider}`] as const
    ),
    ...(transcript === undefined ? [] : [["heard", heard(transcript)] as const]),
    ...(vision === undefined ? [] : [
      [
        "read",
        `${counted(lines.length, "line")} on ${counted(vision.frames.length, "frame")}${
          lines.length === 0 ? "" : `: “${lines.slice(0, 3).join("” “")}”`
        }`
      ] as const,
      ["things", named(things.map(({ name }) => name))] as const,
      ["first frame", first ?? "none"] as const
    ]),
    ...(job.result == null ? [] : [["result", JSON.stringify(job.result)] as const]),
    ...job.warnings.map(({ code, message }) => ["warning", `${code}: ${message}`] as const),
    ["came to", job.error === null ? "its end" : `${job.error.code}: ${job.error.message}`]
  ]
  const label = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => cut(`${name.padEnd(label)}  ${text.replaceAll(/\s+/gu, " ")}`, width * 2)).join(
    "\n"
  )
}

const machine = (): string =>
  `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node ${process.versions.node}`

const COLUMNS = 100

/** What anything can be asked for, so that a stack's reader has something to read for. */
const ASKED = {
  type: "object",
  properties: {
    topic: { type: "string", description: "What the footage is about" },
    people: { type: "array", description: "People who speak, are shown or are named", items: { type: "string" } }
  }
}

/** The body of the one job, as `POST /v1/jobs` takes it. */
export const triedBody = (model_stack: string, source_uri: string): typeof CreateJob.Encoded => ({
  source_uri,
  model_stack,
  schema_inline: ASKED
})

const job = Effect.fn("tryJob")(function*(stack: string, file: string) {
  const client = yield* ServiceClient
  const began = performance.now()
  const source_uri = yield* client.upload(file)
  const created = yield* client.createJob(triedBody(stack, source_uri))
  const done = yield* followJob(created)
  const seconds = (performance.now() - began) / 1000
  const artifact = (path: string) =>
    done.status === "succeeded" ? client.json(`/v1/jobs/${done.id}/${path}`) : Effect.succeed(undefined)
  const transcript = yield* Effect.flatMap(
    artifact("transcript"),
    Schema.decodeUnknownEffect(Schema.UndefinedOr(TriedTranscript))
  )
  const vision = yield* Effect.flatMap(
    artifact("vision"),
    Schema.decodeUnknownEffect(Schema.UndefinedOr(TriedVision))
  )
  const tried = yield* Schema.decodeUnknownEffect(TriedJob)(done.record)
  yield* Console.log(renderTry(
    { job: tried, transcript, vision, seconds, machine: machine() },
    process.stdout.columns ?? COLUMNS
  ))
  if (done.status !== "succeeded") return yield* new ExtractFailed({ message: `${stack} does not run here.` })
}, Effect.catchTag("SchemaError", (error) => Effect.fail(new ExtractFailed({ message: error.message }))))

/**
 * Runs one job on a stack, in a service of its own, and prints in one screen which models ran where, how long each stage took, and the
 * first of what was heard, read and seen. Fails before anything is started where there is no such file, or the stack's files
 * are not here, and with what the job failed by otherwise.
 */
export const tryStack = Effect.fn("tryStack")(function*(stack: string, file: string) {
  const store = yield* ModelStore
  const fs = yield* FileSystem.FileSystem
  const { id } = yield* store.choose(stack)
  if (!(yield* Effect.orDie(fs.exists(file)))) {
    return yield* new ExtractFailed({ message: `There is no file ${file}` })
  }
  yield* Effect.scoped(withOwnService(job(id, file))).pipe(Effect.provide(NodeHttpClient.layerUndici))
})
