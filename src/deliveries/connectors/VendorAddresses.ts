import { Config } from "effect"
import { baseAddress } from "../../observability/Configuration.ts"
import { address as form, setting } from "../../observability/Setting.ts"

const base = (name: string, address: string) =>
  setting(`FOOTNOTE_${name}_BASE_URL`, form, {
    otherwise: address,
    ...(address === "" ? { without: "the account's own" } : {}),
    meaning: "where a stand-in for the vendor is; only the operator can name one"
  }).pipe(
    Config.mapEffect((url) => baseAddress(`FOOTNOTE_${name}_BASE_URL`, url)),
    // An empty variable is how a compose file says that there is none.
    Config.map((url) => url === "" ? address : url)
  )

/**
 * Where the vendors are. Only the operator can name another place, such as a stand-in for a test: what tenants give never
 * decides where a credential is sent. `snowflake` is empty where each account has its own host.
 */
export const vendorAddresses = Config.all({
  slack: base("SLACK", "https://slack.com"),
  slack_hooks: base("SLACK_HOOKS", "https://hooks.slack.com"),
  notion: base("NOTION", "https://api.notion.com"),
  sheets: base("SHEETS", "https://sheets.googleapis.com"),
  google_token: base("GOOGLE_TOKEN", "https://oauth2.googleapis.com"),
  snowflake: base("SNOWFLAKE", "")
})
export type VendorAddresses = Config.Success<typeof vendorAddresses>
