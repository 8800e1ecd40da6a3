import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import { Blobs } from "../storage/Blobs.ts"

/** Between the last byte of an upload and its row lie milliseconds. */
const restHours = 12

/** The file that a blob below `uploads` is, or is a segment of: the key that a row would name. */
const fileOf = (key: string): string => key.replace(/\.segments\/.*$/su, "")

/**
 * Removes bytes of uploads that no row names, because the process that received them died before it wrote one. Answers how many
 * uploads these were. Only what has rested for 12 hours is looked at.
 */
export const makeOrphanedUploads = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const blobs = yield* Blobs

  const sweep = Effect.gen(function*() {
    const before = DateTime.subtract(yield* DateTime.now, { hours: restHours }).epochMilliseconds
    const written = new Map<string, number>()
    for (const { key, modified } of yield* blobs.list("uploads")) {
      written.set(fileOf(key), Math.max(written.get(fileOf(key)) ?? 0, modified.getTime()))
    }
    const resting = [...written].filter(([, modified]) => modified < before).map(([key]) => key)
    const known = yield* sql<{ blob_key: string }>`
      SELECT blob_key FROM footnote.uploads WHERE blob_key = ANY(${resting})
      UNION ALL SELECT blob_key FROM footnote.incoming_uploads WHERE blob_key = ANY(${resting})`
    const named = new Set(known.map(({ blob_key }) => blob_key))
    const stray = resting.filter((key) => !named.has(key))
    for (const key of stray) {
      yield* blobs.removeAll(`${key}.segments`)
      yield* blobs.removeAll(key)
    }
    return stray.length
  }).pipe(Effect.orDie, Effect.withSpan("StrayUploads.sweep"))
  return { sweep }
})
