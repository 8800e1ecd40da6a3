import { Effect, Schema } from "effect"
import { tenantRowsOf } from "../../database/Rows.ts"
import type { TenantSql } from "../../database/TenantSql.ts"
import { isId, type TenantId } from "../../identity/Id.ts"
import { DestinationNotFound } from "./Destination.ts"

const IdRow = Schema.Struct({
  id: Schema.String
})

/**
 * Passes where every one of these is a destination that the tenant has now. Unknown, deleted and other tenants' ids are the
 * same `DESTINATION_NOT_FOUND`, with a detail for each.
 */
export const checkDestinationIds = Effect.fn("LiveDestinations.check")(function*(
  { inTenant, sql }: TenantSql["Service"],
  tenant_id: TenantId,
  ids: ReadonlyArray<string>,
  field = "destination_ids"
) {
  if (ids.length === 0) return
  const possible = ids.filter((id) => isId("dst", id))
  const rows = possible.length === 0 ? [] : yield* tenantRowsOf(IdRow)(
    inTenant(tenant_id)(sql`
    SELECT id FROM footnote.destinations
    WHERE tenant_id = ${tenant_id} AND id IN ${sql.in(possible)} AND deleted_at IS NULL`)
  )
  const live = new Set(rows.map(({ id }) => id))
  const details = ids.flatMap((id, at) => live.has(id) ? [] : [{ path: `/${field}/${at}`, message: id }])
  if (details.length > 0) return yield* new DestinationNotFound({ details })
})
