/** Opened models, kept for the next call. */
export interface ModelShelf<Role, Model> {
  /**
   * Runs `use` on the model of a role, opening it if need be; it stays open while any `use` of it runs. Rejects with the
   * signal's reason when it is aborted before there is a model.
   */
  readonly use: <A>(role: Role, use: (model: Model) => Promise<A>, signal?: AbortSignal) => Promise<A>
}

interface Place<Model> {
  readonly model: Promise<Model>
  users: number
}

/**
 * Keeps at most `most` models open, whatever roles are asked for: the one idle for longest is disposed of before another
 * is opened, and while all are in use the caller waits. Roles are the same when their JSON is. A model that cannot be
 * opened rejects every caller waiting for it and is tried anew by the next one: the files may have come by then.
 */
export const makeModelShelf = <Role, Model extends AsyncDisposable>(
  open: (role: Role) => Promise<Model>,
  most: number
): ModelShelf<Role, Model> => {
  /** In the order of their last use. */
  const places = new Map<string, Place<Model>>()
  /** Settles when the disposals so far are done. */
  let cleared: Promise<void> = Promise.resolve()
  const waiting = new Set<() => void>()

  const put = (key: string, role: Role): Place<Model> => {
    const place: Place<Model> = { model: cleared.then(() => open(role)), users: 1 }
    places.set(key, place)
    place.model.catch(() => {
      if (places.get(key) === place) places.delete(key)
    })
    return place
  }

  const take = async (key: string, role: Role, signal: AbortSignal | undefined): Promise<Place<Model>> => {
    for (;;) {
      signal?.throwIfAborted()
      const kept = places.get(key)
      if (kept !== undefined) {
        kept.users++
        places.delete(key)
        places.set(key, kept)
        return kept
      }
      if (places.size < most) return put(key, role)
      const idle = [...places].find(([, { users }]) => users === 0)
      if (idle === undefined) await untilAborted(new Promise<void>((wake) => waiting.add(wake)), signal)
      else {
        places.delete(idle[0])
        // A model that does not let go of its memory is no reason to refuse the next one.
        cleared = cleared.then(async () => (await idle[1].model)[Symbol.asyncDispose]()).catch(() => {})
      }
    }
  }

  return {
    use: async (role, use, signal) => {
      const place = await take(JSON.stringify(role), role, signal)
      try {
        return await use(await untilAborted(place.model, signal))
      } finally {
        place.users--
        for (const wake of waiting) wake()
        waiting.clear()
      }
    }
  }
}

/** What a promise gives, or the signal's reason if that comes first. */
const untilAborted = async <A>(promise: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
  if (signal === undefined) return promise
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener("abort", abort)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
