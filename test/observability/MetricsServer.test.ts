import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Metric } from "effect"
import { freePort } from "../../src/cli/LocalService.ts"
import { layerMetricsServer } from "../../src/observability/MetricsServer.ts"
import { captured } from "../support/LogLines.ts"

const environment = (env: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromEnv({ env }))
const get = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, text: await answer.text() }
}

it.live("a worker shows its metrics at METRICS_PORT, and nothing else there", () =>
  Effect.gen(function*() {
    const port = yield* freePort
    yield* Metric.update(Metric.counter("footnote_shown_by_a_test"), 3)
    yield* Layer.build(layerMetricsServer.pipe(Layer.provide(environment({ METRICS_PORT: String(port) }))))
    const metrics = yield* Effect.promise(() => get(`http://127.0.0.1:${port}/metrics`))
    assert.strictEqual(metrics.status, 200)
    assert.match(metrics.text, /^footnote_shown_by_a_test 3$/mu)
    assert.strictEqual((yield* Effect.promise(() => get(`http://127.0.0.1:${port}/`))).status, 404)
  }).pipe(Effect.scoped))

it.live("a worker whose METRICS_PORT is taken says so and goes on", () =>
  Effect.gen(function*() {
    const METRICS_PORT = String(yield* freePort)
    yield* Layer.build(layerMetricsServer.pipe(Layer.provide(environment({ METRICS_PORT }))))
    const { lines, logged } = captured()
    yield* logged(Layer.build(Layer.fresh(layerMetricsServer).pipe(Layer.provide(environment({ METRICS_PORT })))))
    assert.match(
      lines.map(({ text }) => text).join("\n"),
      new RegExp(`127\\.0\\.0\\.1:${METRICS_PORT}; this worker goes on`, "u")
    )
  }).pipe(Effect.scoped))
