import { Context } from "effect"

/**
 * The tenant that a request runs as, and the key that said so (null where it was no key). Services ask for it instead of
 * taking it, so that no call can forget it.
 *
 * @effect-leakable-service
 */
export class CurrentTenant extends Context.Service<CurrentTenant, {
  readonly tenant_id: string
  readonly key_id: string | null
}>()("footnote/identity/CurrentTenant") {}
