import type { Schema } from "effect"
import { shownUri } from "../../../sources/ShownUri.ts"
import type { DeliveryPayload } from "./Connector.ts"
import { appLink } from "./SpokenMoment.ts"

/** What is written about a job where its destination does not say which columns it wants, in this order. */
export const jobFacts = (payload: DeliveryPayload) => {
  const { delivery_id, evidence, job, links, result } = payload
  return {
    job_id: job.id,
    delivery_id,
    status: job.status,
    source_uri: shownUri(job.source_uri),
    schema_id: job.schema_id,
    created_at: job.created_at,
    finished_at: job.finished_at,
    duration_s: job.source?.duration_seconds ?? null,
    result,
    evidence_count: evidence.length,
    // Rows are looked at by people, long after a link without a key has ended.
    evidence_url: appLink(payload),
    result_url: links.app
  } satisfies Readonly<Record<string, Schema.Json>>
}
