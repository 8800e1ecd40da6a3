import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { type Artifact, Artifacts } from "../artifacts/Artifacts.ts"
import { Evidence } from "../artifacts/Evidence.ts"
import { Frames } from "../artifacts/Frames.ts"
import { Graph } from "../artifacts/Graph.ts"
import { toSrt, toText, toVtt } from "../artifacts/Subtitles.ts"
import { Transcript } from "../artifacts/Transcript.ts"
import { Vision } from "../artifacts/Vision.ts"

type Format = "json" | "srt" | "vtt" | "txt"

const subtitles = {
  srt: { render: toSrt, contentType: "application/x-subrip; charset=utf-8" },
  vtt: { render: toVtt, contentType: "text/vtt; charset=utf-8" },
  txt: { render: toText, contentType: "text/plain; charset=utf-8" }
} as const

/** The first media type of `Accept` that we can give. */
const acceptedFormat = (accept: string | undefined): Format => {
  for (const range of (accept ?? "").split(",")) {
    switch (range.split(";", 1)[0]!.trim().toLowerCase()) {
      case "application/json":
      case "*/*":
        return "json"
      case "application/x-subrip":
        return "srt"
      case "text/vtt":
        return "vtt"
      case "text/plain":
        return "txt"
    }
  }
  return "json"
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

    return handlers.handleAll({
      transcript: Effect.fnUntraced(function*({ params: { id }, query, request }) {
        const format = query.format ?? acceptedFormat(request.headers["accept"])
        return yield* tagged(yield* artifacts.read(id, "transcript", Transcript), format, (transcript) => {
          if (format === "json") return HttpServerResponse.jsonUnsafe({ job_id: id, ...transcript })
          const { contentType, render } = subtitles[format]
          return HttpServerResponse.text(render(transcript), { contentType })
        })
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
          (bytes) => HttpServerResponse.uint8Array(bytes, { contentType: "image/jpeg" })
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
      })
    })
  })
)
