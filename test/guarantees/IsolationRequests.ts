import { type Belongings, webhook } from "../support/Belongings.ts"
import type { Call } from "../support/TestServer.ts"

const tus = { "tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream" }

/** What a route has to be sent beside the id in its path. */
export const bodies: Readonly<Record<string, (own: Belongings) => Call>> = {
  "PATCH /v1/uploads/{id}": () => ({ headers: tus, body: new Uint8Array([1, 2, 3, 4]) }),
  "PATCH /v1/destinations/{id}": () => ({ json: { name: "changed", config: webhook.config, status: "paused" } }),
  "POST /v1/destinations/{id}/rotate-signing-secret": () => ({ json: {} }),
  "POST /v1/destinations/{id}/backfill": () => ({ json: {} }),
  "POST /v1/destinations/{id}/recover": () => ({ json: { since: "2026-01-01T00:00:00Z" } }),
  "POST /v1/schemas/{id}/test": ({ ids }) => ({ json: { job_id: ids.job[2], wait_seconds: 0 } }),
  "POST /v1/schemas/{id}/versions": () => ({ json: { json_schema: { type: "object" } } }),
  "POST /v1/jobs/{id}/extractions": () => ({ json: {} }),
  "POST /v1/jobs/{id}/media-links": () => ({ json: {} }),
  "POST /v1/jobs/{id}/reviews": () => ({
    json: { base_revision: 1, decisions: [{ pointer: "/of", action: "reject" }] }
  }),
  "PUT /v1/jobs/{id}/speakers": () => ({ json: { speakers: [] } }),
  "POST /v1/jobs/{id}/deliveries": ({ ids }) => ({ json: { destination_id: ids.dst[0] } })
}

/** What a route has to be asked beside the id in its path. */
export const queries: Readonly<Record<string, string>> = {
  "GET /v1/jobs/{id}/frames/at": "?t=1",
  "GET /v1/jobs/{id}/clips": "?t_start=0&t_end=1"
}
