import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { isTerminal } from "../../jobs/model/Job.ts"
import { Erasure } from "../../jobs/retention/Erasure.ts"
import type { SchemaTest } from "../../jobs/SchemaTest.ts"
import { Submissions } from "../../jobs/Submissions.ts"
import { Artifacts } from "../../results/Artifacts.ts"
import { textsOfParts } from "../../schemas/JsonText.ts"
import { Schemas } from "../../schemas/Schemas.ts"
import { rawJson } from "../../web/json/RawJson.ts"
import { taggedJson } from "../middleware/EntityTag.ts"
import { makeHeldOpen } from "../middleware/HeldOpen.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"

/** Characters of a test's answer that is kept for a key: no tenant's storage quota counts it. */
const mostKept = 1_000_000

export const SchemasHandlers = HttpApiBuilder.group(
  Api,
  "schemas",
  Effect.fn(function*(handlers) {
    const schemas = yield* Schemas
    const { once, told } = yield* KeyedRequests
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
      infer: Effect.fnUntraced(function*({ headers, payload, request }) {
        // The same examples always come to the same schema, so what is remembered of it is that it was asked for.
        const inferred = yield* Effect.cached(schemas.infer(payload))
        const { replayed } = yield* told({
          operation: "inferSchema",
          key: headers["idempotency-key"],
          asked: Effect.succeed((yield* Effect.orDie(request.json)) as Schema.Json),
          idOf: () => "",
          alive: () => Effect.succeed(true)
        }, Effect.as(inferred, null))
        return keyedAnswer({ answer: yield* inferred, replayed }, { status: 200 })
      }),
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
      test: Effect.fnUntraced(function*({ headers, params, payload, request }) {
        const { tenant_id } = yield* CurrentTenant
        const abandon = (id: string) =>
          Effect.andThen(Effect.ignore(jobs.cancel(tenant_id, id)), Effect.ignore(erasure.erase(id)))
        let own: SchemaTest | undefined
        const testing = Effect.gen(function*() {
          const { id } = yield* submissions.test(params.id, payload)
          own = yield* Effect.gen(function*() {
            const job = yield* withResult(yield* waited(id, payload.wait_seconds))
            const { error, result, result_confidence, status, warnings } = job
            const evidence = status === "succeeded" ? (yield* evidenceOf(id)).value : null
            if (isTerminal(status)) yield* Effect.orDie(erasure.erase(id))
            return { job_id: id, status, result, result_confidence, evidence, warnings, error }
          }).pipe(
            // Whoever is not answered is not told its id either.
            Effect.onError(() => abandon(id))
          )
          return JSON.stringify(own).length > mostKept ? null : own
        })
        const { answer, replayed } = yield* told({
          operation: "testSchema",
          key: headers["idempotency-key"],
          asked: Effect.succeed([params.id, (yield* Effect.orDie(request.json)) as Schema.Json]),
          // What is over stands in the answer; what goes on is there for as long as its job is.
          idOf: (answer) => answer === null ? "not kept" : isTerminal(answer.status) ? "" : answer.job_id,
          alive: (id) => id === "" ? Effect.succeed(true) : Effect.isSuccess(jobs.get(tenant_id, id))
        }, testing)
        // Somebody with the same key was first, and that one's is told.
        if (replayed && own !== undefined) yield* abandon(own.job_id)
        return keyedAnswer({ answer: replayed ? answer : own, replayed }, { status: 200 })
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
