import { Clock, Effect, Exit, Pull, type Scope, Stream } from "effect"

export interface SegmentLimits {
  readonly bytes: number
  /** A slow sender's segment is closed after this long, so that little is lost with the process. */
  readonly millis: number
}

/** A body that is read piece by piece, each of them a stream of its own. */
export interface SegmentedBody<E, R> {
  /** Whether a byte is left; waits for it. False from the end of the body on, or when it broke off or was stopped. */
  readonly more: Effect.Effect<boolean, never, R>
  /** The next piece. Whatever ends it early, what has come belongs to it. */
  readonly segment: Stream.Stream<Uint8Array, never, R>
  /** How the body ended, once nothing is left: whole, or by what. Undefined where it was stopped. */
  readonly end: () => Exit.Exit<void, E> | undefined
}

/**
 * Cuts a body into segments of at most `limits`, and stops reading when `stop` succeeds. A body that breaks off ends its
 * last segment instead of failing it, since those bytes are good.
 */
export const segmentedBody = Effect.fnUntraced(function*<E, R>(
  body: Stream.Stream<Uint8Array, E, R>,
  limits: SegmentLimits,
  stop: Effect.Effect<void>
): Effect.fn.Return<SegmentedBody<E, R>, never, R | Scope.Scope> {
  const pull = yield* Stream.toPull(body)
  const waiting: Array<Uint8Array> = []
  let open = true
  let end: Exit.Exit<void, E> | undefined

  const close = (how: Exit.Exit<void, E> | undefined) => {
    open = false
    end = how
  }

  const fill: Effect.Effect<void, never, R> = Pull.matchEffect(pull, {
    onSuccess: (chunks) => Effect.sync(() => void waiting.push(...chunks.filter(({ length }) => length > 0))),
    onDone: () => Effect.sync(() => close(Exit.void)),
    onFailure: (cause) => Effect.sync(() => close(Exit.failCause(cause)))
  }).pipe(Effect.raceFirst(Effect.andThen(stop, Effect.sync(() => close(undefined)))))

  const more: Effect.Effect<boolean, never, R> = Effect.suspend(() => {
    if (waiting.length > 0) return Effect.succeed(true)
    return open ? Effect.andThen(fill, more) : Effect.succeed(false)
  })

  const segment = Stream.unwrap(Effect.map(Clock.currentTimeMillis, (started) => {
    let room = limits.bytes
    return Stream.unfold(undefined, () =>
      Effect.gen(function*() {
        const late = (yield* Clock.currentTimeMillis) - started >= limits.millis
        if (room === 0 || (late && room < limits.bytes) || !(yield* more)) return undefined
        const chunk = waiting.shift()!
        const taken = chunk.subarray(0, room)
        if (taken.length < chunk.length) waiting.unshift(chunk.subarray(taken.length))
        room -= taken.length
        return [taken, undefined] as const
      }))
  }))

  return { more, segment, end: () => end }
})
