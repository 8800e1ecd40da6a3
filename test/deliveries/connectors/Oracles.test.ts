import { assert, describe, it } from "@effect/vitest"
import { sheets } from "@googleapis/sheets"
import { Client } from "@notionhq/client"
import { LogLevel, WebClient } from "@slack/web-api"
import { Context, DateTime, Effect, Layer } from "effect"
import { createEmulator } from "emulate"
import { importSPKI, jwtVerify } from "jose"
import { createPublicKey } from "node:crypto"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState } from "../../../src/deliveries/connectors/content/Connector.ts"
import { VendorOrigin } from "../../support/vendors/VendorOrigin.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }
const vendors = Effect.acquireRelease(Effect.promise(() => openVendors()), ({ close }) => Effect.promise(close))
type Vendors = Awaited<ReturnType<typeof openVendors>>

const delivered = Effect.fnUntraced(function*(all: Vendors, kind: "slack" | "notion" | "sheets" | "snowflake") {
  const connectors = Context.get(yield* Layer.build(all.connectors), Connectors)
  const outcome = yield* connectors.deliver(all.target[kind], payloadOf(1), first)
  assert.strictEqual(outcome.kind, "delivered")
  return all.calls.slice()
})

/** What was sent, as the vendor's client and ours may not differ in it. */
const bodyOf = (call: Vendors["calls"][number]) => JSON.parse(call.body)

describe("our requests are those of the vendors' own clients", () => {
  it.live("Notion: the page, the question after an attempt in doubt, and the data source", () =>
    Effect.gen(function*() {
      const all = yield* vendors
      const ours = yield* delivered(all, "notion")
      const page = bodyOf(ours.find(({ path }) => path === "/v1/pages")!)
      all.calls.length = 0
      const client = new Client({ auth: "ntn_abc", baseUrl: `${all.base}/notion`, retry: false })
      const { data_source_id } = all.target.notion.config
      yield* Effect.promise(() => client.dataSources.retrieve({ data_source_id }))
      yield* Effect.promise(() => client.pages.create(page))
      const theirs = all.calls
      assert.deepStrictEqual(
        theirs.map(({ method, path }) => `${method} ${path}`),
        ours.map(({ method, path }) => `${method} ${path}`)
      )
      assert.deepStrictEqual(bodyOf(theirs[1]!), page)
      for (const name of ["authorization", "notion-version", "content-type"]) {
        assert.strictEqual(theirs[1]!.headers[name], ours[1]!.headers[name], name)
      }

      all.calls.length = 0
      const connectors = Context.get(yield* Layer.build(all.connectors), Connectors)
      const unsure_from = VendorOrigin
      yield* connectors.deliver(all.target.notion, payloadOf(1), { ...first, unsure_from, unsure_until: unsure_from })
      const question = all.calls.splice(0).find(({ path }) => path.endsWith("/query"))
      yield* Effect.promise(() => client.dataSources.query({ data_source_id, ...bodyOf(question!) }))
      assert.strictEqual(all.calls[0]!.path, question!.path)
      assert.deepStrictEqual(bodyOf(all.calls[0]!), bodyOf(question!))
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))

  it.live("Slack: the message and the look into the channel, though their client sends a form", () =>
    Effect.gen(function*() {
      const all = yield* vendors
      const [post] = yield* delivered(all, "slack")
      const message = bodyOf(post!)
      const seen: Array<{ readonly path: string; readonly form: Record<string, string> }> = []
      const client = new WebClient("xoxb-1-2-abc", {
        slackApiUrl: "https://slack.test/api/",
        logLevel: LogLevel.ERROR,
        retryConfig: { retries: 0 },
        fetch: async (input: any, init: any) => {
          const form = new URLSearchParams(String(init.body))
          seen.push({ path: new URL(String(input.url ?? input)).pathname, form: Object.fromEntries(form) })
          return Response.json({ ok: true, messages: [] })
        }
      })
      const { postMessage } = client.chat
      yield* Effect.promise(() => postMessage(message))
      assert.strictEqual(seen[0]!.path, post!.path)
      // A form holds JSON where a value is no text.
      const asForm = Object.fromEntries(
        Object.entries(message).map((
          [name, value]
        ) => [name, typeof value === "string" ? value : JSON.stringify(value)])
      )
      const { token: _, ...form } = seen[0]!.form
      assert.deepStrictEqual(form, asForm)

      all.calls.length = 0
      all.slack.messages.length = 0
      const connectors = Context.get(yield* Layer.build(all.connectors), Connectors)
      yield* connectors.deliver(all.target.slack, payloadOf(1), {
        ...first,
        unsure_from: VendorOrigin,
        unsure_until: DateTime.toDateUtc(yield* DateTime.now)
      })
      const look = Object.fromEntries(new URLSearchParams(all.calls[0]!.body))
      yield* Effect.promise(() =>
        client.conversations.history({ ...look, channel: look["channel"]!, limit: 100, include_all_metadata: true })
      )
      const { token: __, ...asked } = seen[1]!.form
      assert.strictEqual(seen[1]!.path, all.calls[0]!.path)
      assert.deepStrictEqual(asked, look)
    }).pipe(Effect.scoped))

  it.live("Sheets: the batch and the look at the sheets", () =>
    Effect.gen(function*() {
      const all = yield* vendors
      const ours = (yield* delivered(all, "sheets")).filter(({ path }) => path.startsWith("/spreadsheets/"))
      all.calls.length = 0
      all.sheets.marks.clear()
      const client = sheets(
        {
          version: "v4",
          rootUrl: `${all.base}/`,
          headers: { authorization: "Bearer ya29.fake" }
        } as Parameters<typeof sheets>[0] & object
      )
      const { spreadsheet_id: spreadsheetId } = all.target.sheets.config
      yield* Effect.promise(() =>
        client.spreadsheets.get({
          spreadsheetId,
          fields: "spreadsheetId,sheets.properties(sheetId,title,gridProperties.columnCount)"
        })
      )
      all.sheets.firstRow.length = 0
      yield* Effect.promise(() => client.spreadsheets.values.get({ spreadsheetId, range: "'Jobs'!1:1" }))
      yield* Effect.promise(() => client.spreadsheets.batchUpdate({ spreadsheetId, requestBody: bodyOf(ours[2]!) }))
      const theirs = all.calls
      assert.deepStrictEqual(
        theirs.map(({ method, path, query }) => `${method} ${decodeURIComponent(path)} ${query.get("fields") ?? ""}`),
        ours.map(({ method, path, query }) => `${method} ${decodeURIComponent(path)} ${query.get("fields") ?? ""}`)
      )
      assert.deepStrictEqual(bodyOf(theirs[2]!), bodyOf(ours[2]!))
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))

  it.live("Snowflake and Google: jose verifies our tokens and reads the claims that they ask for", () =>
    Effect.gen(function*() {
      const all = yield* vendors
      const { private_key } = all.target.snowflake.config
      const spki = createPublicKey(private_key).export({ type: "spki", format: "pem" }) as string
      const key = yield* Effect.promise(() => importSPKI(spki, "RS256"))
      const [call] = yield* delivered(all, "snowflake")
      const token = call!.headers.authorization!.replace(/^Bearer /u, "")
      const { payload, protectedHeader } = yield* Effect.promise(() =>
        jwtVerify(token, key, { algorithms: ["RS256"], subject: "MYORG-ACCOUNT.LOADER", maxTokenAge: "1h" })
      )
      assert.strictEqual(protectedHeader.alg, "RS256")
      assert.match(payload.iss!, /^MYORG-ACCOUNT\.LOADER\.SHA256:[A-Za-z0-9+/]{43}=$/u)

      all.calls.length = 0
      const calls = yield* delivered(all, "sheets")
      const assertion = new URLSearchParams(calls.find(({ path }) => path === "/token")!.body).get("assertion")!
      const google = yield* Effect.promise(() =>
        jwtVerify(assertion, key, {
          algorithms: ["RS256"],
          issuer: all.target.sheets.config.client_email,
          audience: `${all.base}/google/token`,
          maxTokenAge: "1h"
        })
      )
      assert.strictEqual(google.payload["scope"], "https://www.googleapis.com/auth/spreadsheets")
    }).pipe(Effect.scoped))
})

describe("an independent emulator of Slack", () => {
  it.live("takes our message, keeps its metadata, and shows it where we look", () =>
    Effect.gen(function*() {
      const emulator = yield* Effect.acquireRelease(
        Effect.promise(() => createEmulator({ service: "slack", port: 0 })),
        (emulator) => Effect.promise(async () => void await emulator.close())
      )
      const client = new WebClient("xoxb-test-token", {
        slackApiUrl: `${emulator.url}/api/`,
        logLevel: LogLevel.ERROR,
        retryConfig: { retries: 0 }
      })
      const { channels } = yield* Effect.promise(() => client.conversations.list())
      const channel = channels![0]!.id!
      const all = yield* Effect.acquireRelease(
        // By address: a name such as localhost is none that may be reached.
        Effect.promise(() => openVendors({ slack_base: emulator.url.replace("localhost", "127.0.0.1") })),
        ({ close }) => Effect.promise(close)
      )
      const target = { type: "slack", config: { bot_token: "xoxb-test-token", channel }, secrets: [] } as const
      const connectors = Context.get(yield* Layer.build(all.connectors), Connectors)
      assert.strictEqual((yield* connectors.deliver(target, payloadOf(1), first)).kind, "delivered")
      const unsure_until = DateTime.toDateUtc(yield* DateTime.now)
      const again = { ...first, number: 2, unsure_from: VendorOrigin, unsure_until }
      assert.strictEqual((yield* connectors.deliver(target, payloadOf(1), again)).kind, "delivered")
      const history = yield* Effect.promise(() => client.conversations.history({ channel, include_all_metadata: true }))
      const ours = history.messages!.filter((message: any) =>
        message.metadata?.event_payload?.delivery_id === payloadOf(1).delivery_id
      )
      assert.lengthOf(ours, 1)
    }).pipe(Effect.scoped))
})
