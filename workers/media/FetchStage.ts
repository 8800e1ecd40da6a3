import { Effect, Option, Result } from "effect"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import type { SourcePolicy } from "../../src/sources/SourcePolicy.ts"
import { parseSourceUri } from "../../src/sources/SourceUri.ts"
import { UploadLookup } from "../../src/sources/UploadLookup.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import type { StageHandler } from "../Stage.ts"
import { defaultDeadlines, download } from "./Download.ts"
import { refuse, storeFailure } from "./MediaContext.ts"
import type { MediaLimits } from "./MediaLimits.ts"

/** 10 GiB at 1.5 MB/s. */
const TOTAL_SECONDS = 2 * 3600

/**
 * Brings the source into the blob store. An upload is there already and is referred to, not copied; an http(s) file is
 * streamed in under the policy, the size cap and deadlines. Fails as `download` does, and with `SOURCE_UNREACHABLE` for
 * an upload that is gone.
 */
export const makeFetch = Effect.fnUntraced(function*(policy: SourcePolicy, limits: MediaLimits) {
  const blobs = yield* Blobs
  const uploads = yield* UploadLookup
  const handler: StageHandler<"fetch"> = Effect.fn("fetch")(function*({ blobPrefix, input, tenant_id }) {
    const uri = parseSourceUri(input.source_uri, policy)
    if (Result.isFailure(uri)) {
      const { details, message } = uri.failure
      return yield* refuse("SOURCE_BLOCKED", details?.[0]?.message ?? message)
    }
    switch (uri.success.kind) {
      case "s3":
        return yield* refuse("SOURCE_UNREACHABLE", "s3 is not configured on this deployment.")
      case "upload": {
        const upload = yield* uploads.find(tenant_id, uri.success.upload_id)
        if (Option.isNone(upload)) {
          return yield* refuse("SOURCE_UNREACHABLE", "The upload does not exist, is not complete or has expired.")
        }
        return { source: upload.value, warnings: [] }
      }
      case "http": {
        const bytes = download(uri.success.url, {
          policy,
          max_bytes: limits.max_bytes,
          deadlines: defaultDeadlines
        })
        const source = yield* blobs.putStream(`${blobPrefix}/source`, bytes).pipe(
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
          })
        )
        return { source, warnings: [] }
      }
    }
  })
  return handler
})
