import { Context, Deferred, Effect, Layer } from "effect"

/**
 * Tells long answers (event streams, `?wait=`) that the process is about to stop, so that they end by themselves instead
 * of using up the time that running requests are given.
 */
export class Draining extends Context.Service<Draining, {
  readonly begin: Effect.Effect<void>
  /** Succeeds once draining begins. */
  readonly begun: Effect.Effect<void>
}>()("footnote/http/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.map(Deferred.make<void>(), (signal) =>
      Draining.of({
        begin: Effect.asVoid(Deferred.succeed(signal, undefined)),
        begun: Deferred.await(signal)
      }))
  )
}

/** Built after the server, so released before it: draining begins when the process is told to stop. */
export const layerBeginDrainingOnRelease = Layer.effectDiscard(
  Effect.flatMap(Draining, ({ begin }) => Effect.addFinalizer(() => begin))
)
