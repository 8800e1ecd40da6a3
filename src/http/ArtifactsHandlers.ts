import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "../api/Api.ts"
import { type Artifact, Artifacts } from "../artifacts/Artifacts.ts"
import { Evidence } from "../artifacts/Evidence.ts"
import { Frames } from "../artifacts/Frames.ts"
import { Graph } from "../artifacts/Graph.ts"
import { Transcript } from "../artifacts/Transcript.ts"
import { type TranscriptFormat, transcriptFormats } from "../artifacts/TranscriptFormat.ts"
import { Vision } from "../artifacts/Vision.ts"
import { Manifests } from "../manifests/Manifests.ts"

/** Media types by which a format can be asked for. */
const mediaTypes = new Map<string, "json" | TranscriptFormat>([
  ["application/json", "json"],
  ["*/*", "json"],
  ["application/x-subrip", "srt"],
  ["text/vtt", "vtt"],
  ["text/plain", "txt"]
])

/** What `Accept` likes best of what there is (RFC 9110, 12.5.1), the first of equals; JSON where it likes none of it. */
const acceptedFormat = (accept: string | undefined): "json" | TranscriptFormat => {
  let best: { readonly format: "json" | TranscriptFormat; readonly quality: number } = { format: "json", quality: 0 }
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim())
    const format = mediaTypes.get(type!)
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
    if (format !== undefined && quality > best.quality) best = { format, quality }
  }
  return best.format
}

/**
 * An artifact never changes, so its hash and the view of it make a strong entity tag (RFC 9110, 8.8.3): whoever has it
 * already gets 304 and no body.
 */
const tagged = Effect.fnUntraced(function*<A>(
  artifact: Artifact<A>,
  view: string,
  respond: (value: A) => HttpServerResponse.HttpServerResponse
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const etag = `"${artifact.sha256.slice(0, 32)}-${view}"`
  const known = new Set(
    (request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//u, ""))
  )
  const response = known.has(etag) || known.has("*")
    ? HttpServerResponse.empty({ status: 304 })
    : respond(artifact.value)
  return HttpServerResponse.setHeaders(response, { etag, "cache-control": "private, no-cache", vary: "accept" })
})

export const ArtifactsHandlers = HttpApiBuilder.group(
  Api,
  "artifacts",
  Effect.fn(function*(handlers) {
    const artifacts = yield* Artifacts
    const manifests = yield* Manifests

    return handlers.handleAll({
      transcript: Effect.fnUntraced(function*({ params: { id }, query, request }) {
        const format = query.format ?? acceptedFormat(request.headers["accept"])
        const artifact = yield* artifacts.read(id, "transcript", Transcript)
        if (format === "json") {
          return yield* tagged(
            artifact,
            "json",
            (transcript) => HttpServerResponse.jsonUnsafe({ job_id: id, ...transcript })
          )
        }
        const { contentType, render } = transcriptFormats[format]
        const value = render(artifact.value, id)
        // The tag is that of the bytes: how a transcript is written may change with the service, the artifact does not.
        const sha256 = createHash("sha256").update(value).digest("hex")
        return yield* tagged({ value, sha256 }, format, (text) =>
          HttpServerResponse.text(text, {
            contentType,
            headers: { "content-disposition": `attachment; filename="${id}.${format}"` }
          }))
      }),
      frames: Effect.fnUntraced(function*({ params: { id }, query: { include_raw } }) {
        const view = include_raw ? "raw" : "kept"
        return yield* tagged(
          yield* artifacts.read(id, "frames", Frames),
          view,
          (inventory) =>
            HttpServerResponse.jsonUnsafe({
              job_id: id,
              ...inventory,
              frames: include_raw ? inventory.frames : inventory.frames.filter(({ kept }) => kept)
            })
        )
      }),
      image: Effect.fnUntraced(function*({ params }) {
        return yield* tagged(
          yield* artifacts.image(params.id, params.frame_id),
          "jpeg",
          (bytes) =>
            HttpServerResponse.uint8Array(bytes, {
              contentType: "image/jpeg",
              headers: { "content-disposition": `inline; filename="${params.frame_id}.jpg"` }
            })
        )
      }),
      vision: Effect.fnUntraced(function*({ params: { id } }) {
        return yield* tagged(
          yield* artifacts.read(id, "vision", Vision),
          "json",
          (vision) => HttpServerResponse.jsonUnsafe({ job_id: id, ...vision })
        )
      }),
      graph: Effect.fnUntraced(function*({ params: { id }, query: { view } }) {
        const kind = view === "compact" ? "graph_compact" : "graph"
        return yield* tagged(
          yield* artifacts.read(id, kind, Graph),
          view,
          (graph) => HttpServerResponse.jsonUnsafe({ job_id: id, ...graph })
        )
      }),
      evidence: Effect.fnUntraced(function*({ params: { id } }) {
        return yield* tagged(
          yield* artifacts.read(id, "evidence", Evidence),
          "json",
          (evidence) => HttpServerResponse.jsonUnsafe({ job_id: id, ...evidence })
        )
      }),
      manifest: Effect.fnUntraced(function*({ params: { id } }) {
        return yield* tagged(yield* manifests.read(id), "json", (manifest) => HttpServerResponse.jsonUnsafe(manifest))
      })
    })
  })
)
