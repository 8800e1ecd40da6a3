import { NodeHttpServer } from "@effect/platform-node"
import { Clock, type Config, Context, Effect, Layer, Option, Schedule, Schema } from "effect"
import type { Server } from "node:http"
import { createServer } from "node:net"
import { intFrom } from "../../observability/Configuration.ts"
import { publicUrl } from "../../processes/ServiceAddress.ts"
import { makeNodeServer, type NodeServerOptions } from "./NodeServer.ts"
import { reportRefusal } from "./RequestLog.ts"

/** `DRAIN_NOTICE_SECONDS`: how long a process that is told to stop still listens, so that balancers and clients can move. */
export const drainNoticeSeconds = intFrom(
  "DRAIN_NOTICE_SECONDS",
  0,
  1,
  "how long an API process that is told to stop still listens, so that balancers see `/readyz`"
)

/** What machines ask all the time, also of a process that stops. */
const probes = /^\/(healthz|readyz|metrics)$/u

/** Node's server of this process, not listening yet. */
export class Listener extends Context.Service<Listener, {
  readonly server: Server
  /** Open connections, busy or idle. */
  readonly connections: Effect.Effect<number>
  /** When the last request began that was none of a probe's. */
  readonly lastAskedMillis: () => number
}>()("footnote/web/server/Listener") {
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

/** Somebody else listens there, and went on to for longer than a killed process takes to end. */
class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", { message: Schema.String }) {}

/** One that was killed is gone within a second; one that drains has its port for longer, and its successor says so. */
const PORT_PATIENCE = "5 seconds"

interface Place {
  readonly host: string
  readonly port: number
}

const listenOnce = (place: Place) =>
  Effect.callback<void, NodeJS.ErrnoException>((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen(place, () => server.close(() => resume(Effect.void)))
  })

/**
 * Waits a few seconds for a port that a process on its way out may still have; fails with `PortTaken`. To be asked before anything is
 * made that nobody would then use. Whatever else is wrong, listening tells.
 */
export const portFree = (place: Place) =>
  listenOnce(place).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), while: ({ code }) => code === "EADDRINUSE" }),
    Effect.ignore,
    Effect.timeoutOrElse({
      duration: PORT_PATIENCE,
      orElse: () => new PortTaken({ message: `Port ${place.port} is taken; set PORT.` })
    })
  )

/** Listens where `where` says; running requests get 10 s at the end. Fails with `PortTaken`. */
export const layerListening = (where: Config.Config<Place>) =>
  Layer.unwrap(Effect.gen(function*() {
    const { server } = yield* Listener
    const options = yield* where
    yield* portFree(options)
    return NodeHttpServer.layer(() => server, { ...options, gracefulShutdownTimeout: "10 seconds" })
  }))
