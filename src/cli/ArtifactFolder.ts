import { Effect, FileSystem, Path, type PlatformError, Schema } from "effect"
import { Frames } from "../artifacts/Frames.ts"
import { TranscriptFormat } from "../artifacts/TranscriptFormat.ts"
import { ExtractFailed, ServiceClient } from "./ServiceClient.ts"

const jsonFiles = {
  transcript: "transcript",
  // All samples: how long a kept frame stood on screen is read from its neighbours.
  frames: "frames?include_raw=true",
  vision: "vision",
  graph: "graph?view=canonical",
  graph_compact: "graph?view=compact",
  evidence: "evidence",
  manifest: "manifest"
} as const

/** The system's own words say why, such as that a disk is full. */
const cannotWrite = (folder: string) => ({ message, reason: { cause } }: PlatformError.PlatformError) =>
  new ExtractFailed({ message: `Cannot write into ${folder}: ${cause instanceof Error ? cause.message : message}` })

/**
 * Makes the folder where there is none, and writes a file there that is gone again: what cannot take the artifacts is told before a
 * job has run for them, which takes as long as the footage and longer.
 */
export const prepareArtifactFolder = Effect.fn("prepareArtifactFolder")(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* Effect.gen(function*() {
    const frames = path.join(folder, "frames")
    yield* fs.makeDirectory(frames, { recursive: true })
    for (const directory of [folder, frames]) yield* fs.makeTempFileScoped({ directory, prefix: ".footnote-" })
  }).pipe(Effect.scoped, Effect.mapError(cannotWrite(folder)))
})

/**
 * Writes everything that a succeeded job left into `folder`: `job.json`, `result.json`, `schema.json`, one JSON file per
 * artifact, `manifest.json` with `signing-keys.json`, the transcript in every other format (`transcript.srt` and so on), and every kept frame as
 * `frames/<frame_id>.jpg`. A folder that is already there is added to; files of the same name are replaced.
 */
export const writeArtifactFolder = Effect.fn("writeArtifactFolder")(function*(options: {
  readonly folder: string
  readonly job_id: string
  readonly job: Schema.Json
  readonly result: Schema.Json
  readonly json_schema: Schema.Json
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const client = yield* ServiceClient
  const writeFailed = cannotWrite(options.folder)
  const writeJson = (name: string, value: Schema.Json) =>
    Effect.mapError(
      fs.writeFileString(path.join(options.folder, name), `${JSON.stringify(value, null, 2)}\n`),
      writeFailed
    )

  yield* Effect.mapError(fs.makeDirectory(path.join(options.folder, "frames"), { recursive: true }), writeFailed)
  yield* writeJson("job.json", options.job)
  yield* writeJson("result.json", options.result)
  yield* writeJson("schema.json", options.json_schema)
  for (const [name, route] of Object.entries(jsonFiles)) {
    yield* writeJson(`${name}.json`, yield* client.json(`/v1/jobs/${options.job_id}/${route}`))
  }
  // Beside what they sign they prove that nothing was changed by chance; by whom it was signed, the service's own list says.
  yield* writeJson("signing-keys.json", yield* client.json("/.well-known/footnote-signing-keys"))
  for (const format of TranscriptFormat.literals) {
    const text = yield* client.bytes(`/v1/jobs/${options.job_id}/transcript?format=${format}`)
    yield* Effect.mapError(fs.writeFile(path.join(options.folder, `transcript.${format}`), text), writeFailed)
  }
  const frames = yield* client.json(`/v1/jobs/${options.job_id}/${jsonFiles.frames}`).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Schema.Struct({ frames: Frames.fields.frames }))),
    Effect.catchTag("SchemaError", (error) => Effect.fail(new ExtractFailed({ message: error.message })))
  )
  yield* Effect.forEach(
    frames.frames.filter((frame) => frame.kept),
    (frame) =>
      client.bytes(`/v1/jobs/${options.job_id}/frames/${frame.id}/image`).pipe(
        Effect.flatMap((image) =>
          Effect.mapError(fs.writeFile(path.join(options.folder, "frames", `${frame.id}.jpg`), image), writeFailed)
        )
      ),
    { concurrency: 4, discard: true }
  )
})
