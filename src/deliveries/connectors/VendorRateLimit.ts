import { Context } from "effect"
import { createHash } from "node:crypto"
import type { DestinationTarget } from "../model/DestinationConfig.ts"

/** The rate limit of a vendor, as a token bucket: `per_second` on average and up to `burst` at once. */
export interface VendorRateLimit {
  readonly per_second: number
  readonly burst: number
}

/** What a vendor counts requests by, and the pace that is kept with it. */
export interface PacedCredential {
  readonly digest: string
  readonly pace: VendorRateLimit
}

/** Below what the vendors publish: Notion 3 a second, Slack 1 a second and channel, Google 60 writes a minute. */
export const VendorRateLimits = Context.Reference<{ readonly [T in "notion" | "slack" | "sheets"]: VendorRateLimit }>(
  "footnote/deliveries/connectors/VendorRateLimit/VendorRateLimits",
  {
    defaultValue: () => ({
      notion: { per_second: 2.5, burst: 5 },
      slack: { per_second: 1, burst: 1 },
      sheets: { per_second: 50 / 60, burst: 10 }
    })
  }
)

/**
 * What a vendor counts requests by, as a digest; undefined where it publishes no rate. Destinations that share a credential
 * share its pace.
 */
export const credentialOf = (target: DestinationTarget): string | undefined => {
  const of = (...parts: ReadonlyArray<string>) =>
    createHash("sha256").update(JSON.stringify([target.type, ...parts])).digest("base64")
  switch (target.type) {
    case "notion":
      return of(target.config.token)
    case "slack":
      return "webhook_url" in target.config
        ? of(target.config.webhook_url)
        : of(target.config.bot_token, target.config.channel)
    case "sheets":
      return of(target.config.client_email)
    case "snowflake":
    case "webhook":
      return undefined
  }
}
