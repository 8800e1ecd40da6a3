import { Effect, type Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Exports } from "../../exports/Exports.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { Draining } from "../../web/server/Draining.ts"
import { makeHeldOpen } from "../middleware/HeldOpen.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const ExportsHandlers = HttpApiBuilder.group(
  Api,
  "exports",
  Effect.fn(function*(handlers) {
    const exports = yield* Exports
    const { once } = yield* KeyedRequests
    const draining = yield* Draining
    const { heldOpen } = yield* makeHeldOpen
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, payload, request }) {
        const made = yield* once({
          operation: "createExport",
          key: headers["idempotency-key"],
          asked: Effect.succeed((yield* Effect.orDie(request.json)) as Schema.Json),
          idOf: ({ id }) => id,
          alive: (id) => Effect.isSuccess(exports.get(id))
        }, exports.create(payload))
        return keyedAnswer(made, { location: `/v1/exports/${made.answer.id}` })
      }),
      list: ({ query }) => exports.list(query),
      get: ({ params }) => exports.get(params.id),
      remove: ({ params }) => exports.remove(params.id),
      content: Effect.fnUntraced(function*({ params, query }) {
        const lines = yield* exports.content(params.id, query.cursor)
        // Cut off, not ended: an answer that ends by itself is whole.
        const stop = Effect.andThen(
          Effect.raceFirst(draining.begun, yield* heldOpen),
          Effect.die(new Error("The content of an export is cut off"))
        )
        return HttpServerResponse.stream(
          lines.pipe(
            Stream.map((line) => `${JSON.stringify(line)}\n`),
            Stream.interruptWhen(stop),
            Stream.encodeText
          ),
          { contentType: "application/x-ndjson", headers: { "cache-control": "private, no-store" } }
        )
      })
    })
  })
)
