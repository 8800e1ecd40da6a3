import { type Cause, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { hostname } from "node:os"
import type { Problem, ProblemCode } from "../../src/deployment/Problem.ts"
import { tolerated } from "../../src/observability/Tolerated.ts"

/** A worker that may not work tells `/readyz` so by a row of its own, which serves no pool. */
const show = Effect.fnUntraced(function*(no: number | undefined, problems: ReadonlyArray<Problem>) {
  const sql = yield* SqlClient.SqlClient
  const codes = JSON.stringify(problems.map(({ code }) => code))
  const [row] = yield* sql<{ readonly no: number }>`
    INSERT INTO footnote.workers (no, pools, problems, host, pid)
    VALUES (coalesce(${
    no ?? null
  }::int, nextval('footnote.worker_no')::int), '[]', ${codes}::jsonb, ${hostname()}, ${process.pid})
    ON CONFLICT (no) DO UPDATE SET problems = excluded.problems, seen_at = now() RETURNING no`
  return row!.no
})

/**
 * Waits until nothing keeps this process from working as the rest of its deployment does, and answers what differs all the same.
 * Each problem is logged when it shows and told by `/readyz` for as long as it lasts. A look that fails, as while the database or
 * the blob store is away, says nothing of the kind: the worker begins where none has succeeded, and goes on waiting where one has
 * found what stops it.
 */
export const untilFit = Effect.fn("Worker.untilFit")(function*<E, R>(
  look: Effect.Effect<ReadonlyArray<Problem>, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  let no: number | undefined
  let told = ""
  /** What the last look that succeeded found, where that keeps the worker from its tasks. */
  let stopped: ReadonlyArray<Problem> | undefined
  const lookOnce = Effect.gen(function*() {
    const problems = yield* look
    const words = problems.map(({ message }) => message).join("\n")
    const tell = words === told ? Effect.void : Effect.forEach(problems, ({ message, stops }) =>
      stops
        ? Effect.logError(`${message} This worker takes no tasks until then; it looks again every 5 s.`)
        : Effect.logWarning(message))
    told = words
    stopped = problems.some((problem) => problem.stops) ? problems : undefined
    // The row first: whoever reads the log finds the same at `/readyz`.
    no = stopped === undefined ? yield* Effect.as(tell, no) : yield* Effect.ensuring(show(no, problems), tell)
    return stopped === undefined ? problems.map(({ code }) => code) : undefined
  })
  const stillStopped = tolerated(
    "Looking again at what this worker sees",
    "it still takes no tasks; tried again in 5 s"
  )
  /** With its row, which `/readyz` counts for 30 s: a look may fail for longer. */
  const goOnWaiting = Effect.fnUntraced(function*(cause: Cause.Cause<E | SqlError>) {
    if (stopped === undefined) return yield* Effect.failCause(cause)
    no = yield* Effect.orElseSucceed(show(no, stopped), () => no)
    yield* stillStopped(Effect.failCause(cause))
  })
  const looking = Effect.gen(function*() {
    while (true) {
      const fit = yield* Effect.catchCause(lookOnce, goOnWaiting)
      if (fit !== undefined) return fit
      yield* Effect.sleep("5 seconds")
    }
  })
  const unknown = Effect.as(
    Effect.logWarning("Whether this worker sees what the deployment sees is not known; it begins all the same"),
    [] as ReadonlyArray<ProblemCode>
  )
  return yield* looking.pipe(
    Effect.catchCause((cause) => Effect.andThen(Effect.logDebug(cause), unknown)),
    Effect.ensuring(
      Effect.suspend(() =>
        no === undefined ? Effect.void : sql`DELETE FROM footnote.workers WHERE no = ${no}`.pipe(
          tolerated("Signing this worker off", "the janitor forgets it within a minute")
        )
      )
    )
  )
})
