import { PgClient } from "@effect/sql-pg"
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import type { Readiness } from "../../api/HealthApi.ts"
import { migrationCount } from "../../database/Migrations.ts"
import { problemCodes, publicSentences } from "../../deployment/Problem.ts"
import { flag, setting } from "../../observability/Setting.ts"
import { Draining } from "../../web/server/Draining.ts"
import { RequestInfo } from "../../web/server/RequestInfo.ts"

interface Seen {
  readonly migrations: number
  readonly workers: number
  readonly problems: ReadonlyArray<string>
}

/** `READY_WITHOUT_WORKERS`: where workers are scaled to zero, whoever takes jobs must be reached all the same. */
export const readyWithoutWorkers = setting("READY_WITHOUT_WORKERS", flag, {
  otherwise: false,
  meaning:
    "`/readyz` of an API process is 200 also while no worker is there: for deployments that scale workers to zero, where a job "
    + "that comes in brings them back"
})

const isAlive = HttpServerResponse.jsonUnsafe({ status: "alive" })

/**
 * Answers `GET /healthz` before everything that it has no need of: balancers and kubelets ask it of every process every second or so,
 * and it asks nobody. Anything else, and the same path asked in another way, goes on to its route.
 */
export const alive = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>(({ context }) => {
    const { headers, method, url } = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    if (url !== "/healthz" || method !== "GET" || headers["host"] === undefined) return app
    const info = Context.getOrUndefined(context, RequestInfo)
    if (info !== undefined) info.route = url
    return Effect.succeed(isAlive)
  })

const verdict = (good: boolean) => good ? "ok" as const : "failing" as const

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fn(function*(handlers) {
    const sql = yield* PgClient.PgClient
    const { isDraining } = yield* Draining
    const without_workers = yield* readyWithoutWorkers

    /** Null where the database does not answer within 2 s. */
    const look = sql<Seen>`
      SELECT (SELECT count(*) FROM footnote_migrations)::int AS migrations,
        count(*) FILTER (WHERE pools <> '[]')::int AS workers,
        coalesce((SELECT jsonb_agg(DISTINCT code) FROM footnote.workers w, jsonb_array_elements_text(w.problems) code
          WHERE w.seen_at > now() - interval '30 seconds'), '[]') AS problems
      FROM footnote.workers WHERE seen_at > now() - interval '30 seconds'`.pipe(
      Effect.map((rows) => rows[0] ?? null),
      Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed(null) }),
      Effect.orElseSucceed(() => null)
    )

    return handlers.handleAll({
      healthz: () => Effect.succeed({ status: "alive" as const }),
      readyz: Effect.fnUntraced(function*() {
        const seen = yield* look
        const checks = {
          database: verdict(seen !== null),
          migrations: verdict(seen !== null && seen.migrations >= migrationCount),
          workers: verdict(seen !== null && seen.workers > 0),
          deployment: verdict(seen !== null && seen.problems.length === 0)
        }
        const draining = isDraining()
        // Workers that see what the API sees go on working beside one that does not.
        const { database, migrations, workers } = checks
        const needed = without_workers ? [database, migrations] : [database, migrations, workers]
        const ready = !draining && needed.every((check) => check === "ok")
        const status = ready ? "ready" : "not_ready"
        // Whoever asks has shown no key: no machine, place or key is named, and what a machine lacks is in its log alone.
        const warnings = problemCodes.filter((code) => seen?.problems.includes(code)).map((code) =>
          publicSentences[code]
        )
        const body: Readiness = { status, checks, draining, warnings }
        return HttpServerResponse.jsonUnsafe(body, { status: ready ? 200 : 503 })
      })
    })
  })
)
