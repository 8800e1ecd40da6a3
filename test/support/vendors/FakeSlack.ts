import assert from "node:assert/strict"
import type { Call, FakeVendor, Intent, Reply } from "./FakeHttp.ts"

interface SlackMessage {
  readonly delivery_id: string | undefined
  readonly body: any
  readonly ts: string
}

/**
 * Slack's own limits on what may be posted:
 * - a text of 40,000 characters, 50 blocks: https://docs.slack.dev/reference/methods/chat.postMessage
 * - a section's text of 3,000 characters or 10 fields of 2,000: https://docs.slack.dev/reference/block-kit/blocks/section-block
 * - a header of 150: https://docs.slack.dev/reference/block-kit/blocks/header-block
 * - 10 elements of a context: https://docs.slack.dev/reference/block-kit/blocks/context-block
 * - blocks of about 13,200 characters together: https://github.com/slackapi/bolt-js/issues/2509 and, of nested ones that
 *   were refused at less, https://github.com/slackapi/bolt-js/issues/2867
 *
 * Answers Slack's code where one is broken.
 */
export const refusal = (body: any, most = 13_200): string | undefined => {
  if (body.text.length > 40_000) return "msg_too_long"
  if (body.blocks.length > 50) return "invalid_blocks"
  for (const block of body.blocks) {
    const texts = [block.text, ...(block.fields ?? []), ...(block.elements ?? [])].filter((text) => text !== undefined)
    if ((block.fields?.length ?? 0) > 10 || (block.elements?.length ?? 0) > 10) return "invalid_blocks"
    const longest = block.type === "header" ? 150 : block.fields === undefined ? 3000 : 2000
    if (texts.some(({ text }) => text.trim() === "" || text.length > longest)) return "invalid_blocks"
  }
  // A divider alone was counted 125: https://github.com/slackapi/bolt-js/issues/2509
  return JSON.stringify(body.blocks).length > most ? "msg_blocks_too_long" : undefined
}

/** What we never send, whatever Slack would make of it. */
export const checkBlocks = (body: any) => {
  assert.ok(body.text.length > 0)
  assert.equal(body.unfurl_links, false)
  assert.equal(body.unfurl_media, false)
  for (const block of body.blocks) {
    const texts = [block.text, ...(block.fields ?? []), ...(block.elements ?? [])].filter((text) => text !== undefined)
    for (const text of texts) {
      assert.doesNotMatch(text.text, /<[!@#]/u, "a mention")
      if (text.type === "plain_text") assert.doesNotMatch(text.text, /[<>]|&(?!amp;|lt;|gt;)/u, "not escaped")
    }
  }
}

/**
 * What a bot needs for each method, of a public channel:
 * - none: https://docs.slack.dev/reference/methods/auth.test
 * - https://docs.slack.dev/reference/methods/chat.postMessage, https://docs.slack.dev/reference/scopes/chat.write
 * - https://docs.slack.dev/reference/methods/conversations.history, https://docs.slack.dev/reference/scopes/channels.history
 * - https://docs.slack.dev/reference/methods/conversations.info, https://docs.slack.dev/reference/scopes/channels.read
 */
const scopeOf: Readonly<Record<string, string>> = {
  "chat.postMessage": "chat:write",
  "conversations.history": "channels:history",
  "conversations.info": "channels:read"
}

const bodyOf = (call: Call): any => {
  assert.equal(call.headers["content-type"], "application/json; charset=utf-8")
  return JSON.parse(call.body)
}

const formOf = (call: Call): URLSearchParams => {
  assert.equal(call.headers["content-type"], "application/x-www-form-urlencoded")
  return new URLSearchParams(call.body)
}

/**
 * The Web API of a workspace with one bot in one public channel, and its history. Tells of a message what Slack keeps of it.
 * A method whose scope the bot lacks is `missing_scope` with what is needed and what is provided
 * (https://docs.slack.dev/tools/node-slack-sdk/reference/web-api/type-aliases/ConversationsHistoryResponse), and every
 * answer tells the scopes in a header (https://github.com/slackapi/node-slack-sdk, packages/web-api/src/WebClient.ts).
 */
export const fakeSlack = (options: {
  readonly token: string
  readonly channel: string
  /** By default those that docs/destinations.md asks for. */
  readonly scopes?: ReadonlyArray<string>
  /** Characters of all blocks together. */
  readonly most_blocks?: number
  /** The code with which every message is refused: https://docs.slack.dev/reference/methods/chat.postMessage, "Errors". */
  readonly refuses?: string
}) => {
  const { channel, most_blocks = 13_200, refuses, scopes = ["chat:write", "channels:history"], token } = options
  const messages: Array<SlackMessage> = []
  let clock = 0
  const withScopes = (reply: Reply): Reply => ({ ...reply, headers: { "x-oauth-scopes": scopes.join(",") } })
  const answer = (call: Call): Intent => {
    if (call.headers.authorization !== `Bearer ${token}`) {
      return { reply: { status: 200, json: { ok: false, error: "invalid_auth" } } }
    }
    assert.match(call.headers["user-agent"] ?? "", /^Footnote\/\d+\.\d+/u)
    const needed = scopeOf[call.path.replace("/api/", "")]
    if (needed !== undefined && !scopes.includes(needed)) {
      const json = { ok: false, error: "missing_scope", needed, provided: scopes.join(",") }
      return { reply: withScopes({ status: 200, json }) }
    }
    const intent = allowed(call)
    const { reply } = intent
    return { ...intent, reply: () => withScopes(typeof reply === "function" ? reply() : reply) }
  }
  const allowed = (call: Call): Intent => {
    switch (`${call.method} ${call.path}`) {
      case "POST /api/auth.test":
        return { reply: { status: 200, json: { ok: true, user_id: "U1" } } }
      case "POST /api/conversations.info":
        return {
          reply: formOf(call).get("channel") === channel
            ? { status: 200, json: { ok: true, channel: { id: channel } } }
            : { status: 200, json: { ok: false, error: "channel_not_found" } }
        }
      case "POST /api/chat.postMessage": {
        const body = bodyOf(call)
        if (body.channel !== channel) return { reply: { status: 200, json: { ok: false, error: "channel_not_found" } } }
        checkBlocks(body)
        const refused = refuses ?? refusal(body, most_blocks)
        if (refused !== undefined) return { reply: { status: 200, json: { ok: false, error: refused } } }
        assert.equal(body.metadata.event_type, "footnote_delivery")
        assert.match(body.metadata.event_payload.delivery_id, /^dlv_/u)
        const ts = (Date.now() / 1000 + ++clock / 1e6).toFixed(6)
        return {
          commit: () => messages.push({ delivery_id: body.metadata.event_payload.delivery_id, body, ts }),
          reply: { status: 200, json: { ok: true, channel, ts } }
        }
      }
      case "POST /api/conversations.history": {
        const form = formOf(call)
        // https://docs.slack.dev/reference/methods/conversations.history: no such channel, and no more than 999 messages.
        if (form.get("channel") !== channel) {
          return { reply: { status: 200, json: { ok: false, error: "channel_not_found" } } }
        }
        const limit = Number(form.get("limit"))
        assert.ok(limit <= 999)
        assert.ok(limit === 1 || form.get("include_all_metadata") === "true")
        const from = Number(form.get("cursor") ?? 0)
        const oldest = Number(form.get("oldest") ?? 0)
        const latest = Number(form.get("latest") ?? Number.MAX_SAFE_INTEGER)
        return {
          reply: () => {
            const found = messages.filter(({ ts }) => Number(ts) >= oldest && Number(ts) <= latest).toReversed()
            const more = from + limit < found.length
            return {
              status: 200,
              json: {
                ok: true,
                messages: found.slice(from, from + limit).map(({ body, ts }) => ({ ts, metadata: body.metadata })),
                has_more: more,
                response_metadata: { next_cursor: more ? String(from + limit) : "" }
              }
            }
          }
        }
      }
      default:
        throw new Error("no such method")
    }
  }
  const vendor: FakeVendor = {
    prefix: "/slack",
    key: (call) => call.headers.authorization ?? "",
    answer,
    tooMany: { status: 429, json: { ok: false, error: "ratelimited" } }
  }
  return { vendor, messages }
}

/**
 * An incoming webhook, which tells nothing of what it has posted and refuses in plain text:
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export const fakeSlackHooks = (path: string, most_blocks = 13_200) => {
  const messages: Array<SlackMessage> = []
  const vendor: FakeVendor = {
    prefix: "/hooks",
    key: (call) => call.path,
    answer: (call) => {
      if (call.path !== path) return { reply: { status: 404, text: "no_service" } }
      assert.equal(call.method, "POST")
      const body = bodyOf(call)
      if (body.text === "") return { reply: { status: 400, text: "no_text" } }
      checkBlocks(body)
      const refused = refusal(body, most_blocks)
      if (refused !== undefined) return { reply: { status: 400, text: refused } }
      const delivery_id = /dlv_[0-9a-z]+/u.exec(JSON.stringify(body.blocks))?.[0]
      assert.ok(delivery_id !== undefined, "the delivery's id is shown")
      return {
        commit: () => messages.push({ delivery_id, body, ts: "" }),
        reply: { status: 200, text: "ok" }
      }
    },
    tooMany: { status: 429, text: "rate_limited" }
  }
  return { vendor, messages }
}
