import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { toInstant } from "../database/Instant.ts"
import { newId, type TenantId } from "../identity/Id.ts"

/**
 * What an operator may set for a tenant. `null`, where it is allowed, is the deployment's own value for requests per
 * minute (0 is none), no quota for `cost_quota` (of a month, in the unit of a job's cost), and for ever for
 * `retention_days`.
 */
export const TenantSettings = Schema.Struct({
  /** Jobs that are not terminal; 0 takes no new ones. */
  max_active: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
  /** Jobs that work at once. */
  max_running: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
  /** Share of the workers while several tenants wait. */
  weight: Schema.Number.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(1000)),
  cost_quota: Schema.NullOr(Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))),
  /** Bytes; null is the deployment's own value, 0 no limit. */
  storage_quota: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
  retention_days: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 }))),
  reads_per_minute: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))),
  writes_per_minute: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))),
  uploads_per_minute: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))
})
export type TenantSettings = typeof TenantSettings.Type
export type SettingName = keyof TenantSettings
export const settingNames = Object.keys(TenantSettings.fields) as ReadonlyArray<SettingName>

export interface TenantAccount {
  readonly id: TenantId
  readonly name: string
  readonly created_at: string
  readonly settings: TenantSettings
  /** Keys that are not revoked. */
  readonly keys: number
}

/** No tenant has this id. */
export class TenantUnknown extends Schema.TaggedError<TenantUnknown>()("TenantUnknown", { message: Schema.String }) {}

type Row = TenantSettings & Omit<TenantAccount, "settings" | "created_at"> & { readonly created_at: Date }

/**
 * The tenants of this deployment, for its operator: no request of a tenant comes here. A database that cannot be reached is
 * a defect.
 */
export class TenantAccounts extends Context.Service<TenantAccounts, {
  readonly create: (name: string) => Effect.Effect<TenantAccount>
  /** Oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<TenantAccount>>
  readonly get: (id: string) => Effect.Effect<TenantAccount, TenantUnknown>
  /** Changes what is named and leaves the rest; it holds for the next request and the next admission, and how often the tenant may ask within 10 s. */
  readonly change: (id: string, settings: Partial<TenantSettings>) => Effect.Effect<TenantAccount, TenantUnknown>
}>()("footnote/tenants/TenantAccounts") {
  static readonly layer = Layer.effect(
    TenantAccounts,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const columns = sql.literal(settingNames.map((name) => `t.${name}`).join(", "))

      const read = (where = sql`true`) =>
        sql<Row>`
          SELECT t.id, t.name, t.created_at, ${columns}, (SELECT count(*)::int FROM footnote.api_keys
            WHERE tenant_id = t.id AND revoked_at IS NULL) AS keys
          FROM footnote.tenants t WHERE ${where} ORDER BY t.created_at, t.id`.pipe(
          Effect.orDie,
          Effect.map((rows) => rows.map(toAccount))
        )

      const get = Effect.fnUntraced(function*(id: string) {
        const [account] = yield* read(sql`t.id = ${id}`)
        return account ?? (yield* new TenantUnknown({ message: `There is no tenant ${id}.` }))
      })

      return TenantAccounts.of({
        create: Effect.fn("TenantAccounts.create")(function*(name) {
          const id = yield* newId("ten")
          yield* Effect.orDie(sql`INSERT INTO footnote.tenants ${sql.insert({ id, name })}`)
          return yield* Effect.orDie(get(id))
        }),
        list: read(),
        get,
        change: Effect.fn("TenantAccounts.change")(function*(id, settings) {
          if (Object.keys(settings).length > 0) {
            yield* Effect.orDie(sql`UPDATE footnote.tenants SET ${sql.update(settings)} WHERE id = ${id}`)
          }
          return yield* get(id)
        })
      })
    })
  )
}

const toAccount = ({ created_at, id, keys, name, ...settings }: Row): TenantAccount => ({
  id,
  name,
  created_at: toInstant(created_at),
  settings,
  keys
})
