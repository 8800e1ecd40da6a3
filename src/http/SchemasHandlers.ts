import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { KeyedRequests } from "../idempotency/KeyedRequests.ts"
import { textsOfParts } from "../schemas/JsonText.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { taggedJson } from "./EntityTag.ts"
import { keyedAnswer } from "./KeyedAnswer.ts"
import { writtenJson } from "./WrittenJson.ts"

export const SchemasHandlers = HttpApiBuilder.group(
  Api,
  "schemas",
  Effect.fn(function*(handlers) {
    const schemas = yield* Schemas
    const { once } = yield* KeyedRequests
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, payload, request }) {
        const written = textsOfParts(yield* Effect.orDie(request.text)).get("json_schema")
        const registered = yield* once({
          operation: "createSchema",
          key: headers["idempotency-key"],
          asked: Effect.succeed((yield* Effect.orDie(request.json)) as Schema.Json),
          idOf: ({ id }) => id,
          alive: (id) => Effect.isSuccess(schemas.get(id))
        }, schemas.create(payload, written))
        const { answer, replayed } = registered
        // The same JSON may have been written in another way this time.
        const json_schema = replayed ? (yield* Effect.orDie(schemas.read(answer.id))).written : written
        return keyedAnswer(registered, {
          location: `/v1/schemas/${answer.id}`,
          text: writtenJson(answer, json_schema === undefined ? {} : { json_schema })
        })
      }),
      infer: ({ payload }) => schemas.infer(payload),
      list: ({ query }) => schemas.list(query),
      get: Effect.fnUntraced(function*({ params }) {
        const { schema, written } = yield* schemas.read(params.id)
        return yield* taggedJson(writtenJson(schema, { json_schema: written }))
      }),
      remove: ({ params }) => schemas.remove(params.id)
    })
  })
)
