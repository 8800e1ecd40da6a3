import { Deferred, Effect } from "effect"

/** Nothing was begun: as many as may wait for this tenant wait already. */
export class LineFull {
  readonly _tag = "LineFull"
}

interface Line {
  busy: boolean
  readonly waiting: Array<Deferred.Deferred<void>>
}

/**
 * Runs at most `slots` effects at once and one of each tenant, taking turns by tenant: however long the line of one is, the
 * next of another waits for no more than what runs. A tenant's line holds `waiting`; beyond it `LineFull`. Whoever is
 * interrupted leaves the line.
 */
export const makeFairLine = (options: { readonly slots: number; readonly waiting: number }) => {
  /** Tenants that run or wait; whose turn is next comes first. */
  const lines = new Map<string, Line>()
  let free = options.slots

  const goOn = (): void => {
    for (const line of lines.values()) {
      if (free === 0) return
      const next = line.busy ? undefined : line.waiting.shift()
      if (next === undefined) continue
      begin(line)
      Deferred.doneUnsafe(next, Effect.void)
    }
  }

  const begin = (line: Line): void => {
    free--
    line.busy = true
  }

  const end = (tenant_id: string): void => {
    const line = lines.get(tenant_id)!
    free++
    line.busy = false
    // Put at the end, behind all who have come meanwhile: a map gives its oldest entry first.
    lines.delete(tenant_id)
    if (line.waiting.length > 0) lines.set(tenant_id, line)
    goOn()
  }

  const leave = (tenant_id: string, turn: Deferred.Deferred<void>): void => {
    const line = lines.get(tenant_id)
    const at = line?.waiting.indexOf(turn) ?? -1
    // Its turn came at the same moment: it is given to the next.
    if (line === undefined || at === -1) return end(tenant_id)
    line.waiting.splice(at, 1)
    if (!line.busy && line.waiting.length === 0) lines.delete(tenant_id)
  }

  const turnOf = Effect.fnUntraced(function*(tenant_id: string) {
    const line = lines.get(tenant_id) ?? { busy: false, waiting: [] }
    lines.set(tenant_id, line)
    if (free > 0 && !line.busy) return begin(line)
    if (line.waiting.length >= options.waiting) return yield* Effect.fail(new LineFull())
    const turn = Deferred.makeUnsafe<void>()
    line.waiting.push(turn)
    return yield* Effect.onInterrupt(
      Effect.interruptible(Deferred.await(turn)),
      () => Effect.sync(() => leave(tenant_id, turn))
    )
  })

  return {
    run: <A, E, R>(tenant_id: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | LineFull, R> =>
      Effect.acquireUseRelease(turnOf(tenant_id), () => work, () => Effect.sync(() => end(tenant_id))),
    /** Tenants that run or wait. */
    size: () => lines.size
  }
}
