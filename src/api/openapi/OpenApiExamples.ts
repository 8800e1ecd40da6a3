import type { Schema } from "effect"
import { mediaExamples } from "./OpenApiMediaExamples.ts"
import { reviewExamples } from "./OpenApiReviewExamples.ts"
import { usageExamples } from "./OpenApiUsageExamples.ts"

const job_id = "job_01kaj3e5h8z9q0w1x2y3z4a5b6"
const schema_id = "sch_01kaj3d2m4n6p8q0r2s4t6v8w0"
const destination_id = "dst_01kaj3bhyx7w5v3t1s9r7q5p3n"
const export_id = "exp_01kaj3gm4n6p8q0r2s4t6v8w0x"
const upload_id = "upl_01kaj3c9f7e5d3b1a9z8y7x6w5"
const delivery_id = "dlv_01kaj3fj2k4m6n8p0q2r4s6t8v"
const batch_id = "bat_01kaj3g1m3n5p7q9r1s3t5v7w9"
const key_id = "key_01kaj2zzzz7x5v3t1s9r7q5p3n"
const request_id = "req_6f1c2f3e-5a6b-4c7d-8e9f-0a1b2c3d4e5f"
const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
const created_at = "2026-11-20T09:30:00.000Z"
const started_at = "2026-11-20T09:30:00.412Z"
const finished_at = "2026-11-20T09:31:12.880Z"

const json_schema = {
  type: "object",
  properties: {
    title: { type: "string" },
    price: { type: "number" }
  },
  required: ["title"]
}

const progress = {
  stage: null,
  fraction: 1,
  stages: [
    { name: "fetch", status: "done", fraction: 1, started_at, finished_at: "2026-11-20T09:30:02.010Z" },
    { name: "extract", status: "done", fraction: 1, started_at: "2026-11-20T09:31:10.300Z", finished_at }
  ]
}

const record = {
  id: job_id,
  status: "succeeded",
  title: "Espresso machines compared",
  source_uri: `upload://${upload_id}`,
  source_name: "espresso.mp4",
  schema_id,
  schema_version: 1,
  model_stack: "builtin",
  destination_ids: [destination_id],
  webhook_url: "https://example.com/hooks/footnote",
  hints: { num_speakers: 2, vocabulary: ["Footnote"] },
  on_missing: "fill",
  metadata: { order: "4711" },
  created_at,
  started_at,
  finished_at,
  progress,
  source: {
    container: "mp4",
    duration_seconds: 62.48,
    width: 1920,
    height: 1080,
    frame_rate: 25,
    audio: "aac",
    video: "h264",
    size_bytes: 18_734_112,
    sha256
  },
  result_confidence: 0.93,
  counts: { leaves: 2, filled: 2, verified: 2, unfilled: 0 },
  warnings: [],
  error: null,
  usage: { audio_seconds: 62.48, frames_sampled: 125, frames_kept: 9, model_seconds: 31.2, tokens: 0, cost: 0 },
  provenance: {
    models: [{ role: "asr", name: "builtin", execution_provider: "cpu" }]
  }
}

const job = { ...record, result: { title: "Espresso machine", price: 249.9 } }

const batch = {
  id: batch_id,
  status: "completed",
  size: 2,
  counts: { queued: 0, running: 0, succeeded: 1, failed: 0, cancelled: 0, refused: 1 },
  progress: { fraction: 1 },
  created_at,
  completed_at: finished_at
}

const settings = { default_destination_ids: [destination_id], has_webhook_secret: true, language_model: null }

const destination = {
  id: destination_id,
  name: "Warehouse",
  type: "webhook",
  status: "active",
  events: ["job.succeeded"],
  last_health_check_at: created_at,
  last_health_status: "ok",
  last_health_message: null,
  created_at
}

const schema = {
  id: schema_id,
  name: "Product",
  description: "What a product video says about its product.",
  is_template: false,
  version: 1,
  json_schema,
  created_at
}

const summary = { id: schema_id, name: schema.name, description: schema.description, is_template: false }

const key = {
  id: key_id,
  name: "Ingest",
  prefix: "fnk_8s6Q",
  scopes: ["*"],
  created_at
}

const delivery = {
  id: delivery_id,
  job_id,
  destination_id,
  destination_type: "webhook",
  event_id: "evt_01kaj3fj2k4m6n8p0q2r4s6t8w",
  event_type: "job.succeeded",
  revision: null,
  status: "succeeded",
  waits_for: null,
  attempts: [{ number: 1, at: finished_at, status_code: 204, error: null, duration_ms: 118 }],
  next_attempt_at: null,
  created_at: finished_at,
  finished_at: "2026-11-20T09:31:13.011Z"
}

const upload = {
  id: upload_id,
  uri: `upload://${upload_id}`,
  size_bytes: 18_734_112,
  received_bytes: 18_734_112,
  filename: "talk.mp4",
  sha256,
  created_at,
  expires_at: "2026-11-27T09:30:00.000Z"
}

const exported = {
  id: export_id,
  status: "ready",
  filter: { status: ["succeeded"], finished_after: "2026-11-19T00:00:00.000Z" },
  include: ["result"],
  jobs: 1,
  content_url: `/v1/exports/${export_id}/content`,
  created_at: "2026-11-21T00:00:00.000Z",
  expires_at: "2026-11-28T00:00:00.000Z"
}

const quote = "It is two hundred and forty-nine ninety."
const said = {
  origin_channel: "asr",
  t_start: 12.4,
  t_end: 14.96,
  source_ref: "seg#000004",
  quote: "two hundred and forty-nine ninety",
  media_fragment: "#t=12.4,14.96"
}
const page = <A>(...data: ReadonlyArray<A>) => ({ data, next_cursor: null })

/**
 * One example for each schema of the API document that a caller sends or is sent, by its name there, or by the operation
 * that takes it where it has none. A test holds every one of them against its schema.
 */
export const openApiExamples: Readonly<Record<string, Schema.Json>> = {
  CreateJob: {
    source_uri: `upload://${upload_id}`,
    schema_id,
    hints: { num_speakers: 2, vocabulary: ["Footnote"] },
    metadata: { order: "4711" }
  },
  TestSchema: { segments: [{ text: quote, speaker: "Ada" }] },
  SchemaTest: {
    job_id,
    status: "succeeded",
    result: { title: "Espresso machine", price: 249.9 },
    result_confidence: null,
    evidence: null,
    warnings: [],
    error: null
  },
  CreateSchemaVersion: { json_schema },
  SchemaVersion: { version: 1, created_at },
  SchemaVersions: { data: [{ version: 2, created_at: finished_at }, { version: 1, created_at }] },
  CreateExport: { ...exported.filter, include: exported.include },
  Export: exported,
  ExportFilter: exported.filter,
  ExportPage: page(exported),
  ExportLine: { cursor: "am9iXzAxa2FqM2U1aDh6OXEwdzF4MnkzejRhNWI2", job },
  ExpandedJob: job,
  ListedJob: job,
  DeletedExport: { id: export_id, deleted_at: finished_at },
  CreateExtraction: { schema_id, metadata: { order: "4711" } },
  BatchItem: { source_uri: "https://example.com/talk.mp4", schema_id, idempotency_key: "order-4711" },
  createJobs: {
    jobs: [
      { source_uri: "https://example.com/talk.mp4", idempotency_key: "order-4711" },
      { source_uri: "https://example.com/other.mp4", idempotency_key: "order-4712" }
    ]
  },
  CreatedJob: { ...job, webhook_signing_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
  Job: job,
  JobPage: page(record),
  BatchRecord: batch,
  BatchPage: { data: [batch], next_cursor: null },
  BatchDetails: {
    ...batch,
    items: [{ item: 0, job_id, error: null }, {
      item: 1,
      job_id: null,
      error: { code: "SCHEMA_NOT_FOUND", message: "No such schema.", request_id }
    }]
  },
  Batch: {
    id: batch_id,
    data: [
      { status: 201, job },
      { status: 422, error: { code: "SOURCE_BLOCKED", message: "This source may not be fetched.", request_id } }
    ]
  },
  JobSchema: { job_id, schema_id, json_schema, normalised: json_schema },
  DeletedJob: { id: job_id, deleted_at: finished_at },
  JobEvent: { id: 7, type: "status", at: finished_at, status: "succeeded", progress },
  JobTranscript: {
    job_id,
    language: "en",
    duration_seconds: 62.48,
    text: quote,
    speakers: [{ id: "S1", label: "Speaker 1", speaking_seconds: 41.2 }],
    segments: [{
      id: "seg#000004",
      origin: "asr",
      t_start: 12.4,
      t_end: 14.96,
      speaker: "S1",
      text: quote,
      confidence: 0.97,
      words: [{ t_start: 12.4, t_end: 12.52, text: "It", confidence: 0.99 }]
    }],
    turns: [{ speaker: "S1", t_start: 12.4, t_end: 14.96 }],
    audio_branch: "present",
    model: "builtin"
  },
  JobGraph: {
    job_id,
    view: "compact",
    nodes: [{
      id: "ent_5f1c2a",
      kind: "entity",
      label: "Espresso machine",
      type: "product",
      t_start: 12.4,
      t_end: 41,
      modality: "both",
      source_refs: ["seg#000004", "frame#000026"],
      mentions: 4
    }],
    edges: []
  },
  JobEvidence: {
    job_id,
    spans: [{
      pointer: "/price",
      value: 249.9,
      origin: "extracted",
      ...said,
      modality: "audio",
      node_id: null,
      support: "normalised",
      confidence: 0.94,
      verified: true,
      corroborated_by: [],
      alternatives: [],
      grade: "stated",
      citations: [{ ...said, role: "value" }],
      checks: { quoted: true, derivable: true, answers: 0.94, judged_by: "rules" },
      proposed_by: "ranker"
    }],
    unfilled: [{
      pointer: "/warranty_years",
      reason: "below_threshold",
      candidates: [{
        value: 2,
        confidence: 0.41,
        quote: "we gave the old one two years",
        source_ref: "seg#000009",
        t_start: 40.2,
        t_end: 42,
        refused_because: "It is not sure enough."
      }]
    }],
    counts: { leaves: 2, filled: 1, verified: 1, unfilled: 1 }
  },
  Manifest: {
    payloadType: "application/vnd.in-toto+json",
    payload: "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==",
    signatures: [{ keyid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", sig: "c2lnbmF0dXJl" }]
  },
  Upload: upload,
  UploadPage: page(upload),
  DeletedUpload: { id: upload_id, deleted_at: finished_at },
  CreateSchema: { name: schema.name, description: schema.description, json_schema },
  RegisteredSchema: { ...schema, warnings: [] },
  ExtractionSchema: schema,
  SchemaPage: page(summary),
  InferSchema: { examples: [{ title: "Espresso machine", price: 249.9 }, { title: "Grinder" }], name: schema.name },
  InferredSchema: { json_schema, warnings: [] },
  DeletedSchema: { id: schema_id, deleted_at: finished_at },
  CreateApiKey: { name: key.name },
  CreatedApiKey: { ...key, secret: "fnk_8s6QyTn1mW4vZk7cRj2pXb9dGh5aLf3eUo0iNw" },
  ApiKeyPage: page({ ...key, last_used_at: finished_at, revoked_at: null }),
  RevokedApiKey: { id: key_id, revoked_at: finished_at },
  CreateDestination: { name: destination.name, type: "webhook", config: { url: "https://example.com/hooks/footnote" } },
  UpdateDestination: { status: "paused" },
  Destination: destination,
  CreatedDestination: { ...destination, signing_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
  DestinationPage: page(destination),
  DeletedDestination: { id: destination_id, deleted_at: finished_at },
  RotateSigningSecret: { keep_old_for_seconds: 86_400 },
  WebhookConfig: { url: "https://example.com/hooks/footnote", headers: { "x-team": "ingest" } },
  SlackIncomingConfig: { webhook_url: "https://hooks.slack.com/services/T000/B000/XXXX" },
  SlackBotConfig: { bot_token: "xoxb-0000-example", channel: "C0123456789" },
  NotionConfig: { token: "ntn_example", data_source_id: "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0" },
  Settings: settings,
  UpdateSettings: { default_destination_ids: [destination_id] },
  LanguageModel: { host: "llm.example.com", model: "reader-30b", has_key: true },
  LanguageModelInput: { url: "https://llm.example.com/v1", model: "reader-30b", api_key: "sk-example" },
  RotatedWebhookSecret: { ...settings, webhook_signing_secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfgh4DGcPk=" },
  BackfillDestination: { finished_after: created_at },
  BackfilledDestination: { count: 412, more: false },
  CreateDelivery: { destination_id },
  RecoverDeliveries: { since: created_at },
  RecoveredDeliveries: { count: 3 },
  Delivery: delivery,
  DeliveryPage: page(delivery),
  ...reviewExamples,
  ...usageExamples,
  ...mediaExamples,
  ErrorEnvelope: {
    error: {
      code: "INVALID_REQUEST",
      message: "The request does not fit the API: /source_uri: Is required.",
      details: [{ path: "/source_uri", message: "Is required" }],
      request_id
    }
  }
}

/** The id of a request in the examples of errors. */
export const exampleRequestId = request_id
