import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Metric } from "effect"
import { freePort } from "../../src/cli/LocalService.ts"
import { layerMetricsServer } from "../../src/observability/MetricsServer.ts"

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
