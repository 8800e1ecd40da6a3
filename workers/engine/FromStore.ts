import { Effect } from "effect"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { BlobError } from "../../src/storage/Blobs.ts"
import type { BlobDamaged } from "../../src/storage/CheckedBlobs.ts"
import { diskFault } from "../../src/storage/DiskFault.ts"

const faults = { store: "blob_store", disk: "disk_full" } as const

/** A store or a disk that is away is no fault of the job: its task is paused. */
const faultOf = (away: "store" | "disk" | undefined) => away === undefined ? {} : { fault: faults[away] }

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
    : new StageFailure({
      code: "INTERNAL",
      message: `Blob store: ${error.message}`,
      retryable: true,
      ...faultOf(error.away)
    })

export const fromStore = <A, R>(
  effect: Effect.Effect<A, BlobError | BlobDamaged, R>
): Effect.Effect<A, StageFailure, R> => Effect.mapError(effect, storeFailure)

/** A stage whose own files could not be written or read: paused where the disk is full or away. */
export const systemFailure = (what: string) => (error: unknown): StageFailure =>
  new StageFailure({
    code: "INTERNAL",
    message: `${what}: ${String(error)}`,
    retryable: true,
    ...faultOf(diskFault(error))
  })
