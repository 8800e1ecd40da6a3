import { Context, type Effect } from "effect"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"
import type { TokenRefused } from "./TokenRefused.ts"

/** The one scope there is: to use the tools as the tenant. */
export const scope = "footnote"

/** Who gives tokens for the tool server, and whom a token speaks for. */
export class AccessTokens extends Context.Service<AccessTokens, {
  readonly issuer: string
  /** A token that is unknown, over, revoked or meant for somebody else is refused, all with one error. */
  readonly verify: (token: string) => Effect.Effect<CurrentTenant["Service"], TokenRefused>
}>()("footnote/oauth/AccessTokens") {}
