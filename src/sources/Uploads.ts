import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { advisoryLocks } from "../database/AdvisoryLocks.ts"
import { toInstant } from "../database/Instant.ts"
import { toPage } from "../database/Page.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { InvalidRequest, PayloadTooLarge } from "../errors/RequestErrors.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, newId, type TenantId } from "../identity/Id.ts"
import { intFrom } from "../observability/Configuration.ts"
import { bytes } from "../observability/Setting.ts"
import { Blobs } from "../storage/Blobs.ts"
import {
  requireRoom,
  roomOf,
  storageQuotaBytes,
  StorageQuotaExceeded,
  storageRefusal,
  storageState
} from "../usage/ledger/StorageQuota.ts"
import { droppedBytes } from "./DroppedBytes.ts"
import { type Addition, IncomingUploads } from "./IncomingUploads.ts"
import { makeOrphanedUploads } from "./OrphanedUploads.ts"
import { uploadLifetime } from "./SourceLimits.ts"
import {
  type DeletedUpload,
  type Upload,
  type UploadChecksumMismatch,
  UploadNotFound,
  UploadOffsetConflict
} from "./Upload.ts"
import { makeUploadAssembly } from "./UploadAssembly.ts"
import { UploadLookup } from "./UploadLookup.ts"
import { type IncomingRow, segmentsOf, toIncoming, toUpload, uploadColumns, type UploadRow } from "./UploadRow.ts"

/** The largest file that is taken, in bytes: `UPLOAD_MAX_BYTES`, default 10 GiB. */
export const uploadMaxBytes = intFrom("UPLOAD_MAX_BYTES", 1, 10 * 1024 ** 3, "largest upload", bytes)

interface ListedRow extends IncomingRow {
  readonly sha256: string | null
}

/** An upload, and what its sender said about it in the words of tus. */
export interface StatedUpload {
  readonly upload: Upload
  readonly metadata: string | null
}

/** Files of the current tenant that jobs are made of. Kept 7 days; an expired one is as unknown as a foreign one. */
export class Uploads extends Context.Service<Uploads, {
  /** The longest file that is taken. */
  readonly max_bytes: number
  /** Newest first, finished and unfinished ones, until they expire. */
  readonly list: (
    page: { readonly limit: number; readonly cursor?: string | undefined }
  ) => Effect.Effect<
    { readonly data: ReadonlyArray<Upload>; readonly next_cursor: string | null },
    never,
    CurrentTenant
  >
  /** Stores a body while it arrives, with what its sender says about it in the words of tus. One that breaks off, is empty or too large leaves neither row nor bytes. */
  readonly receive: <E, R>(
    body: Stream.Stream<Uint8Array, E, R>,
    declared_bytes: number | undefined,
    metadata?: string | undefined
  ) => Effect.Effect<Upload, E | PayloadTooLarge | InvalidRequest | StorageQuotaExceeded, R | CurrentTenant>
  /** Announces a file whose bytes come by `append`. */
  readonly begin: (
    length_bytes: number,
    metadata: string | undefined
  ) => Effect.Effect<Upload, PayloadTooLarge | StorageQuotaExceeded, CurrentTenant>
  /**
   * Adds bytes at their offset, and makes the file of them with the last one. Fails as `IncomingUploads.append` does; what is
   * complete takes no more bytes.
   */
  readonly append: <E, R>(
    id: string,
    addition: Addition<E, R>
  ) => Effect.Effect<
    Upload,
    UploadNotFound | UploadOffsetConflict | UploadChecksumMismatch | PayloadTooLarge,
    R | CurrentTenant
  >
  readonly get: (id: string) => Effect.Effect<StatedUpload, UploadNotFound, CurrentTenant>
  /** As `get`, for whoever is to go on with the upload: a request that still appends is ended and counted first. */
  readonly resume: (id: string) => Effect.Effect<StatedUpload, UploadNotFound, CurrentTenant>
  /** Idempotent for 30 days. */
  readonly remove: (id: string) => Effect.Effect<DeletedUpload, UploadNotFound, CurrentTenant>
  /** Drops what has expired, rows and bytes, and bytes without a row; returns how many uploads these were. */
  readonly sweep: Effect.Effect<number>
}>()("footnote/sources/Uploads") {
  static readonly layer = Layer.effect(Uploads, Effect.suspend(() => make)).pipe(Layer.provide(IncomingUploads.layer))
}

const holdsBytes = <E, R>({ body, declared_bytes }: Addition<E, R>): Effect.Effect<boolean, never, R> =>
  declared_bytes === undefined
    ? body.pipe(
      Stream.filter(({ length }) => length > 0),
      Stream.runHead,
      Effect.match({ onFailure: () => false, onSuccess: Option.isSome })
    )
    : Effect.succeed(declared_bytes > 0)

const make = Effect.gen(function*() {
  const engine = yield* PgClient.PgClient
  const { inTenant, sql } = yield* TenantSql
  const blobs = yield* Blobs
  const incoming = yield* IncomingUploads
  const assemble = yield* makeUploadAssembly
  const strays = yield* makeOrphanedUploads
  const max_bytes = yield* uploadMaxBytes
  const storage_quota = yield* storageQuotaBytes
  const tooLarge = () =>
    new PayloadTooLarge({ message: `An upload holds at most ${max_bytes} bytes.`, headers: { connection: "close" } })
  const drop = (key: string) => Effect.orDie(blobs.removeAll(key))

  /**
   * Drops the bytes that a failed transaction left without a row. Its failure alone does not say so: the answer to a COMMIT may
   * be lost, while the server still waits for its disk or its standby. `requireRoom` locks until that transaction has ended, so
   * whoever then has the lock sees its row. Where nobody can be asked, the sweep of stray uploads has them 12 hours later.
   */
  const dropUnnamed = (tenant_id: TenantId, id: string, key: string) =>
    inTenant(tenant_id)(Effect.andThen(
      sql`SELECT pg_advisory_xact_lock(${advisoryLocks.storageQuota}, hashtext(${tenant_id}))`,
      sql`SELECT FROM footnote.uploads WHERE id = ${id} AND tenant_id = ${tenant_id}`
    )).pipe(
      Effect.flatMap((rows) => rows.length > 0 ? Effect.void : drop(key)),
      droppedBytes(key)
    )

  /** Drops what has expired, a hundred at most, but nothing that a job still works on: those refer to these bytes. */
  const dropUnused = Effect.fnUntraced(function*(one: string | undefined) {
    const rows = yield* engine<{ id: string; blob_key: string }>`
      SELECT id, blob_key FROM footnote.uploads u
      WHERE expires_at <= now() AND (${one ?? null}::text IS NULL OR id = ${one ?? null}) AND NOT EXISTS (
        SELECT FROM footnote.jobs j WHERE j.tenant_id = u.tenant_id AND j.status IN ('queued', 'running')
          AND j.spec->>'source_uri' = 'upload://' || u.id)
      ORDER BY expires_at LIMIT 100`
    for (const { blob_key, id } of rows) {
      // Bytes first: a sweep that dies in between finds the row again. Segments are left where an assembly died late.
      yield* drop(segmentsOf(blob_key))
      yield* drop(blob_key)
      yield* engine`DELETE FROM footnote.uploads WHERE id = ${id}`
    }
    return rows.length
  }, Effect.orDie)

  const deletedAt = Effect.fnUntraced(function*(tenant_id: TenantId, id: string) {
    const [row] = isId("upl", id)
      ? yield* inTenant(tenant_id)(sql<{ deleted_at: Date }>`
        SELECT deleted_at FROM footnote.deleted_uploads WHERE id = ${id} AND tenant_id = ${tenant_id}`)
      : []
    return row?.deleted_at
  })

  const get = Effect.fn("Uploads.get")(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const coming = yield* incoming.find(id)
    const complete = coming !== undefined && Number(coming.received_bytes) === Number(coming.length_bytes)
    if (coming !== undefined && !complete) return { upload: toIncoming(coming), metadata: coming.metadata }
    const row = isId("upl", id) ? yield* assemble(tenant_id, id) : undefined
    if (row !== undefined) return { upload: toUpload(row), metadata: row.metadata }
    // What was complete may have been taken back to a segment that is damaged.
    const back = complete ? yield* incoming.find(id) : undefined
    return back === undefined ? yield* new UploadNotFound() : { upload: toIncoming(back), metadata: back.metadata }
  })

  return Uploads.of({
    max_bytes,
    get,
    resume: (id) => Effect.andThen(Effect.andThen(incoming.find(id), (row) => incoming.settle(row?.id ?? "")), get(id)),

    list: Effect.fn("Uploads.list")(function*({ cursor, limit }) {
      const { tenant_id } = yield* CurrentTenant
      const before = cursor === undefined ? sql`` : sql`AND id < ${cursor}`
      const rows = yield* inTenant(tenant_id)(sql<ListedRow>`
        SELECT id, blob_key, size_bytes AS length_bytes, size_bytes AS received_bytes, sha256, metadata, created_at,
          expires_at
        FROM footnote.uploads WHERE tenant_id = ${tenant_id} AND expires_at > now() ${before}
        UNION ALL
        SELECT id, blob_key, length_bytes, received_bytes, NULL, metadata, created_at, expires_at
        FROM footnote.incoming_uploads WHERE tenant_id = ${tenant_id} AND expires_at > now() ${before}
        ORDER BY id DESC LIMIT ${limit + 1}`)
      return toPage(rows.map((row) => toIncoming(row, row.sha256)), limit)
    }),

    receive: Effect.fn("Uploads.receive")(function*<E, R>(
      body: Stream.Stream<Uint8Array, E, R>,
      declared_bytes: number | undefined,
      metadata: string | undefined = undefined
    ) {
      const { tenant_id } = yield* CurrentTenant
      if (declared_bytes !== undefined && declared_bytes > max_bytes) return yield* tooLarge()
      const standing = yield* Effect.orDie(inTenant(tenant_id)(storageState(sql, tenant_id, storage_quota)))
      const full = () =>
        new StorageQuotaExceeded({ message: storageRefusal(standing), headers: { connection: "close" } })
      const room = roomOf(standing)
      if ((declared_bytes ?? 1) > room) return yield* full()
      const id = yield* newId("upl")
      const key = `uploads/${tenant_id}/${id}`
      let received = 0
      const blob = yield* blobs.putStream(
        key,
        Stream.tap(body, (chunk): Effect.Effect<void, PayloadTooLarge | StorageQuotaExceeded> => {
          received += chunk.length
          if (received > room) return Effect.fail(full())
          return received > max_bytes ? Effect.fail(tooLarge()) : Effect.void
        })
      ).pipe(Effect.catchTag("BlobError", Effect.die))
      if (blob.size_bytes === 0) {
        yield* drop(key)
        return yield* new InvalidRequest({ details: [{ path: "", message: "The body is empty" }] })
      }
      // Others may have taken the room meanwhile.
      const insert = sql<UploadRow>`
        INSERT INTO footnote.uploads (id, tenant_id, blob_key, size_bytes, sha256, metadata, expires_at)
        VALUES (${id}, ${tenant_id}, ${key}, ${blob.size_bytes}, ${blob.sha256}, ${metadata ?? null},
          now() + make_interval(secs => ${uploadLifetime.lifetime_seconds}))
        RETURNING ${sql.literal(uploadColumns)}`
      return yield* inTenant(tenant_id)(remembered(
        sql,
        Effect.andThen(
          requireRoom(sql, tenant_id, storage_quota, blob.size_bytes),
          Effect.map(insert, ([row]) => toUpload(row!))
        )
      )).pipe(
        Effect.onError(() => dropUnnamed(tenant_id, id, key)),
        // What its sender's leaving would interrupt may be committed by then. Each statement ends within 10 s.
        Effect.uninterruptible
      )
    }),

    begin: Effect.fn("Uploads.begin")(function*(length_bytes, metadata) {
      if (length_bytes > max_bytes) return yield* tooLarge()
      return yield* incoming.begin(length_bytes, metadata)
    }),

    append: Effect.fn("Uploads.append")(function*(id, addition) {
      const received = yield* incoming.append(id, addition)
      const { upload } = yield* get(id)
      if (received === undefined && (upload.sha256 === null || addition.offset !== upload.size_bytes)) {
        return yield* new UploadOffsetConflict({ message: `The upload stands at ${upload.received_bytes} bytes.` })
      }
      // The last bytes again, of which the answer got lost, are none; more than was announced is more than that.
      if (received === undefined && (yield* holdsBytes(addition))) {
        return yield* new PayloadTooLarge({
          message: `The upload was announced with ${upload.size_bytes} bytes.`,
          headers: { connection: "close" }
        })
      }
      return upload
    }),

    remove: Effect.fn("Uploads.remove")(function*(id) {
      const { tenant_id } = yield* CurrentTenant
      const [row] = isId("upl", id)
        ? yield* inTenant(tenant_id)(sql<{ deleted_at: Date }>`
          WITH gone AS (UPDATE footnote.uploads SET expires_at = now()
            WHERE id = ${id} AND tenant_id = ${tenant_id} AND expires_at > now() RETURNING id, tenant_id)
          INSERT INTO footnote.deleted_uploads (id, tenant_id) SELECT id, tenant_id FROM gone RETURNING deleted_at`)
        : []
      if (row !== undefined) yield* dropUnused(id)
      const deleted_at = row?.deleted_at ?? (yield* incoming.remove(id)) ?? (yield* deletedAt(tenant_id, id))
      return deleted_at === undefined ? yield* new UploadNotFound() : { id, deleted_at: toInstant(deleted_at) }
    }),

    sweep: Effect.gen(function*() {
      let dropped = yield* incoming.sweep
      for (let round = 1; round > 0; dropped += round) round = yield* dropUnused(undefined)
      yield* engine`DELETE FROM footnote.deleted_uploads WHERE deleted_at < now() - interval '30 days'`
      return dropped + (yield* strays.sweep)
    }).pipe(Effect.orDie, Effect.withSpan("Uploads.sweep"))
  })
})

/** Finds uploads for submissions and for the stage that fetches sources, and completes what its sender has seen complete. */
export const UploadLookupLayer = Layer.effect(
  UploadLookup,
  Effect.map(makeUploadAssembly, (assemble) =>
    UploadLookup.of({
      find: Effect.fn("UploadLookup.find")(function*(tenant_id, upload_id) {
        const row = isId("upl", upload_id) ? yield* assemble(tenant_id, upload_id) : undefined
        return row === undefined
          ? Option.none()
          : Option.some({ key: row.blob_key, size_bytes: Number(row.size_bytes), sha256: row.sha256 })
      })
    }))
)
