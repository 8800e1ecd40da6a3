import { Effect, Result, type Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { fromInstant } from "../../database/Instant.ts"
import { cursorAfter } from "../../database/Page.ts"
import { Deliveries } from "../../deliveries/Deliveries.ts"
import { InvalidRequest } from "../../errors/RequestErrors.ts"
import { ExpandedJobs } from "../../exports/ExpandedJobs.ts"
import { KeyedRequests } from "../../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import type { JobPage } from "../../jobs/JobTexts.ts"
import type { BatchOutcome } from "../../jobs/model/Batch.ts"
import { isTerminal, type JobRecord } from "../../jobs/model/Job.ts"
import { Erasure } from "../../jobs/retention/Erasure.ts"
import { Submissions, type Submitted } from "../../jobs/Submissions.ts"
import { Artifacts } from "../../results/Artifacts.ts"
import { textsOfParts } from "../../schemas/JsonText.ts"
import { rawJson } from "../../web/json/RawJson.ts"
import { Draining } from "../../web/server/Draining.ts"
import { taggedJson } from "../middleware/EntityTag.ts"
import { eventStream } from "../middleware/EventStream.ts"
import { makeHeldOpen } from "../middleware/HeldOpen.ts"
import { keyedAnswer } from "../middleware/KeyedAnswer.ts"
import { metadataFilter } from "../middleware/ListFilter.ts"

const jsonAnswer = (text: string) => HttpServerResponse.text(text, { contentType: "application/json" })

/** The bytes of a page, made once for all who share the statement that read it: of 25 jobs they are 37 kB. */
const makePageAnswer = () => {
  const bodies = new WeakMap<JobPage, Uint8Array>()
  const encoder = new TextEncoder()
  return (page: JobPage) => {
    let body = bodies.get(page)
    if (body === undefined) {
      const { jobs, more } = page
      const next = more ? JSON.stringify(cursorAfter(jobs.at(-1)!.id)) : "null"
      body = encoder.encode(`{"data":[${jobs.map(({ json }) => json).join(",")}],"next_cursor":${next}}`)
      bodies.set(page, body)
    }
    return HttpServerResponse.uint8Array(body, { contentType: "application/json" })
  }
}

const optionalInstant = (text: string | undefined) => text === undefined ? undefined : fromInstant(text)

export const JobsHandlers = HttpApiBuilder.group(
  Api,
  "jobs",
  Effect.fn(function*(handlers) {
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const { withResult } = yield* Artifacts
    const deliveries = yield* Deliveries
    const erasure = yield* Erasure
    const { expandPage } = yield* ExpandedJobs
    const draining = yield* Draining
    const { heldOpen, waited } = yield* makeHeldOpen
    const { told } = yield* KeyedRequests
    const pageAnswer = makePageAnswer()

    /** A creation's answer: the record, its result where there is one, and the webhook's secret where it has one. */
    const shown = ({ job, webhook_signing_secret }: Submitted) =>
      Effect.map(withResult(job), (body) => ({
        ...body,
        ...(webhook_signing_secret === null ? {} : { webhook_signing_secret })
      }))

    const created = (submitted: Submitted) =>
      Effect.map(shown(submitted), (body) =>
        HttpServerResponse.jsonUnsafe(body, {
          status: submitted.replayed ? 200 : 201,
          headers: {
            location: `/v1/jobs/${body.id}`,
            ...(submitted.replayed ? { "idempotent-replayed": "true" } : {})
          }
        }))

    /** A job that is over never changes again, so whoever has it already need not be sent it. */
    const answered = (job: JobRecord) =>
      Effect.flatMap(
        withResult(job),
        (body) =>
          isTerminal(job.status)
            ? taggedJson(JSON.stringify(body))
            : Effect.succeed(HttpServerResponse.jsonUnsafe(body))
      )

    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, payload, request }) {
        const submitted = yield* submissions.submit({
          body: payload,
          raw: (yield* Effect.orDie(request.json)) as Schema.Json,
          schema_text: textsOfParts(yield* Effect.orDie(request.text)).get("schema_inline"),
          model_stack: headers["x-service-model-stack"],
          idempotency_key: headers["idempotency-key"]
        })
        return yield* created(submitted)
      }),
      createBatch: Effect.fnUntraced(function*({ headers, payload, request }) {
        const items = textsOfParts(textsOfParts(yield* Effect.orDie(request.text)).get("jobs") ?? "[]")
        const submitted = payload.jobs.map((item, at) => ({
          item,
          written: items.get(String(at)),
          model_stack: headers["x-service-model-stack"]
        }))
        const { id, outcomes, replayed } = yield* submissions.submitBatch(submitted, headers["idempotency-key"])
        const data: Array<BatchOutcome> = []
        for (const outcome of outcomes) {
          if (Result.isFailure(outcome)) {
            const seconds = Number(outcome.failure.headers?.["retry-after"])
            data.push({
              status: outcome.failure.status,
              ...(yield* outcome.failure.envelope),
              ...(seconds > 0 ? { retry_after_seconds: seconds } : {})
            })
          } else {
            const { replayed } = outcome.success
            data.push(
              yield* shown(outcome.success).pipe(
                Effect.map((job) => ({ status: replayed ? 200 : 201, job })),
                Effect.catch((damaged) => Effect.map(damaged.envelope, (body) => ({ status: damaged.status, ...body })))
              )
            )
          }
        }
        return keyedAnswer({ answer: { id, data }, replayed }, { status: 200, location: `/v1/batches/${id}` })
      }),
      list: Effect.fnUntraced(function*({ query, request }) {
        const { batch_id, cursor, expand = [], limit, schema_id, sort, source_uri, status, ...moments } = query
        const { tenant_id } = yield* CurrentTenant
        const byEnd = sort === "finished_at"
        // A job that has not ended has no place in that order.
        if (byEnd && cursor !== undefined) {
          const at = yield* Effect.option(jobs.get(tenant_id, cursor))
          if (at._tag === "Some" && at.value.finished_at === null) {
            return yield* new InvalidRequest({ details: [{ path: "cursor", message: "Not a cursor of this list" }] })
          }
        }
        const filter = {
          status: typeof status === "string" ? [status] : status,
          batch_id,
          schema_id,
          source_uri,
          created_after: optionalInstant(moments.created_after),
          created_before: optionalInstant(moments.created_before),
          finished_after: optionalInstant(moments.finished_after),
          finished_before: optionalInstant(moments.finished_before),
          metadata: yield* metadataFilter(request.url)
        }
        if (expand.length === 0 && !byEnd) {
          return pageAnswer(yield* jobs.texts(tenant_id, { limit, before: cursor }, filter))
        }
        const { jobs: records, more } = yield* jobs.list(tenant_id, { limit, after: cursor, sort }, filter)
        const data = yield* expandPage(records, expand)
        const last = data.at(-1)
        const ends = !more && data.length === records.length
        return { data, next_cursor: ends || last === undefined ? null : cursorAfter(last.id) }
      }),
      get: Effect.fnUntraced(function*({ params, query }) {
        if (query.wait > 0) return yield* answered(yield* waited(params.id, query.wait))
        const { tenant_id } = yield* CurrentTenant
        const { id, json, status } = yield* jobs.text(tenant_id, params.id)
        const { result } = yield* withResult({ id, status })
        const text = `${json.slice(0, -1)},"result":${JSON.stringify(result)}}`
        return isTerminal(status) ? yield* taggedJson(text) : jsonAnswer(text)
      }),
      schema: Effect.fnUntraced(function*({ params: { id } }) {
        const { tenant_id } = yield* CurrentTenant
        const { normalised, schema_id, written } = yield* jobs.schema(tenant_id, id)
        const members = { job_id: id, schema_id, json_schema: null, normalised: null }
        return yield* taggedJson(rawJson(members, { json_schema: written, normalised }))
      }),
      cancel: Effect.fnUntraced(function*({ headers, params: { id } }) {
        const { tenant_id } = yield* CurrentTenant
        const { replayed } = yield* told({
          operation: "cancelJob",
          key: headers["idempotency-key"],
          asked: Effect.succeed({ id }),
          idOf: () => id,
          alive: () => Effect.isSuccess(jobs.get(tenant_id, id))
        }, Effect.as(jobs.cancel(tenant_id, id), null))
        // A cancelled job never changes, and has no result that could be damaged.
        const answer = yield* Effect.orDie(withResult(yield* jobs.get(tenant_id, id)))
        return keyedAnswer({ answer, replayed }, { status: 200 })
      }),
      retry: Effect.fnUntraced(function*({ headers, params }) {
        return yield* created(yield* submissions.retry(params.id, headers["idempotency-key"]))
      }),
      extract: Effect.fnUntraced(function*({ headers, params, payload, request }) {
        const submitted = yield* submissions.extract(params.id, {
          body: payload,
          raw: (yield* Effect.orDie(request.json)) as Schema.Json,
          schema_text: textsOfParts(yield* Effect.orDie(request.text)).get("schema_inline"),
          idempotency_key: headers["idempotency-key"]
        })
        return yield* created(submitted)
      }),
      remove: ({ params }) => erasure.erase(params.id),
      events: Effect.fnUntraced(function*({ headers, params }) {
        const { tenant_id } = yield* CurrentTenant
        const after = headers["last-event-id"] ?? "0"
        if (!/^\d{1,9}$/u.test(after)) {
          return yield* new InvalidRequest({
            details: [{ path: "last-event-id", message: "Not an event of this API" }]
          })
        }
        // Asked first, because a stream's failure comes after the 200.
        yield* jobs.get(tenant_id, params.id)
        const revoked = yield* heldOpen
        return eventStream(
          Stream.orDie(jobs.events(tenant_id, params.id, Number(after))),
          Effect.raceFirst(draining.begun, revoked)
        )
      }),
      deliveries: Effect.fnUntraced(function*({ params, query }) {
        const { tenant_id } = yield* CurrentTenant
        yield* jobs.get(tenant_id, params.id)
        return yield* deliveries.ofJob(params.id, query)
      })
    })
  })
)
