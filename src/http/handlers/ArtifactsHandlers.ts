import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "../../api/Api.ts"
import { graphFormats } from "../../artifacts/GraphFormat.ts"
import { type TranscriptFormat, transcriptFormats } from "../../artifacts/TranscriptFormat.ts"
import { JobArchive } from "../../exports/JobArchive.ts"
import { type Artifact, Artifacts } from "../../results/Artifacts.ts"
import { Manifests } from "../../results/Manifests.ts"
import { reportPolicy } from "../../results/report/ReportHtml.ts"
import { Reports } from "../../results/report/Reports.ts"
import { Reviews } from "../../reviews/Reviews.ts"
import { tagged, taggedJson } from "../middleware/EntityTag.ts"
import { makeHeldOpen } from "../middleware/HeldOpen.ts"

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

/** An artifact by its hash and the view of it; what is answered depends on `Accept` where no format is named. */
const answered = <A>(
  { sha256, value }: Artifact<A>,
  view: string,
  respond: (value: A) => HttpServerResponse.HttpServerResponse
) => Effect.map(tagged(sha256, view, () => respond(value)), HttpServerResponse.setHeader("vary", "accept"))

const json = (value: unknown) => HttpServerResponse.jsonUnsafe(value)

export const ArtifactsHandlers = HttpApiBuilder.group(
  Api,
  "artifacts",
  Effect.fn(function*(handlers) {
    const artifacts = yield* Artifacts
    const manifests = yield* Manifests
    const reviews = yield* Reviews
    const archive = yield* JobArchive
    const reports = yield* Reports
    const { heldOpen } = yield* makeHeldOpen

    return handlers.handleAll({
      transcript: Effect.fnUntraced(function*({ params: { id }, query, request }) {
        const format = query.format ?? acceptedFormat(request.headers["accept"])
        const artifact = yield* artifacts.transcript(id, query.speakers)
        if (format === "json") return yield* answered(artifact, "json", json)
        const { contentType, render } = transcriptFormats[format]
        const value = render(artifact.value, id)
        // The tag is that of the bytes: how a transcript is written may change with the service, the artifact does not.
        const sha256 = createHash("sha256").update(value).digest("hex")
        return yield* answered({ value, sha256 }, format, (text) =>
          HttpServerResponse.text(text, {
            contentType,
            headers: { "content-disposition": `attachment; filename="${id}.${format}"` }
          }))
      }),
      frames: Effect.fnUntraced(function*({ params: { id }, query: { include_raw } }) {
        return yield* answered(yield* artifacts.frames(id, include_raw), include_raw ? "raw" : "kept", json)
      }),
      image: Effect.fnUntraced(function*({ params }) {
        return yield* answered(
          yield* artifacts.image(params.id, params.frame_id),
          "jpeg",
          (bytes) =>
            HttpServerResponse.uint8Array(bytes, {
              contentType: "image/jpeg",
              headers: { "content-disposition": `inline; filename="${params.frame_id.replace("frame#", "frm_")}.jpg"` }
            })
        )
      }),
      vision: Effect.fnUntraced(function*({ params: { id } }) {
        return yield* answered(yield* artifacts.vision(id), "json", json)
      }),
      graph: Effect.fnUntraced(function*({ params: { id }, query: { format = "json", speakers, view } }) {
        const artifact = yield* artifacts.graph(id, view, speakers)
        if (format === "json") return yield* answered(artifact, view, json)
        const { contentType, file, render } = graphFormats[format]
        const value = render(artifact.value, id)
        const sha256 = createHash("sha256").update(value).digest("hex")
        return yield* answered({ value, sha256 }, `${view}.${format}`, (text) =>
          HttpServerResponse.text(text, {
            contentType,
            headers: { "content-disposition": `attachment; filename="${id}.${file}"` }
          }))
      }),
      result: Effect.fnUntraced(function*({ params: { id }, query: { reviewed, speakers } }) {
        const { result, revision } = reviewed
          ? yield* reviews.reviewed(id, speakers)
          : { result: (yield* artifacts.result(id, speakers)).value, revision: 0 }
        return yield* taggedJson(JSON.stringify({ job_id: id, revision, result }))
      }),
      evidence: Effect.fnUntraced(function*({ params: { id }, query: { reviewed, speakers } }) {
        if (!reviewed) return yield* answered(yield* artifacts.evidence(id, speakers), "json", json)
        const { evidence, revision } = yield* reviews.reviewed(id, speakers)
        return yield* taggedJson(JSON.stringify({ job_id: id, revision, ...evidence }))
      }),
      manifest: Effect.fnUntraced(function*({ params: { id } }) {
        return yield* answered(yield* manifests.read(id), "json", json)
      }),
      report: Effect.fnUntraced(function*({ params: { id }, query: { media, reviewed } }) {
        const { sha256, value } = yield* reports.read(id, media, reviewed ? yield* reviews.reviewed(id) : undefined)
        const page = yield* tagged(
          sha256,
          "html",
          () => HttpServerResponse.text(value, { contentType: "text/html; charset=utf-8" })
        )
        // On 304 too: what it says of a policy replaces what the browser kept.
        return HttpServerResponse.setHeader(
          page,
          "content-security-policy",
          `${reportPolicy()}; frame-ancestors 'none'`
        )
      }),
      export: Effect.fnUntraced(function*({ params: { id } }) {
        const { bytes, sha256 } = yield* archive.read(id)
        const revoked = yield* heldOpen
        return yield* tagged(
          sha256,
          "zip",
          () =>
            HttpServerResponse.stream(Stream.interruptWhen(bytes, Effect.andThen(revoked, Effect.die("revoked"))), {
              contentType: "application/zip",
              headers: { "content-disposition": `attachment; filename="${id}.zip"` }
            })
        )
      })
    })
  })
)
