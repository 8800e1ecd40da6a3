import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { isTerminal } from "../../jobs/model/Job.ts"
import { Erasure } from "../../jobs/retention/Erasure.ts"
import { Submissions } from "../../jobs/Submissions.ts"
import { Artifacts } from "../../results/Artifacts.ts"
import { textsOfParts } from "../../schemas/JsonText.ts"
import { Schemas } from "../../schemas/Schemas.ts"
import { rawJson } from "../../web/json/RawJson.ts"
import { taggedJson } from "../middleware/EntityTag.ts"
import { makeHeldOpen } from "../middleware/HeldOpen.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

export const SchemasHandlers = HttpApiBuilder.group(
  Api,
  "schemas",
  Effect.fn(function*(handlers) {
    const schemas = yield* Schemas
    const { once } = yield* KeyedRequests
    const submissions = yield* Submissions
    const jobs = yield* Jobs
    const erasure = yield* Erasure
    const { evidence: evidenceOf, withResult } = yield* Artifacts
    const { waited } = yield* makeHeldOpen
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
          text: rawJson(answer, json_schema === undefined ? {} : { json_schema })
        })
      }),
      infer: ({ payload }) => schemas.infer(payload),
      list: ({ query }) => schemas.list(query),
      addVersion: Effect.fnUntraced(function*({ headers, params, payload, request }) {
        const written = textsOfParts(yield* Effect.orDie(request.text)).get("json_schema")
        const added = yield* once({
          operation: "createSchemaVersion",
          key: headers["idempotency-key"],
          asked: Effect.succeed([params.id, (yield* Effect.orDie(request.json)) as Schema.Json]),
          idOf: ({ id }) => id,
          alive: (id) => Effect.isSuccess(schemas.get(id))
        }, schemas.addVersion(params.id, payload.json_schema, written))
        const { answer, replayed } = added
        const json_schema = replayed
          ? (yield* Effect.orDie(schemas.read(answer.id, answer.version))).written
          : written
        return keyedAnswer(added, {
          location: `/v1/schemas/${answer.id}?version=${answer.version}`,
          text: rawJson(answer, json_schema === undefined ? {} : { json_schema })
        })
      }),
      test: Effect.fnUntraced(function*({ params, payload }) {
        const { tenant_id } = yield* CurrentTenant
        const { id } = yield* submissions.test(params.id, payload)
        // Whoever is not answered is not told its id either.
        const abandon = Effect.andThen(Effect.ignore(jobs.cancel(tenant_id, id)), Effect.ignore(erasure.erase(id)))
        return yield* Effect.gen(function*() {
          const job = yield* withResult(yield* waited(id, payload.wait_seconds))
          const { error, result, result_confidence, status, warnings } = job
          const evidence = status === "succeeded" ? (yield* evidenceOf(id)).value : null
          if (isTerminal(status)) yield* Effect.orDie(erasure.erase(id))
          return { job_id: id, status, result, result_confidence, evidence, warnings, error }
        }).pipe(Effect.onError(() => abandon))
      }),
      versions: ({ params }) => Effect.map(schemas.versions(params.id), (data) => ({ data })),
      get: Effect.fnUntraced(function*({ params, query }) {
        const { schema, written } = yield* schemas.read(params.id, query.version)
        return yield* taggedJson(rawJson(schema, { json_schema: written }))
      }),
      remove: ({ params }) => schemas.remove(params.id)
    })
  })
)
