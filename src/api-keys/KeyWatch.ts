import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"
import { tolerated } from "../observability/Tolerated.ts"

interface Watched {
  readonly ended: Deferred.Deferred<void>
  watchers: number
}

/**
 * Tells long answers when their key is revoked or their session is over, within a second: one look at all that are watched by
 * this process. While the database is away nothing is told, and nothing could be sent either.
 */
export class KeyWatch extends Context.Service<KeyWatch, {
  /**
   * An effect that ends once the caller's session is over, or its key revoked where it has none. Watched until the scope
   * closes; a caller without a key never ends.
   */
  readonly ended: (caller: CurrentTenant["Service"]) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}>()("footnote/api-keys/KeyWatch") {
  static readonly layer = Layer.effect(
    KeyWatch,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const callers = new Map<string, Watched>()

      const look = Effect.gen(function*() {
        yield* Effect.sleep("1 second")
        if (callers.size === 0) return
        const asked = Array.from(callers.keys())
        const rows = yield* sql<{ readonly id: string }>`
          SELECT id FROM footnote.api_keys WHERE id = ANY(${asked}) AND revoked_at IS NULL
          UNION ALL SELECT s.id FROM footnote.sessions s JOIN footnote.api_keys k ON k.id = s.key_id
          WHERE s.id = ANY(${asked}) AND s.expires_at > now() AND k.revoked_at IS NULL`
        const good = new Set(rows.map(({ id }) => id))
        for (const id of asked) {
          const gone = good.has(id) ? undefined : callers.get(id)
          if (gone !== undefined) Deferred.doneUnsafe(gone.ended, Effect.void)
        }
      })
      yield* Effect.forkScoped(
        Effect.forever(
          look.pipe(tolerated("Looking for open streams whose key or session is over", "tried again in 1 s"))
        )
      )

      const watch = (id: string) =>
        Effect.sync(() => {
          const watched = callers.get(id) ?? { ended: Deferred.makeUnsafe<void>(), watchers: 0 }
          watched.watchers++
          callers.set(id, watched)
          return watched
        })

      return KeyWatch.of({
        ended: ({ key_id, session_id }) => {
          const id = session_id ?? key_id
          return id === null
            ? Effect.succeed(Effect.never)
            : Effect.map(
              Effect.acquireRelease(watch(id), (watched) =>
                Effect.sync(() => {
                  if (--watched.watchers === 0) callers.delete(id)
                })),
              (watched) => Deferred.await(watched.ended)
            )
        }
      })
    })
  )
}
