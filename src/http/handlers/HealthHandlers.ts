import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import type { Readiness } from "../../api/HealthApi.ts"
import { migrationCount } from "../../database/MigrationCount.ts"
import { Draining } from "../../web/server/Draining.ts"

const verdict = (good: boolean) => good ? "ok" as const : "failing" as const

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fn(function*(handlers) {
    const sql = yield* PgClient.PgClient
    const { isDraining } = yield* Draining

    /** Null where the database does not answer within 2 s. */
    const look = sql<{ migrations: number; workers: number }>`
      SELECT (SELECT count(*) FROM footnote_migrations)::int AS migrations, count(*)::int AS workers
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
          workers: verdict(seen !== null && seen.workers > 0)
        }
        const draining = isDraining()
        const ready = !draining && Object.values(checks).every((check) => check === "ok")
        const status = ready ? "ready" : "not_ready"
        // Whoever asks has shown no key: what a worker's machine lacks is the operator's to know, from its log.
        const body: Readiness = { status, checks, draining, warnings: [] }
        return HttpServerResponse.jsonUnsafe(body, { status: ready ? 200 : 503 })
      })
    })
  })
)
