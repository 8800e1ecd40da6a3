import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { pathToFileURL } from "node:url"
import { Evidence } from "../artifacts/Evidence.ts"
import { prepareArtifactFolder, writeArtifactFolder } from "./ArtifactFolder.ts"
import { howToGetMore, renderEvidence } from "./output/EvidenceTable.ts"
import { followJob, withOwnService } from "./OwnService.ts"
import { isAddress, writeReport } from "./ReportFile.ts"
import { ExtractFailed, type JobView, ServiceClient } from "./ServiceClient.ts"

/** The footage's own address, to which a media fragment is put; a terminal opens it at the moment. */
const addressOf = (source: string): string => (isAddress(source) ? source : pathToFileURL(source).href)

const print = Effect.fn("print")(function*(
  job: JobView,
  evidence: Evidence,
  { json, precision, source }: Request,
  seconds: number
) {
  const { result, ...record } = job.record as { readonly result: Schema.Json } & Record<string, Schema.Json>
  if (json) return yield* Console.log(JSON.stringify({ job: record, result, evidence }, null, 2))
  for (const warning of job.warnings) yield* Console.error(`Warning: ${warning.message} (${warning.code})`)
  if (job.warnings.some(({ code }) => code === "SPEECH_UNCLEAR")) {
    yield* Console.error("A larger recogniser hears more: npm run models -- fetch standard")
  }
  const { columns = 120, isTTY } = process.stdout
  yield* Console.log(renderEvidence(evidence, columns, isTTY ? addressOf(source) : undefined))
  yield* Console.error(
    `\n${evidence.counts.filled} values, each with its moment, from ${
      job.source?.duration_seconds.toFixed(1)
    } s of footage in ${seconds.toFixed(1)} s.`
  )
  const more = Option.getOrElse(precision, () => "strict") === "strict" ? howToGetMore(evidence) : undefined
  if (more !== undefined) yield* Console.error(more)
  const models = (job.provenance?.models ?? []).map(({ execution_provider, name, role }) =>
    `${role} ${name} on ${execution_provider}`
  )
  if (models.length > 0) yield* Console.error(`Models: ${models.join(", ")}.`)
})

interface Request {
  readonly source: string
  readonly template: Option.Option<string>
  readonly schema: Option.Option<unknown>
  readonly stack: Option.Option<string>
  readonly precision: Option.Option<string>
  readonly instructions: Option.Option<string>
  readonly json: boolean
  readonly out: Option.Option<string>
}

/** What a job's error does not say, because whoever asks a service by its API cannot do it. */
const cure = "\nHere: npm run models -- list tells what is missing, and npm run models -- fetch STACK brings it."

/** Submits the source through the public API, follows the job and shows what came of it. */
const extract = Effect.fn("extract")(function*(request: Request) {
  const client = yield* ServiceClient
  const started = performance.now()
  const source_uri = isAddress(request.source)
    ? request.source
    : yield* client.upload(request.source)
  const schema_id = Option.isSome(request.template) ? yield* client.templateId(request.template.value) : undefined
  const created = yield* client.createJob({
    source_uri,
    ...(schema_id === undefined ? {} : { schema_id }),
    ...(Option.isSome(request.schema) ? { schema_inline: request.schema.value } : {}),
    ...(Option.isSome(request.stack) ? { model_stack: request.stack.value } : {}),
    ...(Option.isSome(request.precision) ? { precision: request.precision.value } : {}),
    ...(Option.isSome(request.instructions) ? { instructions: request.instructions.value } : {})
  })
  const job = yield* followJob(created).pipe(Effect.onInterrupt(() => Effect.ignore(client.cancel(created.id))))
  if (job.status !== "succeeded") {
    return yield* new ExtractFailed({
      message: job.error === null
        ? `The job was ${job.status}.`
        : `${job.error.code}${job.error.stage === null ? "" : ` in ${job.error.stage}`}: ${job.error.message}${
          job.error.code === "MODEL_UNAVAILABLE" ? cure : ""
        }`
    })
  }
  const evidence = yield* client.json(`/v1/jobs/${job.id}/evidence`).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Evidence)),
    Effect.catchTag("SchemaError", (error) => new ExtractFailed({ message: error.message }))
  )
  // Before anything is written: what the job found is not lost where the folder cannot take it.
  yield* print(job, evidence, request, (performance.now() - started) / 1000)
  if (Option.isSome(request.out)) {
    const { result, ...record } = job.record as { readonly result: Schema.Json } & Record<string, Schema.Json>
    const json_schema = Option.isSome(request.schema)
      ? request.schema.value as Schema.Json
      : ((yield* client.json(`/v1/schemas/${schema_id ?? "sch_template_default"}`)) as { json_schema: Schema.Json })
        .json_schema
    const folder = request.out.value
    yield* writeArtifactFolder({ folder, job_id: job.id, job: record, result, json_schema })
    const { media, report } = yield* writeReport({ folder, job_id: job.id, footage: request.source })
    yield* Console.error(
      `\nOpen ${report} in a browser: every value beside its moment, from disk, without a service.\n`
        + `Beside it are ${
          media === null ? "" : `the footage as ${media}, `
        }result.json, evidence.json, the other artifacts, the transcript as text and subtitles, and frames/*.jpg.\n`
        + `Check them with: npm run footnote -- verify ${folder}`
    )
  }
})

const onOwnService = Effect.fn("onOwnService")(function*(request: Request) {
  const fs = yield* FileSystem.FileSystem
  if (!isAddress(request.source) && !(yield* Effect.orDie(fs.exists(request.source)))) {
    return yield* new ExtractFailed({ message: `There is no file ${request.source}` })
  }
  if (Option.isSome(request.out)) yield* prepareArtifactFolder(request.out.value)
  yield* withOwnService(extract(request))
})

const command = Command.make(
  "extract",
  {
    source: Argument.String("source").pipe(Argument.withDescription("A local file or an http(s) URL")),
    template: Flag.String("template").pipe(Flag.withDescription("Name of a shipped schema"), Flag.optional),
    schema: Flag.FileParse("schema", { format: "json" }).pipe(
      Flag.withDescription("File with a JSON Schema"),
      Flag.optional
    ),
    stack: Flag.String("stack").pipe(
      Flag.withDescription("Models to run on: builtin, standard, accurate, or auto (see npm run models -- list)"),
      Flag.optional
    ),
    precision: Flag.String("precision").pipe(
      Flag.withDescription("strict leaves out what is not sure, balanced gives more of which more is wrong"),
      Flag.optional
    ),
    instructions: Flag.String("instructions").pipe(
      Flag.withDescription("How to read this footage, for a language model where one is configured"),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false)),
    out: Flag.Directory("out", { mustExist: false }).pipe(
      Flag.withDescription("Folder for the result and all artifacts"),
      Flag.optional
    )
  },
  (request) =>
    Effect.scoped(onOwnService(request)).pipe(
      Effect.catchTags({
        ExtractFailed: failed,
        ChildFailed: failed,
        EmbeddedPostgresError: failed
      })
    )
).pipe(Command.withDescription("Turn a video into typed JSON whose every value cites its moment"))

function failed(error: { readonly message: string }) {
  return Console.error(error.message).pipe(Effect.andThen(Effect.sync(() => void (process.exitCode = 1))))
}

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici)),
  NodeRuntime.runMain
)
