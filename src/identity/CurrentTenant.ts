import { Context } from "effect"
import type { TenantId } from "./Id.ts"

/**
 * The tenant that a request runs as, and the key that said so (null where it was no key), by the session that a browser began
 * with it where it was that. Services ask for it instead of taking it, so that no call can forget it.
 *
 * @effect-leakable-service
 */
export class CurrentTenant extends Context.Service<CurrentTenant, {
  readonly tenant_id: TenantId
  readonly key_id: string | null
  readonly session_id?: string
}>()("footnote/identity/CurrentTenant") {}
