import type { Schema } from "effect"
import type { JobRecord } from "../jobs/Job.ts"
import { shownUri } from "../sources/ShownUri.ts"

/** A body over this leaves the result out: receivers commonly refuse more. */
const mostBytes = 1024 * 1024

/** One body goes to every receiver of an event: none is told where another one is, nor what opens the source. */
const told = (job: JobRecord): JobRecord => ({ ...job, source_uri: shownUri(job.source_uri), webhook_url: null })

/**
 * The body of a webhook: `{ id, type, created_at, data: { job } }`, the job with its result, as the API shows it but for
 * `webhook_url`, which is null, and for what grants access in `source_uri`, which is left out. Over 1 MiB the job comes
 * without its result and `data.result_url` names where it is. Another version of this code may build another text: what was built
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
  const { created_at, id, result, result_url, type } = event
  const job = told(event.job)
  const whole = JSON.stringify({ id, type, created_at, data: { job: { ...job, result } } })
  return Buffer.byteLength(whole) <= mostBytes
    ? whole
    : JSON.stringify({ id, type, created_at, data: { job, result_url } })
}
