/**
 * Every code that a caller can ever see in an error envelope, with its HTTP status and its default message.
 * The list is closed: a code is added here or it cannot be sent.
 */
export const ErrorCatalog = {
  INVALID_REQUEST: { status: 400, message: "The request does not fit the API; see details." },
  UNAUTHENTICATED: { status: 401, message: "Send a valid API key as Authorization: Bearer <key>." },
  CSRF_TOKEN_INVALID: {
    status: 403,
    message:
      "A request by session cookie has to come from the service's own pages, and to change anything with its CSRF token."
  },
  API_KEY_SELF_REVOKE: { status: 400, message: "A key cannot revoke itself; use another key of the tenant." },
  API_KEY_NOT_FOUND: { status: 404, message: "No such API key." },
  DESTINATION_NOT_FOUND: { status: 404, message: "No such destination." },
  DESTINATION_TYPE_UNSUPPORTED: { status: 422, message: "This is only possible for a webhook destination." },
  DESTINATION_CONFIG_INVALID: { status: 422, message: "The config does not fit the destination's type; see details." },
  DELIVERY_NOT_FOUND: { status: 404, message: "No such delivery." },
  UPLOAD_NOT_FOUND: { status: 404, message: "No such upload." },
  UPLOAD_OFFSET_CONFLICT: { status: 409, message: "Upload-Offset is not where the upload stands; ask with HEAD." },
  UPLOAD_CHECKSUM_MISMATCH: { status: 460, message: "The bytes do not fit Upload-Checksum; none of them was kept." },
  TUS_VERSION_UNSUPPORTED: { status: 412, message: "Send Tus-Resumable: 1.0.0." },
  SCHEMA_NOT_FOUND: { status: 404, message: "No such schema." },
  BATCH_NOT_FOUND: { status: 404, message: "No such batch." },
  JOB_NOT_FOUND: { status: 404, message: "No such job." },
  REVIEW_NOT_FOUND: { status: 404, message: "No such review of this job." },
  REVIEW_CONFLICT: { status: 409, message: "Somebody has reviewed the job meanwhile; read it again and decide anew." },
  REVIEW_INCOMPLETE: { status: 409, message: "Not every leaf of the result has been decided on; see details." },
  EXPORT_NOT_FOUND: { status: 404, message: "No such export." },
  FRAME_NOT_FOUND: { status: 404, message: "No such frame among the kept ones; only these have an image." },
  MANIFEST_NOT_FOUND: { status: 404, message: "The job ended before manifests were made; submit it again for one." },
  SCHEMA_INVALID: { status: 422, message: "The schema cannot be used; see details." },
  SCHEMA_IN_USE: { status: 409, message: "The schema is in use." },
  MODEL_STACK_UNKNOWN: { status: 422, message: "No such model stack on this deployment." },
  JOB_ALREADY_TERMINAL: { status: 409, message: "The job has already succeeded or failed." },
  JOB_NOT_SUCCEEDED: { status: 409, message: "The job has not succeeded, so there is nothing to read." },
  JOB_NOT_TERMINAL: { status: 409, message: "The job is still at work; wait for its end, or cancel it first." },
  SOURCE_NOT_KEPT: { status: 409, message: "The source of this job is not kept any more; submit it again." },
  SOURCE_ERASED: {
    status: 410,
    message: "The source of this job is not kept any more; its transcript, kept frames and evidence are."
  },
  RENDITION_NOT_READY: { status: 409, message: "The preview has not been made yet; ask for it first." },
  RENDITION_FAILED: { status: 422, message: "This cannot be made of the source." },
  RANGE_NOT_SATISFIABLE: { status: 416, message: "The range has no byte in it; Content-Range tells the size." },
  ARTIFACT_DAMAGED: {
    status: 500,
    message: "The artifact is lost or not what was written, so it is not served; retry the job to make it anew."
  },
  SOURCE_BLOCKED: { status: 422, message: "This source may not be fetched." },
  IDEMPOTENCY_KEY_CONFLICT: { status: 422, message: "This Idempotency-Key was used with a different body." },
  IDEMPOTENCY_KEY_ORPHANED: {
    status: 422,
    message: "What this Idempotency-Key made is gone; retry with the same key."
  },
  IDEMPOTENCY_KEY_INVALID: { status: 400, message: "Idempotency-Key must be 1 to 255 printable ASCII characters." },
  CONCURRENT_JOBS_LIMIT: { status: 429, message: "The tenant's limit of concurrent jobs is reached; retry later." },
  COST_QUOTA_EXCEEDED: { status: 402, message: "The tenant's cost quota is used up." },
  STORAGE_QUOTA_EXCEEDED: { status: 402, message: "The tenant keeps as many bytes as it may; delete uploads or jobs." },
  RATE_LIMITED: { status: 429, message: "Too many requests; retry later." },
  PAYLOAD_TOO_LARGE: { status: 413, message: "The request body is too large; nothing was kept." },
  REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time; send it again." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "The Content-Type is not supported here." },
  ROUTE_NOT_FOUND: { status: 404, message: "No such route." },
  METHOD_NOT_ALLOWED: { status: 405, message: "This route does not take that method; see the Allow header." },
  SERVICE_UNAVAILABLE: { status: 503, message: "The service is not able to answer right now; retry shortly." },
  INTERNAL: { status: 500, message: "Something went wrong on our side; quote the request id." }
} as const satisfies Record<string, { readonly status: number; readonly message: string }>

export type ErrorCode = keyof typeof ErrorCatalog
