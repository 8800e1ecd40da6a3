import type { Schema } from "effect"
import { shownUri } from "../../../sources/ShownUri.ts"
import type { DeliveryPayload } from "./Connector.ts"

/** What is written about a job where its destination does not say which columns it wants, in this order. */
export const jobFacts = ({ delivery_id, evidence, job, links, result }: DeliveryPayload) =>
  ({
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
    evidence_url: links.evidence,
    result_url: links.result
  }) satisfies Readonly<Record<string, Schema.Json>>
