import assert from "node:assert/strict"
import type { Call, FakeVendor, Intent } from "./FakeHttp.ts"

interface SlackMessage {
  readonly delivery_id: string | undefined
  readonly body: any
  readonly ts: string
}

/** Slack's own limits on what may be posted. */
const checkBlocks = (body: any) => {
  assert.ok(body.text.length > 0 && body.text.length <= 3000, "text")
  assert.equal(body.unfurl_links, false)
  assert.equal(body.unfurl_media, false)
  assert.ok(body.blocks.length <= 50, "too many blocks")
  for (const block of body.blocks) {
    const texts = [block.text, ...(block.fields ?? []), ...(block.elements ?? [])].filter((text) => text !== undefined)
    assert.ok((block.fields?.length ?? 0) <= 10)
    for (const text of texts) {
      assert.ok(
        text.text.length > 0 && text.text.length <= (block.fields === undefined ? 3000 : 2000),
        "a text's length"
      )
      if (block.type === "header") assert.ok(text.text.length <= 150)
      assert.doesNotMatch(text.text, /<[!@#]/u, "a mention")
      if (text.type === "plain_text") assert.doesNotMatch(text.text, /[<>]|&(?!amp;|lt;|gt;)/u, "not escaped")
    }
  }
}

const bodyOf = (call: Call): any => {
  assert.equal(call.headers["content-type"], "application/json; charset=utf-8")
  return JSON.parse(call.body)
}

const formOf = (call: Call): URLSearchParams => {
  assert.equal(call.headers["content-type"], "application/x-www-form-urlencoded")
  return new URLSearchParams(call.body)
}

/** The Web API of a workspace with one bot, and its history. Tells of a message what Slack keeps of it. */
export const fakeSlack = ({ channel, token }: { readonly token: string; readonly channel: string }) => {
  const messages: Array<SlackMessage> = []
  let clock = 0
  const answer = (call: Call): Intent => {
    if (call.headers.authorization !== `Bearer ${token}`) {
      return { reply: { status: 200, json: { ok: false, error: "invalid_auth" } } }
    }
    assert.match(call.headers["user-agent"] ?? "", /^Footnote\/\d+\.\d+/u)
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
        assert.equal(form.get("channel"), channel)
        assert.equal(form.get("include_all_metadata"), "true")
        const limit = Number(form.get("limit"))
        assert.ok(limit <= 100)
        const from = Number(form.get("cursor") ?? 0)
        const oldest = Number(form.get("oldest"))
        const latest = Number(form.get("latest"))
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

/** An incoming webhook, which tells nothing of what it has posted. */
export const fakeSlackHooks = (path: string) => {
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
