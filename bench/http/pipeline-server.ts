import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { Api } from "../../src/api/Api.ts"
import { compressed } from "../../src/http/middleware/Compression.ts"
import { crossOrigin } from "../../src/http/middleware/CrossOrigin.ts"
import { layerTelemetry } from "../../src/observability/Telemetry.ts"
import { Draining } from "../../src/web/server/Draining.ts"
import { makeNodeServer } from "../../src/web/server/NodeServer.ts"
import { enveloped } from "../../src/web/server/RequestErrors.ts"
import { makeLogged } from "../../src/web/server/RequestLog.ts"
import { makeRouteTable } from "../../src/web/server/RouteTable.ts"
import { pipelineParts } from "./PipelineParts.ts"

// A bare route behind the first so many parts of what stands around every request of the API.
const parts = new Set(pipelineParts.slice(0, Number(process.argv[2])))
const has = (part: (typeof pipelineParts)[number]) => parts.has(part)

const Routes = HttpRouter.add("GET", "/bare", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "alive" })))

const Pipeline = HttpRouter.middleware(
  Effect.gen(function*() {
    const logged = yield* makeLogged
    const shared = crossOrigin(new Set())
    const inEnvelope = enveloped(makeRouteTable(Api, []))
    return (app) => {
      const judged = has("deadline and error envelope") ? inEnvelope(app) : app
      const named = has("CORS") ? shared(judged) : judged
      const small = has("compression") ? compressed(named) : named
      return has("access log, ids, metrics, headers") ? logged(small) : small
    }
  }),
  { global: true }
)

const Listening = Layer.effectDiscard(Effect.gen(function*() {
  const { address } = yield* HttpServer.HttpServer
  process.send?.({ ready: true, address: HttpServer.formatAddress(address) })
}))

HttpRouter.serve(Layer.merge(Routes, Pipeline), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.merge(Listening),
  Layer.provide(NodeHttpServer.layer(() => makeNodeServer(), { host: "127.0.0.1", port: 0 })),
  Layer.provide(Draining.layer),
  Layer.provide(layerTelemetry("footnote-bench", { gathered: true })),
  Layer.launch,
  NodeRuntime.runMain
)
