import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import { tolerated } from "../observability/Tolerated.ts"

interface Watched {
  readonly revoked: Deferred.Deferred<void>
  watchers: number
}

/**
 * Tells long answers when their key is revoked, within a second: one look at all keys that are watched by this process. While
 * the database is away nothing is told, and nothing could be sent either.
 */
export class KeyWatch extends Context.Service<KeyWatch, {
  /** An effect that ends once the key is revoked. Watched until the scope closes; null, which is no key, never ends. */
  readonly revoked: (key_id: string | null) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}>()("footnote/api-keys/KeyWatch") {
  static readonly layer = Layer.effect(
    KeyWatch,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const keys = new Map<string, Watched>()

      const look = Effect.gen(function*() {
        yield* Effect.sleep("1 second")
        if (keys.size === 0) return
        const asked = Array.from(keys.keys())
        const rows = yield* sql<{ readonly id: string }>`
          SELECT id FROM footnote.api_keys WHERE id = ANY(${asked}) AND revoked_at IS NULL`
        const good = new Set(rows.map(({ id }) => id))
        for (const id of asked) {
          const gone = good.has(id) ? undefined : keys.get(id)
          if (gone !== undefined) Deferred.doneUnsafe(gone.revoked, Effect.void)
        }
      })
      yield* Effect.forkScoped(
        Effect.forever(look.pipe(tolerated("Looking for revoked keys of open streams", "tried again in 1 s")))
      )

      const watch = (key_id: string) =>
        Effect.sync(() => {
          const watched = keys.get(key_id) ?? { revoked: Deferred.makeUnsafe<void>(), watchers: 0 }
          watched.watchers++
          keys.set(key_id, watched)
          return watched
        })

      return KeyWatch.of({
        revoked: (key_id) =>
          key_id === null
            ? Effect.succeed(Effect.never)
            : Effect.map(
              Effect.acquireRelease(watch(key_id), (watched) =>
                Effect.sync(() => {
                  if (--watched.watchers === 0) keys.delete(key_id)
                })),
              (watched) => Deferred.await(watched.revoked)
            )
      })
    })
  )
}
