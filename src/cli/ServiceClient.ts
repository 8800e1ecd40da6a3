import { Context, Effect, FileSystem, Layer, Schema, Stream } from "effect"
import { HttpBody, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { basename } from "node:path"
import { Provenance } from "../jobs/model/Provenance.ts"

/** The service refused a request or a job did not succeed; `message` is fit to be shown to a person. */
export class ExtractFailed extends Schema.TaggedError<ExtractFailed>()("ExtractFailed", { message: Schema.String }) {}

/** The job fields that the command line shows; the whole record passes through untouched. */
const JobView = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  progress: Schema.Struct({
    stage: Schema.NullOr(Schema.String),
    fraction: Schema.Finite
  }),
  source: Schema.NullOr(Schema.Struct({ duration_seconds: Schema.Finite })),
  warnings: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String })),
  error: Schema.NullOr(Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    stage: Schema.NullOr(Schema.String)
  })),
  provenance: Schema.NullOr(Provenance)
})
export type JobView = typeof JobView.Type & { readonly record: Schema.Json }

const SchemaPage = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, is_template: Schema.Boolean })),
  next_cursor: Schema.NullOr(Schema.String)
})

const Failure = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })))
  })
})

/**
 * The public REST API as the command line uses it: the same calls that any caller can make. Every refusal becomes an
 * `ExtractFailed` with the envelope's message and the fields that it names.
 */
export class ServiceClient extends Context.Service<ServiceClient, {
  readonly upload: (file: string) => Effect.Effect<string, ExtractFailed>
  readonly templateId: (name: string) => Effect.Effect<string, ExtractFailed>
  readonly createJob: (body: Record<string, unknown>) => Effect.Effect<JobView, ExtractFailed>
  readonly job: (id: string) => Effect.Effect<JobView, ExtractFailed>
  readonly cancel: (id: string) => Effect.Effect<void, ExtractFailed>
  readonly json: (path: string) => Effect.Effect<Schema.Json, ExtractFailed>
  readonly bytes: (path: string) => Effect.Effect<Uint8Array, ExtractFailed>
  /** Into a file, piece by piece; more than `most` bytes are left out, and no file is there. Answers whether it is. */
  readonly download: (path: string, file: string, most: number) => Effect.Effect<boolean, ExtractFailed>
}>()("footnote/cli/ServiceClient") {
  static readonly layer = (options: { readonly base_url: string; readonly api_key: string }) =>
    Layer.effect(
      ServiceClient,
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const http = (yield* HttpClient.HttpClient).pipe(HttpClient.mapRequest((request) =>
          request.pipe(
            HttpClientRequest.prependUrl(options.base_url),
            HttpClientRequest.bearerToken(options.api_key)
          )
        ))

        const send = (request: HttpClientRequest.HttpClientRequest) =>
          http.execute(request).pipe(
            Effect.mapError((error) => new ExtractFailed({ message: `The service did not answer: ${error.message}` })),
            Effect.flatMap(accepted)
          )
        const json = (path: string) => Effect.flatMap(send(HttpClientRequest.get(path)), body)

        return ServiceClient.of({
          upload: Effect.fn("ServiceClient.upload")(function*(file) {
            const payload = yield* HttpBody.file(file, { contentType: "application/octet-stream" }).pipe(
              Effect.provideService(FileSystem.FileSystem, fs),
              Effect.mapError(() => new ExtractFailed({ message: `Cannot read ${file}` }))
            )
            const response = yield* send(
              HttpClientRequest.post("/v1/uploads").pipe(
                HttpClientRequest.setBody(payload),
                HttpClientRequest.setHeader(
                  "content-disposition",
                  `attachment; filename*=UTF-8''${encodeURIComponent(basename(file)).replaceAll("'", "%27")}`
                )
              )
            )
            const upload = yield* Effect.flatMap(body(response), (answer) =>
              Effect.mapError(Schema.decodeUnknownEffect(Schema.Struct({ uri: Schema.String }))(answer), unreadable))
            return upload.uri
          }),
          templateId: Effect.fn("ServiceClient.templateId")(function*(name) {
            const names: Array<string> = []
            let cursor: string | null = null
            do {
              const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`
              const page: typeof SchemaPage.Type = yield* json(`/v1/schemas?limit=100${query}`).pipe(
                Effect.flatMap((answer) =>
                  Effect.mapError(Schema.decodeUnknownEffect(SchemaPage)(answer), unreadable)
                )
              )
              for (const schema of page.data) {
                if (!schema.is_template) continue
                if (schema.name === name) return schema.id
                names.push(schema.name)
              }
              cursor = page.next_cursor
            } while (cursor !== null)
            return yield* new ExtractFailed({
              message: `No template ${name}. There is: ${names.toSorted().join(", ")}.`
            })
          }),
          createJob: (job) =>
            send(HttpClientRequest.post("/v1/jobs").pipe(HttpClientRequest.bodyJsonUnsafe(job))).pipe(
              Effect.flatMap(body),
              Effect.flatMap(view)
            ),
          job: (id) => Effect.flatMap(json(`/v1/jobs/${id}`), view),
          cancel: (id) => Effect.asVoid(send(HttpClientRequest.post(`/v1/jobs/${id}/cancel`))),
          json,
          bytes: (path) =>
            send(HttpClientRequest.get(path)).pipe(
              Effect.flatMap((response) => Effect.mapError(response.arrayBuffer, unreadable)),
              Effect.map((buffer) => new Uint8Array(buffer))
            ),
          download: Effect.fn("ServiceClient.download")(function*(path, file, most) {
            const response = yield* send(HttpClientRequest.get(path))
            if (Number(response.headers["content-length"] ?? 0) > most) return false
            yield* Stream.run(response.stream, fs.sink(file)).pipe(
              Effect.mapError(() => new ExtractFailed({ message: `Cannot write ${file}` }))
            )
            return true
          })
        })
      })
    )
}

const body = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.mapError(response.json, unreadable) as Effect.Effect<Schema.Json, ExtractFailed>

const view = (record: Schema.Json) =>
  Schema.decodeUnknownEffect(JobView)(record).pipe(
    Effect.mapBoth({ onFailure: unreadable, onSuccess: (job): JobView => ({ ...job, record }) })
  )

const unreadable = (error: { readonly message: string }) =>
  new ExtractFailed({ message: `The service's answer could not be read: ${error.message}` })

const accepted = (response: HttpClientResponse.HttpClientResponse) =>
  response.status < 400 ? Effect.succeed(response) : refusal(response)

const refusal = (response: HttpClientResponse.HttpClientResponse) =>
  response.json.pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Failure)),
    Effect.mapError(() => new ExtractFailed({ message: `The service answered ${response.status}.` })),
    Effect.flatMap(({ error: { code, details, message } }) =>
      Effect.fail(
        new ExtractFailed({
          message: [`${code}: ${message}`, ...(details ?? []).map((detail) => `  ${detail.path}: ${detail.message}`)]
            .join("\n")
        })
      )
    )
  )
