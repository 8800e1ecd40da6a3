import { Context, Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { type SqlClient, Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { TenantId } from "../identity/Id.ts"
import { sessionConfig, SessionLimits } from "./DatabaseSession.ts"
import { roles } from "./Roles.ts"
import { dieOnSqlError } from "./Rows.ts"
import { makeTenantClient } from "./TenantClient.ts"

/** The tenant that the surrounding transaction runs for. */
const ScopeTenant = Context.Reference<string | undefined>("footnote/database/TenantSql/ScopeTenant", {
  defaultValue: () => undefined
})

export interface TenantSqlOptions {
  readonly maxConnections: number
  readonly applicationName: string
}

/**
 * The database as one tenant has it: what every service uses that answers a tenant. Its sessions have the tenant's role
 * from their first moment on (see `RowSecurity.ts`), so a query that forgets its tenant finds nothing, and one that asks for
 * another tenant's rows does not get them.
 */
export class TenantSql extends Context.Service<TenantSql, {
  /** Outside of `inTenant` its statements see no row and can insert none. */
  readonly sql: SqlClient.SqlClient
  /**
   * Runs the statements of `sql` within `work` as this tenant, in one transaction: a failure rolls it back. Where `work` is
   * a statement itself, the transaction costs no round trip beyond it. Within a scope of the same tenant it is part of that;
   * within one of another tenant it is a defect, as is every `SqlError`.
   */
  readonly inTenant: (
    tenant_id: TenantId
  ) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, Exclude<E, SqlError>, R>
}>()("footnote/database/TenantSql") {
  static readonly layerUrl = (url: Redacted.Redacted, options: TenantSqlOptions) =>
    Layer.effect(
      TenantSql,
      Effect.gen(function*() {
        const { tenant } = yield* SessionLimits
        const { once, sql } = yield* makeTenantClient({ ...sessionConfig(url, roles.tenant, tenant), ...options })

        const scoped = <A, E, R>(tenant_id: TenantId, work: Effect.Effect<A, E, R>) =>
          Statement.isFragment(work)
            ? Effect.provideService(work, sql.transactionService, [once(tenant_id), 0])
            : sql.withTransaction(
              Effect.andThen(sql`SELECT set_config('footnote.tenant_id', ${tenant_id}, true)`, work)
            ).pipe(Effect.provideService(ScopeTenant, tenant_id))

        return TenantSql.of({
          sql,
          inTenant: (tenant_id) => (work) =>
            Effect.flatMap(ScopeTenant, (current) => {
              if (current === tenant_id) return work
              if (current !== undefined) {
                return Effect.die(new Error(`A scope of ${tenant_id} within one of ${current}`))
              }
              return scoped(tenant_id, work)
            }).pipe(dieOnSqlError)
        })
      })
    ).pipe(Layer.provide(Reactivity.layer))
}
