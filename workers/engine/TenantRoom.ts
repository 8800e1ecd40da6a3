import { Effect } from "effect"
import type { TenantId } from "../../src/identity/Id.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { roomOf, storageRefusal, TenantStorage } from "../../src/usage/ledger/StorageQuota.ts"

/** The bytes that a tenant may still keep, and what a stage fails with that would write more. */
export interface TenantRoom {
  readonly bytes: number
  readonly exceeded: StageFailure
}

/** Looked at before a stage writes; a tenant's few tasks at a time may together go beyond it by what each of them writes. */
export const makeTenantRoom = Effect.gen(function*() {
  const stateOf = yield* TenantStorage
  return (tenant_id: TenantId): Effect.Effect<TenantRoom, StageFailure> =>
    stateOf(tenant_id).pipe(
      Effect.map((state) => ({
        bytes: roomOf(state),
        exceeded: new StageFailure({
          code: "STORAGE_QUOTA_EXCEEDED",
          message: storageRefusal(state),
          retryable: false
        })
      })),
      Effect.mapError(() =>
        new StageFailure({ code: "INTERNAL", message: "The tenant's storage could not be read.", retryable: true })
      )
    )
})
