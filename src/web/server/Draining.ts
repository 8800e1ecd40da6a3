import { Clock, Context, Deferred, Duration, Effect, Layer, Schedule } from "effect"

/**
 * Tells that the process is about to stop: long answers (event streams, `?wait=`) end by themselves, every answer closes its
 * connection, and readiness turns to 503, while requests are still taken.
 */
export class Draining extends Context.Service<Draining, {
  readonly begin: Effect.Effect<void>
  /** Succeeds once draining begins. */
  readonly begun: Effect.Effect<void>
  readonly isDraining: () => boolean
}>()("footnote/web/server/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.map(Deferred.make<void>(), (signal) => {
      let draining = false
      return Draining.of({
        begin: Effect.suspend(() => {
          draining = true
          return Effect.asVoid(Deferred.succeed(signal, undefined))
        }),
        begun: Deferred.await(signal),
        isDraining: () => draining
      })
    })
  )
}

/** A client that has not asked for so long has moved, or will find out by a connection that is refused. */
const quietMillis = 500
/** Whoever still asks this long after the notice does not look at readiness at all. */
const patienceMillis = 5000

/**
 * Built after the server, so released before it: when the process is told to stop, draining begins, and the server goes on
 * listening until nobody is connected any more, or `notice` is over and nobody has asked for half a second. Clients with open
 * connections move elsewhere by the answer to their next request, and a balancer has seen the readiness, before a
 * connection is refused or closed. Five seconds after the notice it ends whoever still asks.
 */
export const layerDrainOnRelease = (
  notice: Duration.Input,
  listener: { readonly connections: Effect.Effect<number>; readonly lastAskedMillis: () => number }
) =>
  Layer.effectDiscard(Effect.flatMap(Draining, ({ begin }) =>
    Effect.addFinalizer(Effect.fnUntraced(function*() {
      yield* begin
      const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(notice)
      const over = Effect.zipWith(
        listener.connections,
        Clock.currentTimeMillis,
        (connections, now) =>
          connections === 0 || now >= until + patienceMillis
          || (now >= until && now >= listener.lastAskedMillis() + quietMillis)
      )
      yield* Effect.repeat(over, { schedule: Schedule.spaced("20 millis"), until: (done) => done })
    }))))
