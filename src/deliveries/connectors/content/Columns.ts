import type { Schema } from "effect"
import { shownUri } from "../../../sources/ShownUri.ts"
import type { SystemColumn } from "../../model/ColumnPath.ts"
import type { DeliveryPayload } from "./Connector.ts"
import { evidenceText } from "./SpokenMoment.ts"

/** What a cell of Google Sheets takes, the shortest of the vendors' limits for one text. */
const mostEvidence = 50_000

const systemColumn = (payload: DeliveryPayload): Readonly<Record<SystemColumn, Schema.Json>> => {
  const { job } = payload
  return {
    "$delivery.id": payload.delivery_id,
    "$event.type": payload.event_type,
    "$job.id": job.id,
    "$job.status": job.status,
    "$job.source_uri": shownUri(job.source_uri),
    "$job.schema_id": job.schema_id,
    "$job.model_stack": job.model_stack,
    "$job.created_at": job.created_at,
    "$job.finished_at": job.finished_at,
    "$job.duration_seconds": job.source?.duration_seconds ?? null,
    "$job.result_confidence": job.result_confidence,
    "$page.url": payload.links.page,
    "$job.url": payload.links.job,
    "$evidence.url": payload.links.evidence,
    // Made where it is asked for: it is as long as the evidence is.
    get "$evidence"() {
      return evidenceText(payload.evidence, mostEvidence)
    },
    "$result": payload.result
  }
}

/** RFC 6901, from the root of the result; undefined where nothing is there. Own members only, so no prototype answers. */
const follow = (pointer: string, root: Schema.Json): Schema.Json | undefined => {
  let at: unknown = root
  for (const token of pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, token)) return undefined
    if (Array.isArray(at) && !/^(?:0|[1-9]\d*)$/u.test(token)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[token]
  }
  return at as Schema.Json
}

/** The value that a column's path names: of the job, or of the result. Null where there is none. */
export const valueAt = (path: string, payload: DeliveryPayload): Schema.Json =>
  path.startsWith("$")
    ? systemColumn(payload)[path as SystemColumn] ?? null
    : follow(path, payload.result) ?? null

/** True for the columns that are links of our own making. */
export const isOurLink = (path: string): boolean => /^\$(?:page|job|evidence)\.url$/u.test(path)
