import { Effect, Option, Result, Stream } from "effect"
import { createReadStream } from "node:fs"
import type { AddressPolicy } from "../../../src/egress/AddressPolicy.ts"
import type { TenantId } from "../../../src/identity/Id.ts"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { forbiddenObject, type S3Policy } from "../../../src/sources/S3Policy.ts"
import { parseSourceUri } from "../../../src/sources/SourceUri.ts"
import { UploadLookup } from "../../../src/sources/UploadLookup.ts"
import type { BlobRef } from "../../../src/storage/BlobRef.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import { blobFile } from "../../../src/storage/CheckedBlobs.ts"
import { storeFailure } from "../../engine/FromStore.ts"
import type { StageHandler } from "../../engine/Stage.ts"
import { makeTenantRoom } from "../../engine/TenantRoom.ts"
import { refuse } from "../ffmpeg/MediaContext.ts"
import type { MediaLimits } from "../ffmpeg/MediaLimits.ts"
import { defaultDeadlines, download } from "./Download.ts"
import { downloadObject, s3Deadlines } from "./S3Download.ts"

const readFailure = (error: unknown) =>
  new StageFailure({ code: "INTERNAL", message: `The kept source cannot be read: ${String(error)}`, retryable: true })

const sampleFailure = (error: unknown) =>
  refuse("SOURCE_UNREACHABLE", `The sample is not on this machine: ${String(error)}`)

/** Opened with the first pull: a store whose disk is low refuses before it, and nobody would close what is open by then. */
const fileBytes = (file: string, failure: (error: unknown) => StageFailure) =>
  Stream.suspend(() => Stream.fromAsyncIterable(createReadStream(file) as AsyncIterable<Uint8Array>, failure))

/** 10 GiB at 1.5 MB/s. */
const TOTAL_SECONDS = 2 * 3600

/**
 * Brings the source into the blob store. An upload is there already and is referred to, not copied; an http(s) file
 * or an S3 object is streamed in under its policy, the size cap and deadlines. Fails as `download` and `downloadObject` do,
 * with `SOURCE_BLOCKED` for an object that jobs may not read, and with `SOURCE_UNREACHABLE` for an upload that is gone.
 * What does not fit the tenant's storage quota fails with `STORAGE_QUOTA_EXCEEDED`.
 */
export const makeFetch = Effect.fnUntraced(function*(
  policy: AddressPolicy,
  s3: Option.Option<S3Policy>,
  limits: MediaLimits
) {
  const blobs = yield* Blobs
  const uploads = yield* UploadLookup
  const roomOf = yield* makeTenantRoom

  const bringIn = (key: string, bytes: Stream.Stream<Uint8Array, StageFailure>) =>
    blobs.putStream(key, bytes).pipe(
      Effect.mapError((error) => error._tag === "BlobError" ? storeFailure(error) : error),
      Effect.timeoutOrElse({
        duration: TOTAL_SECONDS * 1000,
        orElse: () =>
          Effect.fail(
            new StageFailure({
              code: "SOURCE_UNREACHABLE",
              message: `Fetching took longer than ${TOTAL_SECONDS} s.`,
              retryable: true
            })
          )
      }),
      Effect.map((source) => ({ source, warnings: [] }))
    )

  /** The bytes that an earlier job was made of: an upload's are referred to, a job's own copy may be erased with it. */
  const bringAgain = Effect.fnUntraced(function*(kept: BlobRef, key: string) {
    const file = yield* blobFile(blobs, kept).pipe(
      Effect.mapError((error) =>
        error._tag === "BlobDamaged"
          ? refuse("SOURCE_UNREACHABLE", "The kept bytes of the source are gone or damaged; submit the source again.")
          : storeFailure(error)
      )
    )
    if (kept.key.startsWith("uploads/")) return { source: kept, warnings: [] }
    return yield* bringIn(key, fileBytes(file, readFailure))
  })

  const refer = Effect.fnUntraced(function*(tenant_id: TenantId, upload_id: string) {
    const upload = yield* uploads.find(tenant_id, upload_id)
    if (Option.isNone(upload)) {
      return yield* refuse("SOURCE_UNREACHABLE", "The upload does not exist, is not complete or has expired.")
    }
    return { source: upload.value, warnings: [] }
  })

  const handler: StageHandler<"fetch"> = Effect.fn("fetch")(function*({ blobPrefix, input, tenant_id }) {
    if (input.kept_source !== undefined) return yield* bringAgain(input.kept_source, `${blobPrefix}/source`)
    const uri = parseSourceUri(input.source_uri, policy)
    if (Result.isFailure(uri)) {
      const { details, message } = uri.failure
      return yield* refuse("SOURCE_BLOCKED", details?.[0]?.message ?? message)
    }
    const source = uri.success
    if (source.kind === "upload") return yield* refer(tenant_id, source.upload_id)
    const room = yield* roomOf(tenant_id)
    if (room.bytes === 0) return yield* room.exceeded
    const max_bytes = Math.min(limits.max_bytes, room.bytes)
    const within = Effect.mapError((failure: StageFailure) =>
      failure.code === "SOURCE_TOO_LARGE" && max_bytes < limits.max_bytes ? room.exceeded : failure
    )
    switch (source.kind) {
      case "sample":
        return yield* bringIn(`${blobPrefix}/source`, fileBytes(source.file, sampleFailure))
      case "s3": {
        const forbidden = forbiddenObject(s3, tenant_id, source)
        if (forbidden !== undefined || Option.isNone(s3)) return yield* refuse("SOURCE_BLOCKED", forbidden ?? "")
        const { connection } = s3.value
        const options = { connection, max_bytes, deadlines: s3Deadlines }
        return yield* within(bringIn(`${blobPrefix}/source`, downloadObject(source, options)))
      }
      case "http":
        return yield* within(bringIn(
          `${blobPrefix}/source`,
          download(source.url, { policy, max_bytes, deadlines: defaultDeadlines })
        ))
    }
  })
  return handler
})
