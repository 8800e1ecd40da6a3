import { Context, Effect, Layer, Schema } from "effect"
import { pageLimits } from "../../database/Page.ts"
import { tenantRowsOf } from "../../database/Rows.ts"
import { TenantSql } from "../../database/TenantSql.ts"
import { idempotencyKeyLimits } from "../../idempotency/IdempotencyKey.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { EngineOptions } from "../../jobs/engine/EngineOptions.ts"
import { batchLimits } from "../../jobs/model/Batch.ts"
import { jobLimits } from "../../jobs/model/Job.ts"
import { hintLimits } from "../../jobs/model/JobSpec.ts"
import { streamsPerTenant } from "../../rate-limits/OpenStreams.ts"
import { RateLimits } from "../../rate-limits/RateLimits.ts"
import { schemaLimits } from "../../schemas/json-schema/JsonSchemaLint.ts"
import { sourceLimits, sourceMaxSeconds, uploadLifetime } from "../../sources/SourceLimits.ts"
import { uploadMaxBytes } from "../../sources/Uploads.ts"
import { CostQuota } from "../ledger/CostQuota.ts"
import { storageQuotaBytes, storageState } from "../ledger/StorageQuota.ts"
import { Quota } from "./UsageReport.ts"
import { quotaView } from "./UsageReports.ts"

/** Numbers by their names, all whole. */
const numbers = <const Names extends ReadonlyArray<string>>(...names: Names) =>
  Schema.Struct(
    Object.fromEntries(names.map((name) => [name, Schema.Int])) as { readonly [K in Names[number]]: Schema.Int }
  )

/** Every limit that a tenant meets, as it holds now. */
export const TenantLimits = Schema.Struct({
  requests: Schema.Struct({
    ...numbers("json_body_bytes", "json_nesting").fields,
    reads_per_minute: Schema.NullOr(Schema.Int).annotate({ description: "Null is no limit; so are the next two." }),
    writes_per_minute: Schema.NullOr(Schema.Int),
    uploads_per_minute: Schema.NullOr(Schema.Int),
    open_streams: Schema.Int.annotate({
      description: "Event streams, streams of the tool server and waits open at once, in each API process."
    })
  }),
  jobs: Schema.Struct({
    ...numbers(
      "concurrent",
      "active",
      "working_at_once",
      "batch_items",
      "wait_seconds",
      "queue_seconds",
      "source_uri_characters",
      "destinations",
      "metadata_pairs",
      "metadata_key_characters",
      "metadata_value_characters",
      "hint_speakers",
      "hint_participants",
      "hint_vocabulary",
      "hint_characters"
    ).fields,
    retention_days: Schema.NullOr(Schema.Int).annotate({
      description: "Days after its end in which a job can be read; then it is erased. Null: until it is deleted."
    })
  }).annotate({ description: "`concurrent` jobs may be queued or running, `active` are; the others wait their turn." }),
  cost: Quota,
  storage: Schema.Struct({
    limit: Schema.NullOr(Schema.Int).annotate({
      description: "Bytes that uploads and jobs may keep; null is no limit."
    }),
    used: Schema.Int.annotate({
      description: "Bytes of uploads, those that have begun with their announced length, and of jobs."
    })
  }),
  idempotency: numbers("key_characters", "lifetime_seconds"),
  lists: numbers("default", "maximum"),
  schemas: numbers("bytes", "depth", "properties", "enum_values", "pattern_length", "pattern_steps", "unfolded"),
  uploads: numbers("bytes", "lifetime_seconds", "unfinished_seconds"),
  sources: numbers("bytes", "duration_seconds", "pixels", "streams")
}).annotate({ identifier: "Limits" })
type TenantLimits = typeof TenantLimits.Type

/** A rate as callers see it. */
const limit = (rate: number) => rate === 0 ? null : rate

/** What only the transport knows, which domains must not import. */
export interface TransportLimits {
  readonly json_body_bytes: number
  readonly json_nesting: number
}

const TenantRow = Schema.Struct({
  concurrent: Schema.Finite,
  working_at_once: Schema.Finite,
  retention_days: Schema.NullOr(Schema.Finite),
  active: Schema.Finite
})

/** The limits of the current tenant, read from what enforces them. */
export class Limits extends Context.Service<Limits, {
  readonly read: (transport: TransportLimits) => Effect.Effect<TenantLimits, never, CurrentTenant>
}>()("footnote/usage/reports/Limits") {
  static readonly layer = Layer.effect(
    Limits,
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql
      const quota = yield* CostQuota
      const rates = yield* RateLimits
      const open_streams = yield* streamsPerTenant
      const upload_bytes = yield* uploadMaxBytes
      const storage_quota = yield* storageQuotaBytes
      const duration_seconds = yield* sourceMaxSeconds
      const { queue_timeout_seconds } = yield* EngineOptions

      return Limits.of({
        read: Effect.fn("Limits.read")(function*(transport) {
          const { tenant_id } = yield* CurrentTenant
          const [tenant] = yield* tenantRowsOf(TenantRow)(
            inTenant(tenant_id)(
              sql`
              SELECT max_active AS concurrent, max_running AS working_at_once, retention_days,
                (SELECT count(*)::int FROM footnote.jobs
                  WHERE tenant_id = ${tenant_id} AND status IN ('queued', 'running')) AS active
              FROM footnote.tenants WHERE id = ${tenant_id}`
            )
          )
          const storage = yield* inTenant(tenant_id)(storageState(sql, tenant_id, storage_quota))
          const perMinute = yield* rates.limitsOf(tenant_id)
          const { normalised_bytes: _, ...schemas } = schemaLimits
          return {
            requests: {
              ...transport,
              reads_per_minute: limit(perMinute.reads),
              writes_per_minute: limit(perMinute.writes),
              uploads_per_minute: limit(perMinute.uploads),
              open_streams
            },
            jobs: {
              ...tenant!,
              ...jobLimits,
              batch_items: perMinute.writes === 0 ? batchLimits.items : Math.min(batchLimits.items, perMinute.writes),
              queue_seconds: queue_timeout_seconds,
              hint_speakers: hintLimits.speakers,
              hint_participants: hintLimits.participants,
              hint_vocabulary: hintLimits.vocabulary,
              hint_characters: hintLimits.characters
            },
            cost: quotaView(yield* Effect.orDie(quota.state(tenant_id))),
            storage: { limit: storage.quota, used: storage.used },
            idempotency: idempotencyKeyLimits,
            lists: pageLimits,
            schemas,
            uploads: { bytes: upload_bytes, ...uploadLifetime },
            sources: { ...sourceLimits, duration_seconds }
          }
        })
      })
    })
  ).pipe(Layer.provide(CostQuota.layer))
}
