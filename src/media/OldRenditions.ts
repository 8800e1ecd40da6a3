import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { tolerated } from "../observability/Tolerated.ts"
import { Blobs } from "../storage/Blobs.ts"

const batch = 100

/**
 * Removes what was made of sources and is of no use any more: clips and frames a day after they were made, and everything of an
 * upload that is deleted or over. Answers how many there were. A round may be killed anywhere: the next one goes on.
 */
export const removeOldRenditions = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { removeAll } = yield* Blobs
  let removed = 0
  for (;;) {
    const old = yield* sql<{ readonly job_id: string; readonly name: string; readonly turn: number }>`
      SELECT r.job_id, r.name, r.turn FROM footnote.renditions r
      WHERE r.finished_at IS NOT NULL AND (
        (r.name <> 'preview.mp4' AND r.finished_at < now() - interval '1 day')
        OR EXISTS (SELECT FROM footnote.artifacts a WHERE a.job_id = r.job_id AND a.kind = 'source'
          AND a.key LIKE 'uploads/%' AND NOT EXISTS (
            SELECT FROM footnote.uploads u WHERE u.blob_key = a.key AND u.expires_at > now())))
      ORDER BY r.finished_at LIMIT ${batch}`
    for (const { job_id, name, turn } of old) {
      yield* removeAll(`jobs/${job_id}/renditions/${name}`)
      yield* sql`
        WITH gone AS (DELETE FROM footnote.renditions
          WHERE job_id = ${job_id} AND name = ${name} AND turn = ${turn} AND finished_at IS NOT NULL
          RETURNING job_id, coalesce(size_bytes, 0) AS bytes)
        UPDATE footnote.jobs j SET stored_bytes = greatest(0, j.stored_bytes - gone.bytes) FROM gone WHERE j.id = gone.job_id`
    }
    removed += old.length
    if (old.length < batch) return removed
  }
})

/** A round every hour, for the life of the scope. */
export const layerRunning = Layer.effectDiscard(
  Effect.forkScoped(
    removeOldRenditions.pipe(
      tolerated("The removal of old clips, frames and previews", "tried again in an hour"),
      Effect.repeat(Schedule.spaced("1 hour"))
    )
  )
)
