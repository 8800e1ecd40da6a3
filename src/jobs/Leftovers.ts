import { Context, DateTime, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { type BlobError, Blobs } from "../storage/Blobs.ts"
import { stageNames } from "./Pipeline.ts"

const lockClass = 7107
const batch = 50
/** The longest stage may take 8.3 h: by then no attempt at a job that has ended is still being written by anyone. */
const restHours = 12

interface Due {
  readonly id: string
  readonly finished_at: Date
  readonly status: string
}

/** The folder of the attempt that wrote a blob; undefined for what no attempt at a stage writes. */
export const attemptOf = (key: string): string | undefined =>
  new RegExp(`^jobs/[^/]+/(?:${stageNames.join("|")})/\\d+/\\d+(?=/)`, "u").exec(key)?.[0]

/**
 * Removes what jobs leave in the blob store that no artifact of theirs refers to: the blobs of attempts that a worker died over or
 * whose output came too late, and what only a later stage was to read. A job is looked at once, 12 hours after its end, when
 * nobody works on it any more; an attempt's folder is kept whole if an artifact lies in it. A round may be killed anywhere: the
 * next one goes on. Among processes one at a time has a round.
 */
export class Leftovers extends Context.Service<Leftovers, {
  /** Answers how many folders of attempts were removed. A job whose blobs cannot be reached is logged and left to the next round. */
  readonly sweep: Effect.Effect<number, SqlError>
}>()("footnote/jobs/Leftovers") {
  static readonly layer = Layer.effect(Leftovers, Effect.suspend(() => make))

  /** A round every hour, for the life of the scope. */
  static readonly layerRunning = Layer.effectDiscard(Effect.gen(function*() {
    const { sweep } = yield* Leftovers
    yield* Effect.forkScoped(sweep.pipe(Effect.ignoreCause, Effect.repeat(Schedule.spaced("1 hour"))))
  })).pipe(Layer.provide(Leftovers.layer))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const blobs = yield* Blobs

  const ended = (before: Date, after: Due | undefined) =>
    sql<Due>`
      SELECT id, finished_at, status FROM footnote.jobs
      WHERE collected_at IS NULL AND deleted_at IS NULL AND finished_at < ${before}
        ${after === undefined ? sql`` : sql`AND (finished_at, id) > (${after.finished_at}, ${after.id})`}
      ORDER BY finished_at, id LIMIT ${batch}`.unprepared

  const collect = Effect.fnUntraced(function*({ id, status }: Due): Effect.fn.Return<number, SqlError | BlobError> {
    const artifacts = yield* sql<{ key: string }>`SELECT key FROM footnote.artifacts WHERE job_id = ${id}`
    let removed = 0
    // One that succeeded has artifacts; where it has none, this is not the place to judge.
    if (status !== "succeeded" || artifacts.length > 0) {
      const kept = new Set(artifacts.map(({ key }) => attemptOf(key)))
      const written = new Set((yield* blobs.list(`jobs/${id}`)).map(({ key }) => attemptOf(key)))
      for (const attempt of written) {
        if (attempt === undefined || kept.has(attempt)) continue
        yield* blobs.removeAll(attempt)
        removed++
      }
    }
    yield* sql`UPDATE footnote.jobs SET collected_at = now() WHERE id = ${id}`
    return removed
  })

  const collectAll = Effect.gen(function*() {
    const before = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { hours: restHours }))
    let removed = 0
    for (let after: Due | undefined;;) {
      const due = yield* ended(before, after)
      for (const job of due) {
        removed += yield* collect(job).pipe(
          Effect.catchTag(
            "BlobError",
            (error) =>
              Effect.logWarning("What a job left behind could not be removed", error).pipe(
                Effect.annotateLogs({ job_id: job.id }),
                Effect.as(0)
              )
          )
        )
      }
      after = due.at(-1)
      if (due.length < batch) return removed
    }
  })

  const sweep = Effect.scoped(Effect.gen(function*() {
    const session = yield* sql.reserve
    const [got] = yield* session.executeValues(`SELECT pg_try_advisory_lock(${lockClass}, 0)`, [])
    if (got?.[0] !== true) return 0
    yield* Effect.addFinalizer(() =>
      Effect.ignore(session.executeRaw(`SELECT pg_advisory_unlock(${lockClass}, 0)`, []))
    )
    const removed = yield* collectAll
    if (removed > 0) yield* Effect.logInfo(`${removed} folders of attempts that no artifact refers to removed`)
    return removed
  }))

  return Leftovers.of({ sweep: Effect.withSpan(sweep, "Leftovers.sweep") })
})
