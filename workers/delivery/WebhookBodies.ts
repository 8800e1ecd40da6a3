import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { rowsOf } from "../../src/database/Rows.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import { readContent } from "./DamagedContent.ts"

const BodyRow = Schema.Struct({
  sha256: Schema.String
})

interface Event {
  readonly event_id: string
  readonly job_id: string
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** Below the job's own folder, so that erasing the job erases it. */
const keyOf = ({ event_id, job_id }: Event, sha256: string) => `jobs/${job_id}/events/${event_id}/${sha256}`

/**
 * The body that belongs to an event: built once, then the same bytes on every attempt, to every destination, by whichever
 * version of this code. Of two workers that build it at the same moment the first to write its row decides for both. Null
 * where the job was erased meanwhile; bytes that are gone or are not those that were written fail with `ContentDamaged`.
 */
export const makeWebhookBodies = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const blobs = yield* Blobs

  const decided = (event: Event) =>
    Effect.map(
      rowsOf(BodyRow)(sql`SELECT sha256 FROM footnote.webhook_bodies WHERE event_id = ${event.event_id}`),
      ([row]) => row?.sha256
    )

  const read = Effect.fnUntraced(function*(event: Event, sha256: string) {
    const ref = { key: keyOf(event, sha256), sha256 }
    return new TextDecoder().decode(yield* readContent(blobs, ref, "event body"))
  })

  return Effect.fn("WebhookBodies.of")(function*<E, R>(event: Event, build: Effect.Effect<string, E, R>) {
    const known = yield* decided(event)
    if (known !== undefined) return yield* read(event, known)
    const body = yield* build
    const bytes = Buffer.from(body)
    const sha256 = hashOf(bytes)
    // The bytes first: whoever sees the row finds them.
    yield* blobs.put(keyOf(event, sha256), bytes)
    // Erasure waits for this row or comes before it.
    const mine = yield* sql`INSERT INTO footnote.webhook_bodies (event_id, job_id, sha256)
      SELECT ${event.event_id}, id, ${sha256} FROM footnote.jobs WHERE id = ${event.job_id} AND deleted_at IS NULL FOR SHARE
      ON CONFLICT (event_id) DO NOTHING RETURNING event_id`
    if (mine.length > 0) return body
    const first = yield* decided(event)
    return first === undefined ? null : yield* read(event, first)
  })
})
