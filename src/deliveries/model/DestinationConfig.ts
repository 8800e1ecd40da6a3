import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { provesItself, rsaPrivateKey } from "../../crypto/RsaKey.ts"
import type { ErrorDetail } from "../../errors/ApiError.ts"
import { jsonPointer } from "../../errors/JsonPointer.ts"
import { ServiceUnavailable } from "../../errors/RequestErrors.ts"
import { ColumnPath } from "./ColumnPath.ts"
import { DestinationConfigInvalid } from "./Destination.ts"
import type { DestinationType } from "./Destination.ts"

/** A text of 1 to `longest` characters that fits a form; what did not fit is never repeated in the message. */
const Text = (longest: number, form?: RegExp, expected?: string) => {
  const bounded = Schema.String.check(
    Schema.isMinLength(1, { message: "Must not be empty" }),
    Schema.isMaxCodePoints(longest, { message: `Expected at most ${longest} characters` })
  )
  return form === undefined ? bounded : bounded.check(Schema.isPattern(form, { message: `Expected ${expected}` }))
}

/** PEM, also with `\n` written out, as PKCS#8 without a passphrase; undefined where it is no RSA key that we sign with. */
const pkcs8 = (pem: string): string | undefined =>
  rsaPrivateKey(pem.replaceAll(String.raw`\n`, "\n"))?.export({ type: "pkcs8", format: "pem" }) as string | undefined

const PrivateKey = Schema.String.annotate({
  description: "RSA of 2,048 to 4,096 bits with public exponent 65537, PEM without a passphrase."
}).check(
  Schema.isMaxCodePoints(16_384, { message: "Expected at most 16384 characters" }),
  Schema.makeFilter((pem) =>
    /ENCRYPTED/u.test(pem)
      ? "The key is encrypted: give it without a passphrase, as `openssl pkcs8 -in KEY -out PLAIN` writes it"
      : pkcs8(pem) === undefined
      ? "Expected an RSA private key of 2048 to 4096 bits with public exponent 65537 as PEM (PKCS#8) without a passphrase"
      : undefined
  )
).pipe(Schema.decode(SchemaTransformation.transform({ decode: (pem) => pkcs8(pem)!, encode: (pem) => pem })))

const HttpUrl = Text(2048).check(Schema.makeFilter((text) => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "Expected an absolute http or https URL"
  }
  return url.hash === "" ? undefined : "A URL with a fragment is refused"
}))

/** Headers that are ours or the connection's; `Authorization` may be given. */
const reserved =
  /^(?:host|user-agent|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|webhook-.*)$/iu

const Headers = Schema.Record(Schema.String, Schema.String).annotate({
  description: "Up to 10 headers that go with every delivery, such as `Authorization`."
}).check(Schema.makeFilter((headers) => {
  const names = Object.keys(headers)
  const issues = names.flatMap((name) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/u.test(name)) return [{ path: [name], issue: "Not a header's name" }]
    if (reserved.test(name)) return [{ path: [name], issue: "This header is set by the service" }]
    return /^[\t -~]{1,4096}$/u.test(headers[name]!)
      ? []
      : [{ path: [name], issue: "Expected 1 to 4096 printable ASCII characters" }]
  })
  if (names.length > 10) issues.push({ path: [], issue: "Expected at most 10 headers" })
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    issues.push({ path: [], issue: "A header is named twice" })
  }
  return issues.length === 0 ? undefined : issues
}))

/** Standard Webhooks at an address of the tenant's own; signed with the destination's secret. */
const WebhookConfig = Schema.Struct({ url: HttpUrl, headers: Schema.optionalKey(Headers) }).annotate({
  identifier: "WebhookConfig"
})
type WebhookConfig = typeof WebhookConfig.Type

const SlackIncomingConfig = Schema.Struct({
  webhook_url: Text(
    512,
    /^https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]+$/u,
    "https://hooks.slack.com/services/…"
  )
}).annotate({ identifier: "SlackIncomingConfig" })

const SlackBotConfig = Schema.Struct({
  bot_token: Text(512, /^xoxb-[A-Za-z0-9-]+$/u, "a bot token, which begins with xoxb-"),
  channel: Text(64, /^[CGD][A-Z0-9]{8,}$/u, "a channel's id, such as C0123456789")
}).annotate({ identifier: "SlackBotConfig" })

/** An app's bot in a channel, or an incoming webhook, which is told at least once instead of exactly once. */
type SlackConfig = typeof SlackIncomingConfig.Type | typeof SlackBotConfig.Type

const uuid = /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/u

export const NotionConfig = Schema.Struct({
  token: Text(512, /^(?:ntn_|secret_)[!-~]+$/u, "an integration's token, which begins with ntn_ or secret_"),
  data_source_id: Schema.optionalKey(Text(36, uuid, "the UUID of a data source")),
  database_id: Schema.optionalKey(Text(36, uuid, "the UUID in a database's address")).annotateKey({
    description: "In place of `data_source_id`: a database that has one data source."
  }),
  property_map: Schema.optionalKey(
    Schema.Record(Text(200), ColumnPath).annotate({ description: "From a property's name to where its value is." })
      .check(Schema.isMaxProperties(50, { message: "Expected at most 50 properties" }))
  )
}).check(
  Schema.makeFilter(({ data_source_id, database_id }) => {
    if (data_source_id !== undefined && database_id !== undefined) {
      return { path: ["database_id"], issue: "Give data_source_id or database_id, not both" }
    }
    return data_source_id === undefined && database_id === undefined
      ? { path: ["data_source_id"], issue: "Is required, or database_id in its place" }
      : undefined
  })
).annotate({ identifier: "NotionConfig" })
export type NotionConfig = typeof NotionConfig.Type

const Column = Schema.Struct({ column: Text(200), path: ColumnPath })

/** Of a service account's file, only these two fields are taken: the rest could name another place to sign in. */
export const SheetsConfig = Schema.Struct({
  client_email: Text(320, /^[^@\s]+@[^@\s]+\.gserviceaccount\.com$/u, "a service account's address"),
  private_key: PrivateKey,
  spreadsheet_id: Text(128, /^[A-Za-z0-9_-]{10,}$/u, "the id in the spreadsheet's URL"),
  sheet: Text(100).annotate({ description: "The sheet's title." }),
  columns: Schema.optionalKey(
    Schema.Array(Column).annotate({ description: "What a row holds, from left to right." }).check(
      Schema.isMinLength(1, { message: "Expected at least one column" }),
      Schema.isMaxLength(50, { message: "Expected at most 50 columns" })
    )
  )
}).annotate({ identifier: "SheetsConfig" })
export type SheetsConfig = typeof SheetsConfig.Type

/**
 * A name as it is typed in SQL, kept as Snowflake keeps it: without quotes in upper case, between double quotes as it is. Always
 * quoted where it stands in a statement, and what is taken holds nothing that could end the quotes.
 */
const Identifier = Text(
  257,
  /^(?:[A-Za-z_][A-Za-z0-9_$]{0,254}|"[^"\p{Cc}\p{Cs}]{1,255}")$/u,
  "a name of letters, digits, _ and $, which stands for its upper case as in SQL, or any name in double quotes"
).annotate({
  description: "As in SQL: `analytics` is ANALYTICS, and `\"analytics\"` in double quotes is what it is.",
  examples: ["ANALYTICS"]
}).pipe(Schema.decodeTo(
  Schema.String,
  SchemaTransformation.transform({
    decode: (typed: string) => typed.startsWith(`"`) ? typed.slice(1, -1) : typed.toUpperCase(),
    encode: (kept: string) => `"${kept}"`
  })
))

/** The columns of every row in Snowflake. */
const fixedColumns: ReadonlySet<string> = new Set([
  "JOB_ID",
  "DELIVERY_ID",
  "STATUS",
  "SOURCE_URI",
  "SCHEMA_ID",
  "CREATED_AT",
  "FINISHED_AT",
  "DURATION_S",
  "RESULT",
  "EVIDENCE",
  "EVIDENCE_COUNT",
  "EVIDENCE_URL",
  "RESULT_URL"
])

const snowflakeTable = {
  account: Text(
    255,
    // A region's name has a hyphen, and an account's after a dot would be SQL's form, which no host has.
    /^[A-Za-z0-9_-]+(?:\.(?:[a-z0-9]+(?:-[a-z0-9]+)+|privatelink)(?:\.[a-z]+){0,2})?$/u,
    "orgname-account_name, such as myorg-account, or a locator with its region, such as xy12345.eu-central-1"
  ),
  role: Schema.optionalKey(Identifier),
  warehouse: Identifier,
  database: Identifier,
  schema: Identifier,
  table: Identifier,
  columns: Schema.optionalKey(
    Schema.Array(Schema.Struct({ column: Identifier, path: ColumnPath })).annotate({
      description: "What a row holds beside the columns that are always there."
    }).check(
      Schema.isMaxLength(50, { message: "Expected at most 50 columns" }),
      Schema.makeFilter((columns) => {
        const names = columns.map(({ column }) => column)
        return columns.flatMap(({ column }, at) => {
          if (fixedColumns.has(names[at]!)) return [{ path: [at, "column"], issue: `${column} is always there` }]
          return names.indexOf(names[at]!) < at ? [{ path: [at, "column"], issue: `${column} is there twice` }] : []
        })
      })
    )
  )
}

const SnowflakeKeyConfig = Schema.Struct({
  user: Text(255, /^[A-Za-z0-9_.@$+-]+$/u, "a user's login name"),
  private_key: PrivateKey,
  ...snowflakeTable
}).annotate({ identifier: "SnowflakeConfig" })

const SnowflakeTokenConfig = Schema.Struct({
  token: Text(8192, /^[!-~]+$/u, "a programmatic access token, as Snowflake showed it"),
  ...snowflakeTable
}).annotate({ identifier: "SnowflakeTokenConfig" })

/** A table, written to by a user's key pair or by a programmatic access token. */
export type SnowflakeConfig = typeof SnowflakeKeyConfig.Type | typeof SnowflakeTokenConfig.Type

/** A destination as a connector is handed it. `secrets` sign a webhook: those that are valid now, the newest first. */
export type DestinationTarget =
  & { readonly secrets: ReadonlyArray<string> }
  & (
    | { readonly type: "webhook"; readonly config: WebhookConfig }
    | { readonly type: "slack"; readonly config: SlackConfig }
    | { readonly type: "notion"; readonly config: NotionConfig }
    | { readonly type: "sheets"; readonly config: SheetsConfig }
    | { readonly type: "snowflake"; readonly config: SnowflakeConfig }
  )
export type DestinationConfig = DestinationTarget["config"]

/** What the API document shows of configs. */
export const configSchemas = [
  WebhookConfig,
  SlackIncomingConfig,
  SlackBotConfig,
  NotionConfig,
  SheetsConfig,
  SnowflakeKeyConfig,
  SnowflakeTokenConfig
] as const

const schemaFor = (type: DestinationType, config: Readonly<Record<string, unknown>>) => {
  switch (type) {
    case "webhook":
      return WebhookConfig
    case "slack":
      return "webhook_url" in config ? SlackIncomingConfig : SlackBotConfig
    case "notion":
      return NotionConfig
    case "sheets":
      return SheetsConfig
    case "snowflake":
      return "token" in config && !("private_key" in config) ? SnowflakeTokenConfig : SnowflakeKeyConfig
  }
}

// Nothing here may quote what was sent: it can be a secret in the wrong field.
const issues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "Is required"
      case "UnexpectedKey":
        return "Is not a field of this config"
      case "InvalidType":
        return "Has the wrong type"
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** RFC 6901, from the root of the request's body. */
const pointer = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>) =>
  jsonPointer(["config", ...path.map((part) => typeof part === "object" ? part.key : part)])

/** What else a service account's file holds: nothing of it is read, so a file may be given as it is. */
const fileFields: ReadonlySet<string> = new Set([
  "type",
  "project_id",
  "private_key_id",
  "client_id",
  "auth_uri",
  "token_uri",
  "auth_provider_x509_cert_url",
  "client_x509_cert_url",
  "universe_domain"
])

const withoutFileFields = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  given["type"] === "service_account"
    ? Object.fromEntries(Object.entries(given).filter(([name]) => !fileFields.has(name)))
    : given

/** A config that cannot be used, told by JSON pointers into the request's body. */
export const configInvalid = (details: ReadonlyArray<ErrorDetail>) => new DestinationConfigInvalid({ details })

/**
 * The config as it is kept, with keys in one form and tried once. Fails with `DESTINATION_CONFIG_INVALID`, naming every
 * wrong, missing and unknown field, and repeating no value.
 */
export const checkConfig = Effect.fnUntraced(function*(
  type: DestinationType,
  given: Readonly<Record<string, unknown>>
): Effect.fn.Return<DestinationConfig, DestinationConfigInvalid | ServiceUnavailable> {
  const read = type === "sheets" ? withoutFileFields(given) : given
  const config = yield* Schema.decodeEffect(schemaFor(type, read) as Schema.Codec<DestinationConfig, unknown>)(read, {
    errors: "all",
    onExcessProperty: "error"
  }).pipe(
    Effect.mapError((error) =>
      configInvalid(
        issues(error.issue).issues.slice(0, 100).map(({ message, path = [] }) => ({ path: pointer(path), message }))
      )
    )
  )
  if (!("private_key" in config)) return config
  const proven = yield* Effect.mapError(provesItself(config.private_key), () => new ServiceUnavailable())
  if (!proven) {
    const message = "What it signs does not verify: its primes or exponents are not those of an RSA key"
    return yield* configInvalid([{ path: "/config/private_key", message }])
  }
  return config
})
