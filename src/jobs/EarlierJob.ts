import { Effect, Option } from "effect"
import { IdempotencyKeyConflict, IdempotencyKeyOrphaned } from "../idempotency/IdempotencyKey.ts"
import type { TenantId } from "../identity/Id.ts"
import type { IdempotencyKey, IdempotencyKeys } from "./engine/IdempotencyKeys.ts"
import type { Jobs } from "./Jobs.ts"
import type { sealedWebhookSecret } from "./SealedWebhookSecret.ts"

/**
 * What a submission's key has come to already, before anything of the body is judged, since the job was judged when it was made;
 * undefined where a job is to be made. A tenant without a free slot is told so before anything else is looked at.
 */
export const makeEarlierJob = (
  jobs: Jobs["Service"],
  idempotencyKeys: IdempotencyKeys["Service"],
  secretOf: ReturnType<typeof sealedWebhookSecret>
) => {
  const replay = Effect.fnUntraced(function*(tenant_id: TenantId, idempotency: IdempotencyKey) {
    const reservation = yield* Effect.orDie(idempotencyKeys.look(tenant_id, idempotency))
    if (reservation.kind === "conflict") return yield* new IdempotencyKeyConflict()
    if (reservation.kind === "orphaned") return yield* new IdempotencyKeyOrphaned()
    if (reservation.kind === "fresh") return undefined
    const [row] = yield* secretOf(tenant_id, reservation.job_id)
    const job = yield* Effect.option(jobs.get(tenant_id, reservation.job_id))
    // Erased between the two reads: the transaction of a creation will see it.
    return row === undefined || Option.isNone(job)
      ? undefined
      : { job: job.value, webhook_secret: row.webhook_secret, replayed: true }
  })

  return Effect.fnUntraced(function*(tenant_id: TenantId, idempotency: IdempotencyKey | undefined) {
    const look = idempotency === undefined ? Effect.undefined : replay(tenant_id, idempotency)
    const earlier = yield* look
    if (earlier !== undefined) return earlier
    const full = yield* jobs.fullness(tenant_id)
    // The last slot may have been taken under the same key, since it was looked at.
    return full && ((yield* look) ?? (yield* full))
  })
}
