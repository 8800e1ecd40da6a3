import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"

// The least that Effect's router can do: what everything else is measured against.
const Routes = HttpRouter.add("GET", "/bare", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "alive" })))

const Listening = Layer.effectDiscard(Effect.gen(function*() {
  const { address } = yield* HttpServer.HttpServer
  process.send?.({ ready: true, address: HttpServer.formatAddress(address) })
}))

HttpRouter.serve(Routes, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.merge(Listening),
  Layer.provide(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
  Layer.launch,
  NodeRuntime.runMain
)
