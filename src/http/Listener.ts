import { NodeHttpServer } from "@effect/platform-node"
import { Clock, Config, Context, Effect, Layer, Option } from "effect"
import type { Server } from "node:http"
import { makeNodeServer, type NodeServerOptions } from "./NodeServer.ts"
import { publicUrl } from "./PublicUrl.ts"
import { reportRefusal } from "./RequestLog.ts"

/** `DRAIN_NOTICE_SECONDS`: how long a process that is told to stop still listens, so that balancers and clients can move. */
export const drainNoticeSeconds = Config.Int("DRAIN_NOTICE_SECONDS").pipe(Config.withDefault(1))

/** What machines ask all the time, also of a process that stops. */
const probes = /^\/(healthz|readyz|metrics)$/u

/** Node's server of this process, not listening yet. */
export class Listener extends Context.Service<Listener, {
  readonly server: Server
  /** Open connections, busy or idle. */
  readonly connections: Effect.Effect<number>
  /** When the last request began that was none of a probe's. */
  readonly lastAskedMillis: () => number
}>()("footnote/http/Listener") {
  static readonly layer = (options: Omit<NodeServerOptions, "https" | "onRefusal" | "onRequest"> = {}) =>
    Layer.effect(
      Listener,
      Effect.gen(function*() {
        const clock = yield* Clock.Clock
        const fork = Effect.runForkWith(yield* Effect.context<never>())
        const https = Option.exists(yield* publicUrl, (url) => url.protocol === "https:")
        let lastAsked = 0
        const server = makeNodeServer({
          ...options,
          onRequest: (url) => {
            if (!probes.test(url)) lastAsked = clock.currentTimeMillisUnsafe()
          },
          https,
          onRefusal: (answer, reason) => void fork(reportRefusal(answer, reason))
        })
        return Listener.of({
          server,
          lastAskedMillis: () => lastAsked,
          connections: Effect.callback<number>((resume) => {
            server.getConnections((_, count) => resume(Effect.succeed(count)))
          })
        })
      })
    )
}

/** Listens where `where` says; running requests get 10 s at the end. */
export const layerListening = (where: Config.Config<{ readonly host: string; readonly port: number }>) =>
  Layer.unwrap(Effect.gen(function*() {
    const { server } = yield* Listener
    const options = yield* where
    return NodeHttpServer.layer(() => server, { ...options, gracefulShutdownTimeout: "10 seconds" })
  }))
