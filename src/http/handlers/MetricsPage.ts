import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { EngineGauges } from "../../jobs/engine/EngineGauges.ts"
import { withoutParameters } from "../../web/server/QueryParameters.ts"

/** `GET` of this path: the metrics of this process and the state of the engine, in Prometheus' text form. */
export const layerMetricsPage = (path: "/metrics") =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const { refresh } = yield* EngineGauges
    yield* router.add(
      "GET",
      path,
      withoutParameters(
        Effect.map(Effect.andThen(refresh, PrometheusMetrics.format()), (text) =>
          HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }))
      )
    )
  }))
