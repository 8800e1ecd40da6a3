import { Context, Effect, Option } from "effect"
import type { TenantId } from "../../identity/Id.ts"

/** What the transport learns about a request on its way in. */
export class RequestInfo extends Context.Service<RequestInfo, {
  tenant_id: TenantId | undefined
  /** The pattern of the matched route, where it was matched in another fiber than the request's own. */
  route: string | undefined
  /** Headers of the answer, whatever it will be. */
  headers: Readonly<Record<string, string>>
}>()("footnote/web/server/RequestInfo") {
  /** Called where the tenant becomes known; does nothing outside of a request. */
  static readonly setTenant = (tenant_id: TenantId) => change((info) => info.tenant_id = tenant_id)

  static readonly setRoute = (route: string | undefined) => change((info) => info.route = route)

  /** As `setTenant`: more headers for the answer. */
  static readonly setHeaders = (headers: Readonly<Record<string, string>>) =>
    change((info) => info.headers = { ...info.headers, ...headers })
}

const change = (step: (info: RequestInfo["Service"]) => void) =>
  Effect.map(Effect.serviceOption(RequestInfo), (info) => {
    if (Option.isSome(info)) step(info.value)
  })
