import { Effect } from "effect"

/**
 * Tells of refusals of tenants over a limit (429) once per minute and tenant, however many there are: the first has its line in the
 * access log as any request, the others are one line with their count at the minute's end and at the process's.
 */
export const makeRefusalLog = Effect.gen(function*() {
  const more = new Map<string, number>()
  const tell = Effect.suspend(() => {
    const minute = Array.from(more).filter(([, count]) => count > 0)
    more.clear()
    return Effect.forEach(minute, ([tenant_id, count]) =>
      Effect.logInfo("requests refused").pipe(
        Effect.annotateLogs({ tenant_id, status: "429", count })
      ), { discard: true })
  })
  yield* Effect.addFinalizer(() => tell)
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("1 minute"), tell)))

  return {
    /** Counts a refusal; whether it is the tenant's first of this minute, which gets a line of its own. */
    isFirst: (tenant_id: string): boolean => {
      const count = more.get(tenant_id)
      more.set(tenant_id, count === undefined ? 0 : count + 1)
      return count === undefined
    }
  }
})
