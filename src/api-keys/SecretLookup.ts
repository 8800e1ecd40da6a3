import { Effect, Exit, Request, RequestResolver, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"

interface Found {
  readonly sha256: Uint8Array
}

class Lookup<A> extends Request.Class<{ readonly hash: Uint8Array }, A | undefined> {}

const nameOf = (hash: Uint8Array) => Buffer.from(hash).toString("base64")

/** `in turn` is for those who have tried too often: whatever they send, it is 50 statements a second at most. */
export type Pace = "at once" | "in turn"

/** How long those whose turn it is not yet are gathered. */
const turnMillis = 20

/**
 * Looks a secret up by the hash that is stored of it. Requests that come in the same turn of the event loop share one statement, which begins after
 * all of them have come: nothing is kept, so what was revoked is unknown at once. `in turn` they are gathered for longer, and
 * one statement runs at a time. A `SqlError` is a defect, of all that shared the statement.
 */
export const makeSecretLookup = <A extends Found>(
  find: (hashes: ReadonlyArray<Uint8Array>) => Effect.Effect<ReadonlyArray<A>, SqlError>
) => {
  const atOnce = RequestResolver.make<Lookup<A>>(Effect.fnUntraced(function*(entries) {
    const rows = yield* Effect.orDie(find(entries.map(({ request }) => request.hash)))
    const found = new Map(rows.map((row) => [nameOf(row.sha256), row]))
    for (const entry of entries) entry.completeUnsafe(Exit.succeed(found.get(nameOf(entry.request.hash))))
  }))
  const gate = Semaphore.makeUnsafe(1)
  const inTurn = RequestResolver.make<Lookup<A>>((entries, key) => gate.withPermits(1)(atOnce.runAll(entries, key)))
    .pipe(RequestResolver.setDelay(turnMillis))
  return (hash: Uint8Array, pace: Pace = "at once") =>
    Effect.request(new Lookup<A>({ hash }), pace === "at once" ? atOnce : inTurn)
}
