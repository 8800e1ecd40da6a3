import { Effect, Fiber, Stream } from "effect"
import { TenantSql } from "../database/TenantSql.ts"
import type { TenantId } from "../identity/Id.ts"
import { Blobs } from "../storage/Blobs.ts"
import { readWhereThere } from "../storage/CheckedBlobs.ts"
import { droppedBytes } from "./DroppedBytes.ts"
import { uploadLifetime } from "./SourceLimits.ts"
import { segmentsOf, uploadColumns, type UploadRow } from "./UploadRow.ts"

interface SegmentRow {
  /** Of the file that is made of all of them. */
  readonly key: string
  readonly blob_key: string
  readonly offset_bytes: string
  /** Null where an earlier version took it in. */
  readonly sha256: string | null
}

/**
 * Makes one file of an upload whose last byte is here, and returns its row; undefined for an upload that is not complete,
 * is unknown or was deleted meanwhile. The segments never change, so any number of processes may do this at once, and one
 * that dies is made up for by whoever asks next: the bytes are the same and the row moves once. A segment that is damaged or
 * lost takes the upload back to where it began: the upload is not complete then, and its sender goes on from there.
 */
export const makeUploadAssembly = Effect.gen(function*() {
  const { inTenant, sql } = yield* TenantSql
  const blobs = yield* Blobs

  const finished = (tenant_id: TenantId, id: string) =>
    inTenant(tenant_id)(sql<UploadRow>`
      SELECT ${sql.literal(uploadColumns)} FROM footnote.uploads
      WHERE id = ${id} AND tenant_id = ${tenant_id} AND expires_at > now()`).pipe(Effect.map(([row]) => row))

  const segments = (tenant_id: TenantId, id: string) =>
    inTenant(tenant_id)(sql<SegmentRow>`
      SELECT i.blob_key AS key, s.blob_key, s.offset_bytes::text, s.sha256
      FROM footnote.incoming_uploads i JOIN footnote.upload_segments s ON s.upload_id = i.id
      WHERE i.id = ${id} AND i.tenant_id = ${tenant_id} AND i.received_bytes = i.length_bytes AND i.expires_at > now()
      ORDER BY s.offset_bytes`)

  const move = (tenant_id: TenantId, id: string, blob: { readonly size_bytes: number; readonly sha256: string }) =>
    inTenant(tenant_id)(sql`
      WITH complete AS (
        DELETE FROM footnote.incoming_uploads WHERE id = ${id} AND tenant_id = ${tenant_id}
        RETURNING id, tenant_id, blob_key, metadata, created_at
      )
      INSERT INTO footnote.uploads (id, tenant_id, blob_key, size_bytes, sha256, metadata, created_at, expires_at)
      SELECT id, tenant_id, blob_key, ${blob.size_bytes}, ${blob.sha256}, metadata, created_at, 
        now() + make_interval(secs => ${uploadLifetime.lifetime_seconds})
      FROM complete`)

  /** Nothing where the upload is no longer among those that come: somebody else has made the file. */
  const takeBack = Effect.fnUntraced(
    function*(tenant_id: TenantId, id: string, { blob_key, offset_bytes }: SegmentRow) {
      const taken = yield* inTenant(tenant_id)(Effect.gen(function*() {
        const ours = yield* sql`
        UPDATE footnote.incoming_uploads SET received_bytes = ${offset_bytes}::bigint, writer = NULL
        WHERE id = ${id} AND tenant_id = ${tenant_id} AND received_bytes = length_bytes RETURNING id`
        if (ours.length === 0) return false
        yield* sql`DELETE FROM footnote.upload_segments
        WHERE upload_id = ${id} AND tenant_id = ${tenant_id} AND offset_bytes >= ${offset_bytes}::bigint`
        return true
      }))
      if (!taken) return
      yield* Effect.logError("A segment of an upload is damaged or lost; its sender has to send again from there").pipe(
        Effect.annotateLogs({ upload_id: id, tenant_id, blob: blob_key, offset_bytes })
      )
    }
  )

  const assemble = Effect.fn("UploadAssembly.assemble")(function*(
    tenant_id: TenantId,
    id: string,
    key: string,
    parts: ReadonlyArray<SegmentRow>
  ) {
    let at = parts[0]!
    const bytes = Stream.mapEffect(Stream.fromIterable(parts), (part) => {
      at = part
      return part.sha256 === null
        ? blobs.get(part.blob_key)
        : readWhereThere(blobs, { key: part.blob_key, sha256: part.sha256 })
    })
    const lost = Effect.suspend(() => takeBack(tenant_id, id, at))
    const blob = yield* blobs.putStream(key, bytes).pipe(
      Effect.catchTag("BlobDamaged", () => lost),
      // Another process was faster and has dropped the segments; else they are gone for good.
      Effect.catchIf((error) => error.missing, () => lost),
      Effect.orDie
    )
    if (blob === undefined) return yield* finished(tenant_id, id)
    yield* move(tenant_id, id, blob)
    const row = yield* finished(tenant_id, id)
    // Deleted while it was put together: nobody will ask for these bytes.
    if (row === undefined) yield* blobs.removeAll(key).pipe(droppedBytes(key))
    yield* blobs.removeAll(segmentsOf(key)).pipe(droppedBytes(segmentsOf(key)))
    return row
  })

  /** Everybody of this process who asks meanwhile waits for the one that is at it, which nobody's leaving ends. */
  const running = new Map<string, Fiber.Fiber<UploadRow | undefined>>()

  return Effect.fnUntraced(function*(tenant_id: TenantId, id: string) {
    const parts = yield* segments(tenant_id, id)
    const key = parts[0]?.key
    if (key === undefined) return yield* finished(tenant_id, id)
    let fiber = running.get(key)
    if (fiber === undefined) {
      fiber = yield* Effect.forkDetach(assemble(tenant_id, id, key, parts))
      running.set(key, fiber)
      fiber.addObserver(() => running.delete(key))
    }
    return yield* Fiber.join(fiber)
  })
})
