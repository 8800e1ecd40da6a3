import { Effect, type Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { GoldRecords } from "../../reviews/GoldRecords.ts"
import { Reviews } from "../../reviews/Reviews.ts"
import { Speakers } from "../../reviews/Speakers.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const ReviewsHandlers = HttpApiBuilder.group(
  Api,
  "reviews",
  Effect.fn(function*(handlers) {
    const reviews = yield* Reviews
    const gold = yield* GoldRecords
    const speakers = yield* Speakers
    const { once } = yield* KeyedRequests
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, params: { id }, payload, request }) {
        const body = (yield* Effect.orDie(request.json)) as Schema.Json
        const made = yield* once({
          operation: "createJobReview",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id, body }),
          idOf: (review) => review.id,
          alive: (review_id) => Effect.isSuccess(reviews.get(id, review_id))
        }, reviews.create(id, payload))
        return keyedAnswer(made, { location: `/v1/jobs/${id}/reviews/${made.answer.id}` })
      }),
      list: ({ params, query }) => reviews.list(params.id, query),
      get: ({ params }) => reviews.get(params.id, params.review_id),
      speakers: ({ params }) => speakers.get(params.id),
      nameSpeakers: ({ params, payload }) => speakers.name(params.id, payload),
      // A line of a file, so that one is put behind the other.
      gold: Effect.fnUntraced(function*({ params }) {
        const record = yield* gold.read(params.id)
        return HttpServerResponse.text(`${JSON.stringify(record)}\n`, { contentType: "application/json" })
      })
    })
  })
)
