import { PgClient } from "@effect/sql-pg"
import { Array as Arr, Context, Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { TenantSql } from "../database/TenantSql.ts"
import { PayloadTooLarge } from "../errors/RequestErrors.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, newId } from "../identity/Id.ts"
import { Blobs } from "../storage/Blobs.ts"
import { requireRoom, storageQuotaBytes, type StorageQuotaExceeded } from "../usage/ledger/StorageQuota.ts"
import { droppedBytes } from "./DroppedBytes.ts"
import { segmentedBody, type SegmentLimits } from "./SegmentedBody.ts"
import { uploadLifetime } from "./SourceLimits.ts"
import { type Upload, UploadChecksumMismatch, UploadOffsetConflict } from "./Upload.ts"
import type { UploadChecksum } from "./UploadChecksum.ts"
import { type IncomingRow, segmentsOf, toIncoming } from "./UploadRow.ts"

/** What a request adds to an upload. */
export interface Addition<E, R> {
  readonly offset: number
  readonly body: Stream.Stream<Uint8Array, E, R>
  /** `Content-Length`, where it is known. */
  readonly declared_bytes: number | undefined
  readonly checksum: UploadChecksum | undefined
}

/** At most this much of what was received is lost with a killed process. */
const segmentLimits: SegmentLimits = { bytes: 8 * 1024 ** 2, millis: 10_000 }

const columns = "id, blob_key, length_bytes, received_bytes, metadata, created_at, expires_at"

interface Segment {
  readonly offset_bytes: number
  readonly size_bytes: number
  readonly sha256: string
  readonly blob_key: string
}

const conflict = (received_bytes: number | undefined) =>
  new UploadOffsetConflict(
    received_bytes === undefined
      // The rest of its body is read by nobody.
      ? { message: "Another request goes on with this upload.", headers: { connection: "close" } }
      : { message: `The upload stands at ${received_bytes} bytes.` }
  )

/**
 * Uploads whose last byte is not here yet. Bytes are kept as segments that never change, each counted once it is stored, so
 * what a caller was told is there survives the process. One writer appends at a time, the latest: whatever an earlier one
 * stores afterwards is not counted, in this process or in another.
 */
export class IncomingUploads extends Context.Service<IncomingUploads, {
  /** All that is announced counts against the tenant's storage from now on: later requests only fill it. */
  readonly begin: (
    length_bytes: number,
    metadata: string | undefined
  ) => Effect.Effect<Upload, StorageQuotaExceeded, CurrentTenant>
  readonly find: (id: string) => Effect.Effect<IncomingRow | undefined, never, CurrentTenant>
  /** Ends a request of this process that still appends, and waits until what it brought is counted. */
  readonly settle: (id: string) => Effect.Effect<void>
  /**
   * Stores a body at its offset and answers how many bytes are there then; undefined for an unknown upload. A body that
   * breaks off counts as far as it came. Fails with `UPLOAD_OFFSET_CONFLICT` where the upload stands elsewhere or another
   * request took over, with `PAYLOAD_TOO_LARGE` beyond the announced length and with `UPLOAD_CHECKSUM_MISMATCH`; of a body
   * with a checksum either all is kept or nothing.
   */
  readonly append: <E, R>(
    id: string,
    addition: Addition<E, R>
  ) => Effect.Effect<
    number | undefined,
    UploadOffsetConflict | UploadChecksumMismatch | PayloadTooLarge,
    R | CurrentTenant
  >
  /** Drops row and bytes; answers when, or undefined for an unknown upload. */
  readonly remove: (id: string) => Effect.Effect<Date | undefined, never, CurrentTenant>
  /** Drops what has had no byte for a day; returns how many. */
  readonly sweep: Effect.Effect<number>
}>()("footnote/sources/IncomingUploads") {
  static readonly layer = Layer.effect(IncomingUploads, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const engine = yield* PgClient.PgClient
  const { inTenant, sql } = yield* TenantSql
  const blobs = yield* Blobs
  const storage_quota = yield* storageQuotaBytes
  const drop = (key: string) => blobs.removeAll(key).pipe(droppedBytes(key))

  /** Who appends in this process, by upload. */
  const writers = new Map<string, { readonly stop: Effect.Effect<unknown>; readonly ended: Effect.Effect<unknown> }>()

  const settle = (id: string) =>
    Effect.suspend(() => {
      const writer = writers.get(id)
      return writer === undefined ? Effect.void : Effect.asVoid(Effect.andThen(writer.stop, writer.ended))
    })

  const find = Effect.fn("IncomingUploads.find")(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    if (!isId("upl", id)) return undefined
    const [row] = yield* inTenant(tenant_id)(sql<IncomingRow>`
      SELECT ${sql.literal(columns)} FROM footnote.incoming_uploads
      WHERE id = ${id} AND tenant_id = ${tenant_id} AND expires_at > now()`)
    return row
  })

  const claim = Effect.fnUntraced(function*(id: string, offset: number, writer: string) {
    const { tenant_id } = yield* CurrentTenant
    const [row] = yield* inTenant(tenant_id)(sql<IncomingRow>`
      UPDATE footnote.incoming_uploads SET writer = ${writer}
      WHERE id = ${id} AND tenant_id = ${tenant_id} AND expires_at > now() AND received_bytes = ${offset}
      RETURNING ${sql.literal(columns)}`)
    return row
  })

  /** Counts segments that follow one another, all or none; false where another writer has taken over. */
  const count = Effect.fnUntraced(function*(id: string, writer: string, segments: ReadonlyArray<Segment>) {
    const { tenant_id } = yield* CurrentTenant
    if (!Arr.isReadonlyArrayNonEmpty(segments)) return true
    const bytes = segments.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
    return yield* inTenant(tenant_id)(Effect.gen(function*() {
      const ours = yield* sql`
        UPDATE footnote.incoming_uploads
        SET received_bytes = received_bytes + ${bytes}, expires_at = now() + make_interval(secs => ${uploadLifetime.unfinished_seconds})
        WHERE id = ${id} AND tenant_id = ${tenant_id} AND writer = ${writer} AND received_bytes = ${
        segments[0].offset_bytes
      }
        RETURNING id`
      if (ours.length === 0) return false
      yield* sql`INSERT INTO footnote.upload_segments ${
        sql.insert(Arr.map(segments, (segment) => ({ upload_id: id, tenant_id, ...segment })))
      }`
      return true
    }))
  })

  const receive = Effect.fnUntraced(function*<E, R>(
    row: IncomingRow,
    writer: string,
    { body, checksum, offset }: Addition<E, R>,
    stop: Effect.Effect<void>
  ) {
    const { blob_key, id } = row
    const length = Number(row.length_bytes)
    const hash = checksum?.hash()
    const segments = yield* segmentedBody(body, segmentLimits, stop)
    const uncounted: Array<Segment> = []
    const forget = Effect.suspend(() => Effect.forEach(uncounted, (segment) => drop(segment.blob_key)))
    let at = offset

    const settleUp = Effect.gen(function*() {
      if (yield* count(id, writer, uncounted)) return void uncounted.splice(0)
      return yield* conflict(undefined)
    })

    const store = Effect.gen(function*() {
      const key = `${segmentsOf(blob_key)}/${String(at).padStart(15, "0")}-${writer}`
      const bytes = hash === undefined
        ? segments.segment
        : Stream.tap(segments.segment, (chunk) => Effect.sync(() => hash.update(chunk)))
      const { sha256, size_bytes } = yield* Effect.orDie(blobs.putStream(key, bytes))
      uncounted.push({ offset_bytes: at, size_bytes, sha256, blob_key: key })
      at += size_bytes
      if (at > length) {
        return yield* new PayloadTooLarge({ message: `The upload was announced with ${length} bytes.` })
      }
      if (hash === undefined) yield* settleUp
    })

    const all = Effect.gen(function*() {
      while (yield* segments.more) yield* store
      if (hash !== undefined && checksum !== undefined) {
        if (segments.end() === undefined) return yield* conflict(undefined)
        const whole = segments.end()?._tag === "Success"
        if (!whole || !hash.digest().equals(checksum.digest)) return yield* new UploadChecksumMismatch()
        yield* settleUp
      }
      return segments.end() === undefined ? yield* conflict(undefined) : at
    })
    // Whatever is not counted by now never will be.
    return yield* Effect.ensuring(all, forget)
  }, Effect.scoped)

  /**
   * Runs outside of the request, because a caller that leaves interrupts it, and what has come is to be counted all the
   * same.
   */
  const asWriter = Effect.fnUntraced(function*<A, E, R>(
    id: string,
    work: (stop: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) {
    const signal = yield* Deferred.make<void>()
    const stop = Effect.asVoid(Deferred.succeed(signal, undefined))
    const fiber = yield* Effect.forkDetach(work(Deferred.await(signal)))
    const ended = Fiber.await(fiber)
    const writer = { stop, ended }
    writers.set(id, writer)
    return yield* Fiber.join(fiber).pipe(
      Effect.onInterrupt(() => Effect.andThen(stop, ended)),
      Effect.ensuring(Effect.sync(() => writers.get(id) === writer && writers.delete(id)))
    )
  })

  return IncomingUploads.of({
    find,
    settle,
    begin: Effect.fn("IncomingUploads.begin")(function*(length_bytes, metadata = undefined) {
      const { tenant_id } = yield* CurrentTenant
      yield* Effect.orDie(blobs.roomForMore)
      const id = yield* newId("upl")
      const insert = sql<IncomingRow>`
        INSERT INTO footnote.incoming_uploads (id, tenant_id, blob_key, length_bytes, metadata, expires_at)
        VALUES (${id}, ${tenant_id}, ${`uploads/${tenant_id}/${id}`}, ${length_bytes}, ${metadata ?? null},
          now() + make_interval(secs => ${uploadLifetime.unfinished_seconds}))
        RETURNING ${sql.literal(columns)}`
      return yield* inTenant(tenant_id)(remembered(
        sql,
        Effect.andThen(
          requireRoom(sql, tenant_id, storage_quota, length_bytes),
          Effect.map(insert, ([row]) => toIncoming(row!))
        )
      ))
    }),
    append: Effect.fn("IncomingUploads.append")(function*(id, addition) {
      const { declared_bytes, offset } = addition
      if ((yield* find(id)) === undefined) return undefined
      yield* settle(id)
      const writer = randomBytes(8).toString("hex")
      const row = yield* claim(id, offset, writer)
      if (row === undefined) {
        const there = yield* find(id)
        return there === undefined ? undefined : yield* conflict(Number(there.received_bytes))
      }
      const room = Number(row.length_bytes) - offset
      if (declared_bytes !== undefined && declared_bytes > room) {
        return yield* new PayloadTooLarge({
          message: `The upload was announced with ${row.length_bytes} bytes.`,
          headers: { connection: "close" }
        })
      }
      return yield* asWriter(id, (stop) => receive(row, writer, addition, stop))
    }),
    remove: Effect.fn("IncomingUploads.remove")(function*(id) {
      const { tenant_id } = yield* CurrentTenant
      const found = yield* find(id)
      if (found === undefined) return undefined
      yield* settle(id)
      const [row] = yield* inTenant(tenant_id)(sql<{ deleted_at: Date }>`
        WITH gone AS (DELETE FROM footnote.incoming_uploads WHERE id = ${id} AND tenant_id = ${tenant_id}
          RETURNING id, tenant_id)
        INSERT INTO footnote.deleted_uploads (id, tenant_id) SELECT id, tenant_id FROM gone RETURNING deleted_at`)
      if (row === undefined) return undefined
      yield* drop(segmentsOf(found.blob_key))
      return row.deleted_at
    }),
    sweep: Effect.gen(function*() {
      const rows = yield* engine<{ id: string; blob_key: string }>`
        SELECT id, blob_key FROM footnote.incoming_uploads WHERE expires_at <= now() ORDER BY expires_at LIMIT 100`
      for (const { blob_key, id } of rows) {
        // Bytes first: a sweep that dies in between finds the row again.
        yield* blobs.removeAll(segmentsOf(blob_key))
        yield* engine`DELETE FROM footnote.incoming_uploads WHERE id = ${id} AND expires_at <= now()`
      }
      return rows.length
    }).pipe(Effect.orDie, Effect.withSpan("IncomingUploads.sweep"))
  })
})
