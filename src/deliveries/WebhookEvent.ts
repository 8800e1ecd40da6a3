import type { Schema } from "effect"
import type { JobRecord } from "../jobs/Job.ts"

/** A body over this leaves the result out: receivers commonly refuse more. */
const mostBytes = 1024 * 1024

/**
 * The body of a webhook: `{ id, type, created_at, data: { job } }`, the job with its result. Over 1 MiB the job comes
 * without it and `data.result_url` names where it is. Another version of this code may build another text: what was built
 * first is kept and sent on every attempt.
 */
export const webhookBody = (event: {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly job: JobRecord
  readonly result: Schema.Json
  readonly result_url: string
}): string => {
  const { created_at, id, job, result, result_url, type } = event
  const whole = JSON.stringify({ id, type, created_at, data: { job: { ...job, result } } })
  return Buffer.byteLength(whole) <= mostBytes
    ? whole
    : JSON.stringify({ id, type, created_at, data: { job, result_url } })
}
