import type { Schema } from "effect"

const quota = { limit: 250, used: 12.5, reserved: 0.4, resets_at: "2026-12-01T00:00:00.000Z" }

/** Examples of what a tenant takes and may (usage, estimates, limits, model stacks), and of what the service tells of itself. */
export const usageExamples: Readonly<Record<string, Schema.Json>> = {
  EstimateRequest: { duration_seconds: 3600, model_stack: "builtin" },
  Estimate: {
    model_stack: "builtin",
    duration_seconds: 3600,
    work_seconds: 540.5,
    tokens: 0,
    cost: 0,
    most_cost: null,
    reserves: 0,
    admissible: true,
    based_on: { duration_seconds: "given", work_seconds: "history", tokens: "history", cost: "prices" },
    unknown: []
  },
  UsageReport: {
    period: "2026-11",
    from: "2026-11-01T00:00:00.000Z",
    to: "2026-12-01T00:00:00.000Z",
    jobs: { queued: 0, running: 1, succeeded: 212, failed: 3, cancelled: 1 },
    audio_seconds: 41_233.5,
    video_seconds: 40_981.2,
    frames_sampled: 81_962,
    frames_kept: 4113,
    model_seconds: 22_841.9,
    tokens: 0,
    cost: 0,
    quota
  },
  Quota: quota,
  Limits: {
    requests: {
      json_body_bytes: 1_048_576,
      json_nesting: 100,
      reads_per_minute: 1200,
      writes_per_minute: 600,
      uploads_per_minute: 120,
      open_streams: 200
    },
    jobs: {
      concurrent: 4,
      active: 100,
      working_at_once: 4,
      batch_items: 100,
      wait_seconds: 60,
      queue_seconds: 86_400,
      source_uri_characters: 4096,
      destinations: 20,
      metadata_pairs: 20,
      metadata_key_characters: 100,
      metadata_value_characters: 500,
      hint_speakers: 50,
      hint_participants: 100,
      hint_vocabulary: 500,
      hint_characters: 100,
      retention_days: null
    },
    cost: quota,
    storage: { limit: 107_374_182_400, used: 734_003_200 },
    idempotency: { key_characters: 255, lifetime_seconds: 86_400 },
    lists: { default: 25, maximum: 100 },
    schemas: {
      bytes: 131_072,
      depth: 48,
      properties: 1500,
      enum_values: 1000,
      pattern_length: 512,
      pattern_steps: 60_000,
      unfolded: 10_000
    },
    uploads: { bytes: 10_737_418_240, lifetime_seconds: 604_800, unfinished_seconds: 86_400 },
    sources: { bytes: 10_737_418_240, duration_seconds: 28_800, pixels: 40_000_000, streams: 32 }
  },
  ModelStacks: {
    data: [
      { id: "accurate", ready: false, is_default: false },
      { id: "standard", ready: false, is_default: false },
      { id: "builtin", ready: true, is_default: true }
    ]
  },
  SigningKeys: {
    keys: [{
      kty: "OKP",
      crv: "Ed25519",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
      use: "sig",
      alg: "EdDSA"
    }]
  },
  Readiness: {
    status: "ready",
    checks: { database: "ok", migrations: "ok", workers: "ok", deployment: "ok" },
    draining: false,
    warnings: []
  },
  Health: { status: "alive" }
}
