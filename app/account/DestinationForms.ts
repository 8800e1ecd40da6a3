import type { DestinationType } from "../../clients/typescript/src/generated/types.ts"

interface ConfigField {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly secret?: boolean
  readonly long?: boolean
  readonly optional?: boolean
}

/** What each type of destination asks for, and where one finds it. */
export const configFields: Readonly<Record<DestinationType, ReadonlyArray<ConfigField>>> = {
  webhook: [{
    name: "url",
    label: "Address",
    help: "Gets signed events (Standard Webhooks). https, and reachable from the service."
  }],
  slack: [
    {
      name: "bot_token",
      label: "Bot token",
      help: "xoxb-…, with chat:write and channels:history; invite the bot to the channel.",
      secret: true
    },
    { name: "channel", label: "Channel", help: "Its id, such as C0123456789." }
  ],
  notion: [
    { name: "token", label: "Integration secret", secret: true },
    {
      name: "data_source_id",
      label: "Data source",
      help: "It needs a text property Job ID, and the integration must be connected to it."
    }
  ],
  sheets: [
    { name: "client_email", label: "Service account", help: "Share the spreadsheet with this address as editor." },
    { name: "private_key", label: "Its private key", secret: true, long: true },
    { name: "spreadsheet_id", label: "Spreadsheet", help: "The id in its address." },
    { name: "sheet", label: "Sheet", help: "The name on its tab." }
  ],
  snowflake: [
    { name: "account", label: "Account", help: "orgname-account_name, or a locator with its region." },
    { name: "user", label: "User" },
    { name: "private_key", label: "Its private key", secret: true, long: true },
    { name: "role", label: "Role", optional: true },
    { name: "warehouse", label: "Warehouse" },
    { name: "database", label: "Database" },
    { name: "schema", label: "Schema" },
    { name: "table", label: "Table", help: "Made where it is missing and the role may." }
  ]
}

export const destinationTypes: ReadonlyArray<readonly [DestinationType, string]> = [
  ["webhook", "Webhook"],
  ["slack", "Slack"],
  ["notion", "Notion"],
  ["sheets", "Google Sheets"],
  ["snowflake", "Snowflake"]
]
