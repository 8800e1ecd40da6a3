import { Effect, Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { Artifacts } from "../artifacts/Artifacts.ts"
import { cursorAfter } from "../database/Page.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { Erasure } from "../jobs/Erasure.ts"
import type { Job, JobRecord } from "../jobs/Job.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { Draining } from "./Draining.ts"
import { eventStream } from "./EventStream.ts"

const metadataParameter = /^metadata\[(.+)\]$/u

/** `metadata[key]=value`, which no schema of ours can name. */
const metadataFilter = (url: string): Readonly<Record<string, string>> | undefined => {
  const pairs = [...new URL(url, "http://localhost").searchParams].flatMap(([name, value]) => {
    const key = metadataParameter.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

export const JobsHandlers = HttpApiBuilder.group(
  Api,
  "jobs",
  Effect.fn(function*(handlers) {
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const artifacts = yield* Artifacts
    const deliveries = yield* Deliveries
    const erasure = yield* Erasure
    const draining = yield* Draining

    /** The record with the typed result, once there is one. */
    const withResult = Effect.fnUntraced(function*(record: JobRecord) {
      const result = record.status === "succeeded"
        ? (yield* artifacts.read(record.id, "result", Schema.Json).pipe(
          // Erased between the two reads: then there is no result to show any more.
          Effect.orElseSucceed(() => ({ value: null }))
        )).value
        : null
      return { ...record, result } satisfies Job
    })

    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ headers, payload, request }) {
        const { job, replayed, webhook_signing_secret } = yield* submissions.submit({
          body: payload,
          raw: (yield* Effect.orDie(request.json)) as Schema.Json,
          model_stack: headers["x-service-model-stack"],
          idempotency_key: headers["idempotency-key"]
        })
        const body = {
          ...(yield* withResult(job)),
          ...(webhook_signing_secret === null ? {} : { webhook_signing_secret })
        }
        return HttpServerResponse.jsonUnsafe(body, {
          status: replayed ? 200 : 201,
          headers: {
            location: `/v1/jobs/${job.id}`,
            ...(replayed ? { "idempotent-replayed": "true" } : {})
          }
        })
      }),
      list: Effect.fnUntraced(function*({ query: { cursor, limit, ...filter }, request }) {
        const { tenant_id } = yield* CurrentTenant
        const { jobs: data, more } = yield* jobs.list(tenant_id, { limit, before: cursor }, {
          ...filter,
          metadata: metadataFilter(request.url)
        })
        const last = data.at(-1)
        return { data, next_cursor: more && last !== undefined ? cursorAfter(last.id) : null }
      }),
      get: Effect.fnUntraced(function*({ params, query }) {
        const { tenant_id } = yield* CurrentTenant
        if (query.wait === 0) return yield* withResult(yield* jobs.get(tenant_id, params.id))
        const stopped = Effect.andThen(draining.begun, jobs.get(tenant_id, params.id))
        return yield* withResult(
          yield* Effect.raceFirst(jobs.waitUntilTerminal(tenant_id, params.id, query.wait), stopped)
        )
      }),
      cancel: Effect.fnUntraced(function*({ params }) {
        const { tenant_id } = yield* CurrentTenant
        return yield* withResult(yield* jobs.cancel(tenant_id, params.id))
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
        return eventStream(
          Stream.orDie(jobs.events(tenant_id, params.id, Number(after))),
          draining.begun
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
