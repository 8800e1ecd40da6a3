import { Clock, DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Sealing } from "../../crypto/Sealing.ts"
import { InvalidRequest } from "../../errors/RequestErrors.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { mediaToken, mostLinkSeconds } from "../../media/MediaLink.ts"
import { mostClipSeconds, type Preview } from "../../media/Rendition.ts"
import { Renditions } from "../../media/Renditions.ts"
import { type KeptSource, SourceMedia, typeOf } from "../../media/SourceMedia.ts"
import { Artifacts } from "../../results/Artifacts.ts"
import { PublicAddress } from "../../web/server/PublicAddress.ts"
import { tagged } from "../middleware/EntityTag.ts"
import { makeHeldOpen } from "../middleware/HeldOpen.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"
import { makeMediaAnswers } from "../middleware/MediaAnswer.ts"

const wrong = (path: string, message: string) => new InvalidRequest({ details: [{ path, message }] })

const rounded = (t: number) => Math.round(t * 1000) / 1000

/** Refuses a moment behind the source's end, by the name of its parameter. */
const checkMoment = ({ facts }: KeptSource, parameter: string, t: number) =>
  facts !== null && t > facts.duration_seconds
    ? Effect.fail(wrong(parameter, `Is behind the end of the source, which has ${facts.duration_seconds} s`))
    : Effect.void

export const MediaHandlers = HttpApiBuilder.group(
  Api,
  "media",
  Effect.fn(function*(handlers) {
    const sources = yield* SourceMedia
    const renditions = yield* Renditions
    const artifacts = yield* Artifacts
    const sealing = yield* Sealing
    const { base_url } = yield* PublicAddress
    const { heldOpen } = yield* makeHeldOpen
    const answers = yield* makeMediaAnswers
    const { told } = yield* KeyedRequests

    const previewOf = Effect.fnUntraced(function*(id: string) {
      const { error, fraction, source, status } = yield* renditions.preview(id)
      return {
        status,
        fraction: rounded(fraction),
        url: status === "ready" ? `/v1/jobs/${id}/preview/media` : null,
        message: error,
        source: { url: `/v1/jobs/${id}/media`, content_type: typeOf(source), kept_until: source.kept_until }
      } satisfies Preview
    })

    /** What is waited for takes one of the tenant's places meanwhile. */
    const waited = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(heldOpen, work))

    /** Made of the source; undefined where that is gone or has no picture there. */
    const shownAt = (id: string, t: number) =>
      Effect.gen(function*() {
        const source = yield* sources.find(id)
        yield* checkMoment(source, "t", t)
        if (source.facts?.video === null) return undefined
        const part = { kind: "frame", format: "jpeg", t_start: t, t_end: null } as const
        return yield* waited(renditions.make(source, part))
      }).pipe(Effect.catchTags({ SOURCE_ERASED: () => Effect.undefined, RENDITION_FAILED: () => Effect.undefined }))

    return handlers.handleAll({
      media: ({ params: { id } }) => answers.source(id, heldOpen),
      preview: ({ params: { id } }) => previewOf(id),
      requestPreview: Effect.fnUntraced(function*({ headers, params: { id } }) {
        const { replayed } = yield* told({
          operation: "createPreview",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id }),
          idOf: () => id,
          alive: () => Effect.isSuccess(sources.find(id))
        }, Effect.as(renditions.requestPreview(id), null))
        const answer = yield* previewOf(id)
        return keyedAnswer({ answer, replayed }, { status: answer.status === "ready" ? 200 : 202 })
      }),
      previewMedia: ({ params: { id } }) => answers.preview(id, heldOpen),
      frameAt: Effect.fnUntraced(function*({ params: { id }, query }) {
        const t = rounded(query.t)
        const made = yield* shownAt(id, t)
        const [answer, timestamp] = made === undefined
          ? yield* Effect.flatMap(artifacts.nearestImage(id, t), ({ sha256, timestamp, value }) =>
            Effect.map(
              tagged(sha256, "jpeg", () => HttpServerResponse.uint8Array(value, { contentType: "image/jpeg" })),
              (answer) => [answer, timestamp] as const
            ))
          : [yield* answers.made(made, `inline; filename="${id}-${t}.jpg"`, heldOpen), t] as const
        return HttpServerResponse.setHeaders(answer, {
          "x-frame-timestamp": String(timestamp),
          "x-frame-origin": made === undefined ? "kept" : "source"
        })
      }),
      clip: Effect.fnUntraced(function*({ params: { id }, query }) {
        const { format } = query
        const [t_start, t_end] = [rounded(query.t_start), rounded(query.t_end)]
        if (t_end <= t_start) return yield* wrong("t_end", "Is not behind t_start")
        if (t_end - t_start > mostClipSeconds) {
          return yield* wrong("t_end", `Is more than ${mostClipSeconds} s behind t_start; play the preview for more`)
        }
        const source = yield* sources.find(id)
        yield* checkMoment(source, "t_start", t_start)
        if (format === "gif" && source.facts?.video === null) {
          return yield* wrong("format", "The source has no moving pictures")
        }
        const made = yield* waited(renditions.make(source, { kind: "clip", format, t_start, t_end }))
        return yield* answers.made(made, `inline; filename="${id}-${t_start}-${t_end}.${format}"`, heldOpen)
      }),
      createLink: Effect.fnUntraced(function*({ headers, params: { id }, payload }) {
        const { tenant_id } = yield* CurrentTenant
        const { expires_in_seconds = mostLinkSeconds, rendition = "source" } = payload
        const opens = rendition === "preview"
          ? Effect.asVoid(renditions.playPreview(id))
          : Effect.asVoid(sources.find(id))
        const link = Effect.gen(function*() {
          yield* opens
          const until = Math.floor((yield* Clock.currentTimeMillis) / 1000 + expires_in_seconds) * 1000
          return {
            url: `${base_url}/m/${mediaToken(sealing, { tenant_id, job_id: id, rendition, until })}`,
            expires_at: DateTime.formatIso(DateTime.makeUnsafe(until))
          }
        })
        const linked = yield* told({
          operation: "createMediaLink",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id, expires_in_seconds, rendition }),
          idOf: ({ expires_at }) => expires_at,
          alive: (expires_at) =>
            Effect.zipWith(
              Clock.currentTimeMillis,
              Effect.isSuccess(opens),
              (now, opens) => opens && now < Date.parse(expires_at)
            )
        }, link)
        return keyedAnswer(linked)
      })
    })
  })
)
