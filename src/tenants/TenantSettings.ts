import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { Sealing } from "../crypto/Sealing.ts"
import { TenantSql } from "../database/TenantSql.ts"
import type { DestinationNotFound, RotateSigningSecret } from "../deliveries/model/Destination.ts"
import { checkDestinationIds } from "../deliveries/model/LiveDestinations.ts"
import { makeWebhookSecret } from "../deliveries/signing/WebhookSecret.ts"
import { addressPolicyConfig } from "../egress/AddressPolicy.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import type { TenantId } from "../identity/Id.ts"
import {
  forbiddenModelUrl,
  type LanguageModelInput,
  openLanguageModel,
  sealLanguageModel,
  shownLanguageModel
} from "./LanguageModel.ts"
import type { RotatedWebhookSecret, Settings, UpdateSettings } from "./Settings.ts"

/** What has to be read of `footnote.tenant_settings` to sign with it. */
export const SealedSecrets = Schema.Struct({
  webhook_secret: Schema.NullOr(Schema.Uint8Array),
  previous_webhook_secret: Schema.NullOr(Schema.Uint8Array),
  previous_secret_until: Schema.NullOr(Schema.Date)
})
export type SealedSecrets = typeof SealedSecrets.Type

type Row = Omit<Settings, "language_model"> & { readonly language_model: Uint8Array | null }

const placeOf = (tenant_id: TenantId, field: "webhook_secret" | "previous_webhook_secret") => ({
  tenant_id,
  table: "tenant_settings",
  row_id: tenant_id,
  field
})

/** The tenant's secrets that sign at this moment, the newest first. Bytes that were not sealed for this tenant are a defect. */
export const tenantSecrets = Effect.fnUntraced(function*(
  sealing: Sealing["Service"],
  tenant_id: TenantId,
  row: SealedSecrets | undefined
) {
  const secrets: Array<string> = []
  const open = (sealed: Uint8Array, field: "webhook_secret" | "previous_webhook_secret") =>
    Effect.orDie(sealing.open(sealed, placeOf(tenant_id, field)))
  if (row?.webhook_secret != null) secrets.push(yield* open(row.webhook_secret, "webhook_secret"))
  const until = row?.previous_secret_until?.getTime() ?? 0
  if (row?.previous_webhook_secret != null && until > (yield* Clock.currentTimeMillis)) {
    secrets.push(yield* open(row.previous_webhook_secret, "previous_webhook_secret"))
  }
  return secrets
})

/** What the current tenant sets for all of its jobs. */
export class TenantSettings extends Context.Service<TenantSettings, {
  /** Destinations that have been deleted are none of the defaults any more. */
  readonly get: Effect.Effect<Settings, never, CurrentTenant>
  readonly update: (
    input: UpdateSettings
  ) => Effect.Effect<Settings, DestinationNotFound | InvalidRequest, CurrentTenant>
  /** The first secret, or another one; the old one signs as well for so many seconds. */
  readonly rotateWebhookSecret: (
    input: RotateSigningSecret
  ) => Effect.Effect<RotatedWebhookSecret, never, CurrentTenant>
}>()("footnote/tenants/TenantSettings") {
  static readonly layer = Layer.effect(TenantSettings, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const tenantSql = yield* TenantSql
  const { inTenant, sql } = tenantSql
  const sealing = yield* Sealing

  const policy = yield* addressPolicyConfig

  const get = Effect.gen(function*() {
    const { tenant_id } = yield* CurrentTenant
    const [row] = yield* inTenant(tenant_id)(sql<Row>`
      SELECT s.language_model, s.webhook_secret IS NOT NULL AS has_webhook_secret, coalesce((
        SELECT jsonb_agg(d.id ORDER BY x.at) FROM jsonb_array_elements_text(s.default_destination_ids) WITH ORDINALITY x(id, at)
        JOIN footnote.destinations d ON d.id = x.id AND d.tenant_id = s.tenant_id AND d.deleted_at IS NULL), '[]')
        AS default_destination_ids
      FROM footnote.tenant_settings s WHERE s.tenant_id = ${tenant_id}`)
    if (row === undefined) return { default_destination_ids: [], has_webhook_secret: false, language_model: null }
    const { language_model, ...shown } = row
    return {
      ...shown,
      language_model: language_model === null
        ? null
        : shownLanguageModel(yield* Effect.orDie(openLanguageModel(sealing, tenant_id, language_model)))
    }
  })

  const checkLanguageModel = Effect.fnUntraced(function*(input: LanguageModelInput | null) {
    const why = input === null ? undefined : forbiddenModelUrl(input.url, policy)
    if (why !== undefined) {
      return yield* new InvalidRequest({ details: [{ path: "/language_model/url", message: why }] })
    }
  })

  return TenantSettings.of({
    get: Effect.withSpan(get, "TenantSettings.get"),
    update: Effect.fn("TenantSettings.update")(function*({ default_destination_ids, language_model }) {
      const { tenant_id } = yield* CurrentTenant
      // All of it is judged before any of it is written: what is refused has changed nothing.
      if (default_destination_ids !== undefined) {
        yield* checkDestinationIds(tenantSql, tenant_id, default_destination_ids, "default_destination_ids")
      }
      if (language_model !== undefined) yield* checkLanguageModel(language_model)
      return yield* inTenant(tenant_id)(Effect.gen(function*() {
        if (default_destination_ids !== undefined) {
          const ids = JSON.stringify(default_destination_ids)
          yield* sql`
            INSERT INTO footnote.tenant_settings (tenant_id, default_destination_ids) VALUES (${tenant_id}, ${ids}::jsonb)
            ON CONFLICT (tenant_id) DO UPDATE SET default_destination_ids = excluded.default_destination_ids`
        }
        if (language_model !== undefined) {
          const sealed = language_model === null ? null : sealLanguageModel(sealing, tenant_id, language_model)
          yield* sql`
            INSERT INTO footnote.tenant_settings (tenant_id, language_model) VALUES (${tenant_id}, ${sealed})
            ON CONFLICT (tenant_id) DO UPDATE SET language_model = excluded.language_model`
        }
        return yield* get
      }))
    }),
    rotateWebhookSecret: Effect.fn("TenantSettings.rotateWebhookSecret")(function*({ keep_old_for_seconds }) {
      const { tenant_id } = yield* CurrentTenant
      const secret = makeWebhookSecret()
      const sealed = sealing.seal(secret, placeOf(tenant_id, "webhook_secret"))
      return yield* inTenant(tenant_id)(remembered(
        sql,
        Effect.gen(function*() {
          yield* sql`INSERT INTO footnote.tenant_settings (tenant_id) VALUES (${tenant_id}) ON CONFLICT DO NOTHING`
          const [row] = yield* sql<SealedSecrets>`
            SELECT webhook_secret, previous_webhook_secret, previous_secret_until
            FROM footnote.tenant_settings WHERE tenant_id = ${tenant_id} FOR UPDATE`
          const old = row!.webhook_secret
          const keeps = old !== null && keep_old_for_seconds > 0
          const kept = keeps
            ? sealing.seal(
              yield* Effect.orDie(sealing.open(old, placeOf(tenant_id, "webhook_secret"))),
              placeOf(tenant_id, "previous_webhook_secret")
            )
            : null
          const until = keeps
            ? DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { seconds: keep_old_for_seconds }))
            : null
          yield* sql`UPDATE footnote.tenant_settings SET webhook_secret = ${sealed}, previous_webhook_secret = ${kept},
              previous_secret_until = ${until} WHERE tenant_id = ${tenant_id}`
          return { ...(yield* get), webhook_signing_secret: secret }
        })
      ))
    })
  })
})
