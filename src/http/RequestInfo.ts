import { Context, Effect, Option } from "effect"

/** What the access log learns about a request on its way in. */
export class RequestInfo extends Context.Service<RequestInfo, {
  tenant_id: string | undefined
}>()("footnote/http/RequestInfo") {
  /** Called where the tenant becomes known; does nothing outside of a request. */
  static readonly setTenant = (tenant_id: string) =>
    Effect.map(Effect.serviceOption(RequestInfo), (info) => {
      if (Option.isSome(info)) info.value.tenant_id = tenant_id
    })
}
