import { ConfigProvider, Layer } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { Connectors, SettleSeconds } from "../../../src/deliveries/connectors/Connectors.ts"
import type { DeliveryPayload } from "../../../src/deliveries/connectors/content/Connector.ts"
import type { DestinationTarget } from "../../../src/deliveries/model/DestinationConfig.ts"
import { webhookBody } from "../../../src/deliveries/model/WebhookEvent.ts"
import { makeWebhookSecret } from "../../../src/deliveries/signing/WebhookSecret.ts"
import { progressOf } from "../../../src/jobs/model/Progress.ts"
import { type Call, type FakeVendor, type Fault, startVendors } from "./FakeHttp.ts"
import { fakeNotion } from "./FakeNotion.ts"
import { fakeGoogleToken, fakeSheets } from "./FakeSheets.ts"
import { fakeSlack, fakeSlackHooks } from "./FakeSlack.ts"
import { fakeSnowflake } from "./FakeSnowflake.ts"
import { fakeWebhook } from "./FakeWebhook.ts"

let made: string | undefined
/** One for the process: a key takes a second to find. */
const pem = () =>
  made ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" }
  }).privateKey

export const kinds = ["webhook", "slack", "slack_incoming", "notion", "sheets", "snowflake"] as const
export type Kind = typeof kinds[number]

/** Of the kinds that can only be told: they may see a delivery twice, always under the same id. */
export const isToldAtLeastOnce = (kind: Kind): boolean => kind === "webhook" || kind === "slack_incoming"

export type FaultOf = (call: Call, vendor: FakeVendor) => Fault | undefined

/** All vendors on one local server, and a destination of each kind at them. */
export const openVendors = async (options: {
  readonly faultOf?: FaultOf
  readonly lag_ms?: number
  readonly settle?: { readonly notion: number; readonly slack: number }
  readonly missing_table?: boolean
  readonly slow?: boolean
  readonly snowflake?: Partial<Parameters<typeof fakeSnowflake>[0]>
  readonly slack?: {
    readonly scopes?: ReadonlyArray<string>
    readonly most_blocks?: number
    readonly refuses?: string
  }
  readonly notion?: {
    readonly properties?: Parameters<typeof fakeNotion>[0]["properties"]
    readonly more_sources?: number
  }
  /** Of the sheet that rows go to. */
  readonly first_row?: ReadonlyArray<string>
  /** Another Slack than ours. */
  readonly slack_base?: string
  readonly tls?: { readonly key: string; readonly cert: string }
} = {}) => {
  const private_key = pem()
  const secret = makeWebhookSecret()
  const account = { client_email: "svc@project.iam.gserviceaccount.com", private_key }
  const snowflakeUser = { account: "myorg-account", user: "loader", private_key }
  const data_source_id = "897e5a76-ae52-4b48-9fdf-e71f5945d1af"
  const slack = fakeSlack({ token: "xoxb-1-2-abc", channel: "C0123456789", ...options.slack })
  const hooks = fakeSlackHooks("/services/T0/B0/abc", options.slack?.most_blocks)
  const notion = fakeNotion({
    token: "ntn_abc",
    data_source_id,
    database_id: "11111111-2222-3333-4444-555555555555",
    more_sources: options.notion?.more_sources ?? 0,
    properties: {
      Name: "title",
      "Job ID": "rich_text",
      Price: "number",
      Sold: "checkbox",
      Link: "url",
      Note: "rich_text",
      ...options.notion?.properties
    },
    lag_ms: options.lag_ms ?? 0
  })
  const google = fakeGoogleToken(account)
  const sheets = fakeSheets({
    spreadsheet_id: "1AbCdEfGhIjK",
    sheets: { First: 0, Jobs: 731 },
    ...(options.first_row === undefined ? {} : { first_row: options.first_row })
  })
  const snowflake = fakeSnowflake({
    ...snowflakeUser,
    ...options.snowflake,
    missing: options.missing_table === true,
    slow: options.slow === true
  })
  const webhook = fakeWebhook(() => secret)
  const server = await startVendors(
    [slack.vendor, hooks.vendor, notion.vendor, google.vendor, sheets.vendor, snowflake.vendor, webhook.vendor],
    options.faultOf,
    options.tls
  )
  const target = {
    webhook: {
      type: "webhook",
      config: { url: `${server.base}/webhook/hook`, headers: { "x-team": "films" } },
      secrets: [secret]
    },
    slack: { type: "slack", config: { bot_token: "xoxb-1-2-abc", channel: "C0123456789" }, secrets: [] },
    slack_incoming: {
      type: "slack",
      config: { webhook_url: "https://hooks.slack.com/services/T0/B0/abc" },
      secrets: []
    },
    notion: {
      type: "notion",
      config: {
        token: "ntn_abc",
        data_source_id,
        property_map: { Name: "/title", Price: "/price", Sold: "/sold", Link: "$job.url", Note: "/note" }
      },
      secrets: []
    },
    sheets: {
      type: "sheets",
      config: { ...account, spreadsheet_id: "1AbCdEfGhIjK", sheet: "Jobs" },
      secrets: []
    },
    snowflake: {
      type: "snowflake",
      config: { ...snowflakeUser, warehouse: "LOAD", database: "FOOTAGE", schema: "PUBLIC", table: "JOBS" },
      secrets: []
    }
  } as const satisfies { readonly [K in Kind]: DestinationTarget }
  const env = {
    SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
    FOOTNOTE_SLACK_BASE_URL: options.slack_base ?? `${server.base}/slack`,
    FOOTNOTE_SLACK_HOOKS_BASE_URL: `${server.base}/hooks`,
    FOOTNOTE_NOTION_BASE_URL: `${server.base}/notion`,
    FOOTNOTE_SHEETS_BASE_URL: server.base,
    FOOTNOTE_GOOGLE_TOKEN_BASE_URL: `${server.base}/google`,
    FOOTNOTE_SNOWFLAKE_BASE_URL: `${server.base}/snowflake`
  }
  return {
    ...server,
    target,
    env,
    secret,
    slack,
    hooks,
    notion,
    google,
    sheets,
    snowflake,
    webhook,
    /** The ids that each vendor holds: a delivery's, a job's or an event's, by what it is found by. */
    held: (kind: Kind): ReadonlyArray<string> => {
      switch (kind) {
        case "webhook":
          return webhook.received.map(({ id }) => id)
        case "slack":
          return slack.messages.map(({ delivery_id }) => delivery_id!)
        case "slack_incoming":
          return hooks.messages.map(({ delivery_id }) => delivery_id!)
        case "notion":
          return notion.pages.map(({ job_id }) => job_id)
        case "sheets":
          return sheets.rows.map(({ delivery_id }) => delivery_id)
        case "snowflake":
          return [...snowflake.rows.keys()]
      }
    },
    connectors: Connectors.layer.pipe(
      Layer.provide(Layer.succeed(SettleSeconds, options.settle ?? { notion: 0, slack: 0 })),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
    )
  }
}

/** What a finished job delivers; the number makes its ids. */
export const payloadOf = (number: number, more: Partial<DeliveryPayload> = {}): DeliveryPayload => {
  const suffix = `01kz${String(number).padStart(22, "0")}`
  const job_id = `job_${suffix}`
  const payload = {
    body: null,
    delivery_id: `dlv_${suffix}`,
    event_id: `evt_${suffix}`,
    event_type: "job.succeeded",
    created_at: "2026-11-20T09:30:00.000Z",
    request_id: "req-1",
    job: {
      id: job_id,
      status: "succeeded",
      source_uri: "https://example.com/talk.mp4",
      schema_id: null,
      model_stack: "builtin",
      destination_ids: [],
      webhook_url: null,
      metadata: {},
      created_at: "2026-11-20T09:29:00.000Z",
      started_at: "2026-11-20T09:29:01.000Z",
      finished_at: "2026-11-20T09:30:00.000Z",
      progress: progressOf([]),
      source: null,
      result_confidence: 0.9,
      warnings: [],
      error: null,
      usage: { audio_seconds: 1, frames_sampled: 0, frames_kept: 0, model_seconds: 0, tokens: 0, cost: 0 },
      provenance: null
    } as unknown as DeliveryPayload["job"],
    result: { title: "Orbits", price: 12.5, sold: true, note: "Two people talk.", tags: ["space", "talk"] },
    evidence: [{
      pointer: "/title",
      value: "Orbits",
      origin: "extracted",
      origin_channel: "asr",
      modality: "audio",
      t_start: 134,
      t_end: 135,
      source_ref: "seg#000004",
      quote: "Orbits",
      media_fragment: "#t=134,135",
      node_id: null,
      support: "verbatim",
      confidence: 0.9,
      verified: true,
      corroborated_by: [],
      alternatives: [],
      grade: "stated",
      citations: [{
        source_ref: "seg#000004",
        t_start: 134,
        t_end: 135,
        quote: "Orbits",
        role: "value",
        origin_channel: "asr",
        media_fragment: "#t=134,135"
      }],
      checks: { quoted: true, derivable: true, answers: 0.9, judged_by: "rules" },
      proposed_by: "ranker"
    }],
    links: {
      page: `https://footnote.test/s/${suffix}`,
      app: `https://footnote.test/app/#/jobs/${job_id}`,
      job: `https://footnote.test/v1/jobs/${job_id}`,
      result: `https://footnote.test/v1/jobs/${job_id}`,
      evidence: `https://footnote.test/v1/jobs/${job_id}/evidence`
    },
    ...more
  } satisfies DeliveryPayload
  const { created_at, event_id: id, event_type: type, job, links, result } = payload
  return {
    ...payload,
    body: webhookBody({
      id,
      type,
      created_at,
      job,
      result,
      result_url: links.result,
      evidence: null,
      evidence_url: links.evidence
    })
  }
}
