import { Clock, Effect } from "effect"
import { openRsaKey, signJwt } from "../../crypto/RsaKey.ts"
import type { Egress } from "../../egress/Egress.ts"
import type { SheetsConfig } from "../model/DestinationConfig.ts"
import * as Outcomes from "./DeliveryOutcome.ts"
import { TtlCache } from "./TtlCache.ts"
import type { VendorAddresses } from "./VendorAddresses.ts"

const scope = "https://www.googleapis.com/auth/spreadsheets"
const lifetimeSeconds = 3600
/** A token that ends within this is not used any more. */
const marginSeconds = 60

const keyOf = (config: SheetsConfig) => [config.client_email, config.private_key]

/**
 * Access tokens of service accounts: an assertion that we sign with the account's own key (RFC 7523), traded at an address
 * that no tenant can choose. Kept until shortly before it ends. A refusal is `auth_broken`.
 */
export const makeGoogleTokens = (egress: Egress["Service"], addresses: VendorAddresses) => {
  const tokens = new TtlCache<string>(lifetimeSeconds - marginSeconds)
  const aud = `${addresses.google_token}/token`

  return {
    forget: (config: SheetsConfig): void => tokens.forget(keyOf(config)),
    of: Effect.fnUntraced(function*(config: SheetsConfig) {
      const now = yield* Clock.currentTimeMillis
      const known = tokens.get(keyOf(config), now)
      if (known !== undefined) return { token: known }
      const iat = Math.floor(now / 1000)
      const assertion = yield* signJwt(
        { iss: config.client_email, scope, aud, iat, exp: iat + lifetimeSeconds },
        yield* openRsaKey(config.private_key)
      )
      const answer = yield* egress.send({
        method: "POST",
        url: aud,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString()
      })
      const { access_token, expires_in } = Outcomes.jsonOf(answer) ?? {}
      if (answer.status_code === 200 && typeof access_token === "string" && /^[!-~]{1,4096}$/u.test(access_token)) {
        const seconds = typeof expires_in === "number" ? expires_in : lifetimeSeconds
        tokens.set(keyOf(config), access_token, now, Math.max(0, seconds - marginSeconds))
        return { token: access_token }
      }
      const refused = answer.status_code === 400 || answer.status_code === 401 || answer.status_code === 403
      return {
        failed: refused
          ? Outcomes.authBroken("the service account was refused", answer)
          : Outcomes.retryable(`the token address answered ${answer.status_code}`, answer)
      }
    })
  }
}
