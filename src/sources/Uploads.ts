import { PgClient } from "@effect/sql-pg"
import { Config, Context, Effect, Layer, Option, Stream } from "effect"
import { isId, newId } from "../crypto/Id.ts"
import { toInstant } from "../database/Instant.ts"
import { InvalidRequest, PayloadTooLarge } from "../errors/RequestErrors.ts"
import { Blobs } from "../storage/Blobs.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { type DeletedUpload, type Upload, UploadNotFound } from "./Upload.ts"
import { UploadLookup } from "./UploadLookup.ts"

interface Row {
  readonly id: string
  readonly blob_key: string
  readonly size_bytes: number | string | bigint
  readonly sha256: string
  readonly created_at: Date
  readonly expires_at: Date
}

const toUpload = (row: Row): Upload => ({
  id: row.id,
  uri: `upload://${row.id}`,
  size_bytes: Number(row.size_bytes),
  sha256: row.sha256,
  created_at: toInstant(row.created_at),
  expires_at: toInstant(row.expires_at)
})

/** The largest file that is taken, in bytes: `UPLOAD_MAX_BYTES`, default 10 GiB. */
export const uploadMaxBytes = Config.Int("UPLOAD_MAX_BYTES").pipe(Config.withDefault(10 * 1024 ** 3))

/** Files of the current tenant that jobs are made of. Kept 7 days; an expired one is as unknown as a foreign one. */
export class Uploads extends Context.Service<Uploads, {
  /** Stores a body while it arrives. One that breaks off, is empty or too large leaves neither row nor bytes. */
  readonly receive: <E, R>(
    body: Stream.Stream<Uint8Array, E, R>,
    declared_bytes: number | undefined
  ) => Effect.Effect<Upload, E | PayloadTooLarge | InvalidRequest, R | CurrentTenant>
  readonly get: (id: string) => Effect.Effect<Upload, UploadNotFound, CurrentTenant>
  readonly remove: (id: string) => Effect.Effect<DeletedUpload, UploadNotFound, CurrentTenant>
  /** Drops what has expired, rows and bytes; returns how many. */
  readonly sweep: Effect.Effect<number>
}>()("footnote/sources/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const blobs = yield* Blobs
      const maxBytes = yield* uploadMaxBytes
      const tooLarge = () =>
        new PayloadTooLarge({ message: `An upload holds at most ${maxBytes} bytes.`, headers: { connection: "close" } })
      const drop = (key: string) => Effect.orDie(blobs.removeAll(key))

      return Uploads.of({
        receive: Effect.fn("Uploads.receive")(function*<E, R>(
          body: Stream.Stream<Uint8Array, E, R>,
          declared_bytes: number | undefined
        ) {
          const { tenant_id } = yield* CurrentTenant
          if (declared_bytes !== undefined && declared_bytes > maxBytes) return yield* tooLarge()
          const id = yield* newId("upl")
          const key = `uploads/${tenant_id}/${id}`
          let received = 0
          const blob = yield* blobs.putStream(
            key,
            Stream.tap(body, (chunk) => {
              received += chunk.length
              return received > maxBytes ? Effect.fail(tooLarge()) : Effect.void
            })
          ).pipe(Effect.catchTag("BlobError", Effect.die))
          if (blob.size_bytes === 0) {
            yield* drop(key)
            return yield* new InvalidRequest({ details: [{ path: "", message: "The body is empty" }] })
          }
          const [row] = yield* sql<Row>`
            INSERT INTO footnote.uploads (id, tenant_id, blob_key, size_bytes, sha256, expires_at)
            VALUES (${id}, ${tenant_id}, ${key}, ${blob.size_bytes}, ${blob.sha256}, now() + interval '7 days')
            RETURNING id, blob_key, size_bytes, sha256, created_at, expires_at`.pipe(
            Effect.orDie,
            Effect.onError(() => Effect.ignoreCause(drop(key)))
          )
          return toUpload(row!)
        }),

        get: Effect.fn("Uploads.get")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const [row] = isId("upl", id)
            ? yield* sql<Row>`
              SELECT id, blob_key, size_bytes, sha256, created_at, expires_at FROM footnote.uploads
              WHERE id = ${id} AND tenant_id = ${tenant_id} AND expires_at > now()`.pipe(Effect.orDie)
            : []
          return row === undefined ? yield* new UploadNotFound() : toUpload(row)
        }),

        remove: Effect.fn("Uploads.remove")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const [row] = isId("upl", id)
            ? yield* sql<{ blob_key: string; deleted_at: Date }>`
              DELETE FROM footnote.uploads WHERE id = ${id} AND tenant_id = ${tenant_id} AND expires_at > now()
              RETURNING blob_key, now() AS deleted_at`.pipe(Effect.orDie)
            : []
          if (row === undefined) return yield* new UploadNotFound()
          yield* drop(row.blob_key)
          return { id, deleted_at: toInstant(row.deleted_at) }
        }),

        sweep: Effect.gen(function*() {
          // Bytes first: a sweep that dies in between finds the row again.
          const rows = yield* sql<{ id: string; blob_key: string }>`
            SELECT id, blob_key FROM footnote.uploads WHERE expires_at <= now() ORDER BY expires_at LIMIT 100`
          for (const { blob_key, id } of rows) {
            yield* drop(blob_key)
            yield* sql`DELETE FROM footnote.uploads WHERE id = ${id}`
          }
          return rows.length
        }).pipe(Effect.orDie, Effect.withSpan("Uploads.sweep"))
      })
    })
  )
}

/** Finds uploads for the stage that fetches sources. */
export const UploadLookupLayer = Layer.effect(
  UploadLookup,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return UploadLookup.of({
      find: Effect.fn("UploadLookup.find")(function*(tenant_id, upload_id) {
        const [row] = isId("upl", upload_id)
          ? yield* sql<Row>`
            SELECT id, blob_key, size_bytes, sha256, created_at, expires_at FROM footnote.uploads
            WHERE id = ${upload_id} AND tenant_id = ${tenant_id} AND expires_at > now()`.pipe(Effect.orDie)
          : []
        return row === undefined
          ? Option.none()
          : Option.some({ key: row.blob_key, size_bytes: Number(row.size_bytes), sha256: row.sha256 })
      })
    })
  })
)
