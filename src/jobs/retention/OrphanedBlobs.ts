import { Context, DateTime, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../../database/AdvisoryLocks.ts"
import { rowsOf } from "../../database/Rows.ts"
import { JobId } from "../../identity/Id.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import { type BlobError, Blobs } from "../../storage/Blobs.ts"
import { stageNames } from "../model/Pipeline.ts"
import { removeErasedBytes } from "./ErasedBytes.ts"

const KeyRow = Schema.Struct({
  key: Schema.String
})

const batch = 50

/** A time at which ended jobs are looked at, and the column that says that one has been. */
interface Round {
  readonly column: "intermediates_removed_at" | "collected_at"
  /** The number of the lock by which one process at a time has such a round. */
  readonly lock: number
  readonly rest_seconds: number
}

/** Whoever held a task of the job has been told to stop and has stopped: what only later stages read is of no use any more. */
const soon: Round = { column: "intermediates_removed_at", lock: 1, rest_seconds: 10 }

/** The longest stage may take 8.3 h: by then no attempt at a job that has ended is still being written by anyone. */
const late: Round = { column: "collected_at", lock: 0, rest_seconds: 12 * 3600 }

const Due = Schema.Struct({
  id: JobId,
  /** As PostgreSQL writes it: of jobs that ended in one transaction, a `Date`'s milliseconds come before all of them, again and again. */
  finished_at: Schema.String,
  status: Schema.String,
  extracted_from: Schema.NullOr(JobId)
})
type Due = typeof Due.Type

/** The folder of the attempt that wrote a blob; undefined for what no attempt at a stage writes. */
export const attemptOf = (key: string): string | undefined =>
  new RegExp(`^jobs/[^/]+/(?:${stageNames.join("|")})/\\d+/\\d+(?=/)`, "u").exec(key)?.[0]

/**
 * Removes what jobs leave in the blob store that no artifact of theirs refers to: what only a later stage was to read, decoded sound
 * above all, and the blobs of attempts that a worker died over or whose output came too late. A job is looked at twice: 10 s
 * after its end, however it ended, and after 12 hours, when nobody can still write. An attempt's folder is kept whole if an
 * artifact lies in it. What an extraction worked from goes with it where its own job has been erased meanwhile. A round may be killed anywhere: the next one goes on. Among processes one at a time has a round.
 */
export class OrphanedBlobs extends Context.Service<OrphanedBlobs, {
  /**
   * For jobs that ended more than 10 s ago. Answers how many folders of attempts were removed. A job whose blobs cannot be
   * reached is logged and left to the next round.
   */
  readonly removeIntermediates: Effect.Effect<number, SqlError>
  /** The same for jobs that ended more than 12 h ago. */
  readonly sweep: Effect.Effect<number, SqlError>
}>()("footnote/jobs/retention/OrphanedBlobs") {
  static readonly layer = Layer.effect(OrphanedBlobs, Effect.suspend(() => make))

  /** Rounds every 5 s and every hour, for the life of the scope. */
  static readonly layerRunning = Layer.effectDiscard(Effect.gen(function*() {
    const { removeIntermediates, sweep } = yield* OrphanedBlobs
    yield* Effect.forkScoped(
      removeIntermediates.pipe(
        tolerated("The removal of what ended jobs left", "tried again in 5 s"),
        Effect.repeat(Schedule.spaced("5 seconds"))
      )
    )
    yield* Effect.forkScoped(
      sweep.pipe(
        tolerated("The sweep of what jobs left", "tried again in an hour"),
        Effect.repeat(Schedule.spaced("1 hour"))
      )
    )
  })).pipe(Layer.provide(OrphanedBlobs.layer))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const blobs = yield* Blobs

  const ended = ({ column }: Round, before: Date, after: Due | undefined) =>
    rowsOf(Due)(
      sql`
      SELECT j.id, j.finished_at::text AS finished_at, j.status, j.spec->'extracted_from'->>'job_id' AS extracted_from
      FROM footnote.jobs j
      WHERE ${sql(column)} IS NULL AND j.collected_at IS NULL AND j.deleted_at IS NULL AND j.finished_at < ${before}
        ${
        after === undefined ? sql`` : sql`AND (j.finished_at, j.id) > (${after.finished_at}::timestamptz, ${after.id})`
      }
      ORDER BY j.finished_at, j.id LIMIT ${batch}`.unprepared
    )

  const collect = Effect.fnUntraced(function*(
    { column }: Round,
    { extracted_from, id, status }: Due
  ): Effect.fn.Return<number, SqlError | BlobError> {
    const artifacts = yield* rowsOf(KeyRow)(sql`SELECT key FROM footnote.artifacts WHERE job_id = ${id}`)
    const stored = yield* blobs.list(`jobs/${id}`)
    const gone = new Set<string>()
    // One that succeeded has artifacts; where it has none, this is not the place to judge.
    if (status !== "succeeded" || artifacts.length > 0) {
      const kept = new Set(artifacts.map(({ key }) => attemptOf(key)))
      for (const attempt of new Set(stored.map(({ key }) => attemptOf(key)))) {
        if (attempt === undefined || kept.has(attempt)) continue
        yield* blobs.removeAll(attempt)
        gone.add(attempt)
      }
    }
    if (extracted_from !== null) yield* removeErasedBytes(sql, blobs, extracted_from)
    const left = stored.filter(({ key }) => !gone.has(attemptOf(key) ?? ""))
    const bytes = left.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
    // What people decided on it is in the database and counts beside what is in the folder.
    yield* sql`UPDATE footnote.jobs SET ${sql(column)} = now(), stored_bytes = ${bytes} + (
      SELECT coalesce(sum(octet_length(decisions::text)), 0) FROM footnote.reviews WHERE job_id = ${id}) WHERE id = ${id}`
    return gone.size
  })

  const collectAll = Effect.fnUntraced(function*(round: Round) {
    const before = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { seconds: round.rest_seconds }))
    let removed = 0
    for (let after: Due | undefined;;) {
      const due = yield* ended(round, before, after)
      for (const job of due) {
        removed += yield* collect(round, job).pipe(
          Effect.catchTag(
            "BlobError",
            (error) =>
              Effect.logWarning("Orphaned blobs of a job could not be removed; the next sweep tries again", error).pipe(
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

  const alone = Effect.fnUntraced(function*(round: Round) {
    const session = yield* sql.reserve
    const [got] = yield* session.executeValues(
      `SELECT pg_try_advisory_lock(${advisoryLocks.orphanedBlobs}, ${round.lock})`,
      []
    )
    if (got?.[0] !== true) return 0
    yield* Effect.addFinalizer(() =>
      Effect.ignore(session.executeRaw(`SELECT pg_advisory_unlock(${advisoryLocks.orphanedBlobs}, ${round.lock})`, []))
    )
    const removed = yield* collectAll(round)
    if (removed > 0) yield* Effect.logInfo(`${removed} folders of attempts that no artifact refers to removed`)
    return removed
  }, Effect.scoped)

  return OrphanedBlobs.of({
    removeIntermediates: Effect.withSpan(alone(soon), "OrphanedBlobs.removeIntermediates"),
    sweep: Effect.withSpan(alone(late), "OrphanedBlobs.sweep")
  })
})
