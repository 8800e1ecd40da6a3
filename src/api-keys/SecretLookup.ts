import { Effect, Exit, Request, RequestResolver, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { makeSharedStatements } from "../database/statements/SharedStatements.ts"

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
 * Looks a secret up by the hash that is stored of it. Requests share statements, each of which begins after all of them have come:
 * nothing is kept, so what was revoked is unknown at once. `in turn` they are gathered for longer, and
 * one statement runs at a time. A `SqlError` is a defect, of all that shared the statement.
 */
export const makeSecretLookup = <A extends Found>(
  find: (hashes: ReadonlyArray<Uint8Array>) => Effect.Effect<ReadonlyArray<A>, SqlError>
) => {
  const findAll = Effect.fnUntraced(function*(hashes: ReadonlyArray<Uint8Array>) {
    // Once each: those who share a statement are mostly one caller.
    const asked = new Map(hashes.map((hash) => [nameOf(hash), hash]))
    const rows = yield* Effect.orDie(find([...asked.values()]))
    const found = new Map(rows.map((row) => [nameOf(row.sha256), row]))
    return hashes.map((hash) => found.get(nameOf(hash)))
  })
  const atOnce = makeSharedStatements({ line: () => "", ask: findAll })
  const gate = Semaphore.makeUnsafe(1)
  const inTurn = RequestResolver.make<Lookup<A>>((entries) =>
    Effect.map(gate.withPermits(1)(findAll(entries.map(({ request }) => request.hash))), (answers) => {
      for (const [at, entry] of entries.entries()) entry.completeUnsafe(Exit.succeed(answers[at]))
    })
  ).pipe(RequestResolver.setDelay(turnMillis))
  return (hash: Uint8Array, pace: Pace = "at once") =>
    pace === "at once" ? atOnce(hash) : Effect.request(new Lookup<A>({ hash }), inTurn)
}
