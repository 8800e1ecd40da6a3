import { Effect } from "effect"
import { StageFailure } from "../src/jobs/JobFailure.ts"
import type { BlobError } from "../src/storage/Blobs.ts"
import type { BlobDamaged } from "../src/storage/CheckedBlobs.ts"

/**
 * What the blob store's failure is to a stage: a store that is away or a blob that is missing may come back, so another attempt can
 * help; bytes that have changed stay as they are, and the job fails with `ARTIFACT_DAMAGED`.
 */
export const storeFailure = (error: BlobError | BlobDamaged): StageFailure =>
  error._tag === "BlobDamaged"
    ? new StageFailure({
      code: "ARTIFACT_DAMAGED",
      message: `${error.message}; retry the job.`,
      retryable: error.found_sha256 === null
    })
    : new StageFailure({ code: "INTERNAL", message: `Blob store: ${error.message}`, retryable: true })

export const fromStore = <A, R>(
  effect: Effect.Effect<A, BlobError | BlobDamaged, R>
): Effect.Effect<A, StageFailure, R> => Effect.mapError(effect, storeFailure)
