import { Effect } from "effect"
import type { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"

/** The key by which somebody asks, with its name: whose hand a record shows. Null where no key asks, or it is gone. */
export const makeCallingKey = ({ inTenant, sql }: TenantSql["Service"]) =>
  Effect.gen(function*() {
    const { key_id, tenant_id } = yield* CurrentTenant
    const [key] = key_id === null
      ? []
      : yield* inTenant(tenant_id)(sql<{ readonly name: string }>`SELECT name FROM footnote.api_keys
        WHERE id = ${key_id} AND tenant_id = ${tenant_id}`)
    return { key_id, name: key?.name ?? null }
  })
