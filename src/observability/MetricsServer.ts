import { Cause, Config, Effect, Layer, Option } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { createServer } from "node:http"
import { foreignError } from "./ForeignError.ts"
import { port as portForm, setting, text } from "./Setting.ts"

/** `METRICS_PORT` and `METRICS_HOST`: where a process without an API of its own shows its metrics; nowhere by default. */
export const metricsPort = Config.option(setting("METRICS_PORT", portForm, {
  meaning: "where a worker shows its metrics; the API's are at `/metrics`"
}))
export const metricsHost = setting("METRICS_HOST", text, {
  otherwise: "127.0.0.1",
  meaning: "the address of the machine on which `METRICS_PORT` listens"
})

const unheard = (host: string, port: number) =>
  `METRICS_PORT: nothing can listen at ${host}:${port}; this worker goes on without showing its metrics`

/**
 * `GET /metrics` in Prometheus' text form, for a scraper and nobody else: no authorization, no other path. A worker whose port
 * is taken says so and works.
 */
export const layerMetricsServer = Layer.effectDiscard(Effect.gen(function*() {
  const port = yield* metricsPort
  if (Option.isNone(port)) return
  const host = yield* metricsHost
  const context = yield* Effect.context<never>()
  const server = createServer((request, response) => {
    const good = request.method === "GET" && request.url === "/metrics"
    response.writeHead(good ? 200 : 404, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
    response.end(good ? PrometheusMetrics.formatUnsafe(context) : "")
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.once(
        "error",
        (error) => resume(Effect.logWarning(unheard(host, port.value), Cause.fail(foreignError(error))))
      )
      server.listen(port.value, host, () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
}))
