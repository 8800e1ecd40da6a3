import { Clock, Effect } from "effect"
import type { Answer, Egress } from "../../egress/Egress.ts"
import { vendorLookRetries } from "../../retries/RetryPolicy.ts"
import type { Connector, DeliveryPayload, Outcome, TargetOf } from "./content/Connector.ts"
import * as Outcomes from "./DeliveryOutcome.ts"
import { blockBudgets, slackMessage } from "./SlackMessage.ts"
import type { VendorAddresses } from "./VendorAddresses.ts"

/** Ours and Slack's clock may differ, and what was sent may take its time; a busy channel has a page of messages in that. */
const lookBackSeconds = 10
const lookAheadSeconds = 30
const pageSize = 100
const mostPages = 20
const mostPageBytes = 4 * 1024 * 1024

/** Slack's codes for a bot that may not: its owner has to do something. */
const authCodes =
  /^(?:invalid_auth|not_authed|token_revoked|token_expired|account_inactive|no_permission|missing_scope|accesslimited|two_factor_setup_required|org_login_required|access_denied|ekm_access_denied|not_in_channel|channel_not_found|is_archived|team_access_not_granted|restricted_action.*)$/u
/** The message itself was refused, and nothing of it is posted: a shorter one may be taken. */
const tooLong = /^(?:msg_blocks_too_long|msg_too_long|invalid_blocks|too_many_blocks)$/u
/** Not now: the workspace or channel is being moved, or sends too much. By https://docs.slack.dev/reference/methods/chat.postMessage. */
const passingCodes =
  /^(?:ratelimited|rate_limited|message_limit_exceeded|team_added_to_org|external_channel_migrating)$/u
/** Its own troubles, after which nobody knows. */
const brokenCodes = /^(?:internal_error|fatal_error|service_unavailable|request_timeout)$/u

/** A code of Slack, and nothing else that an answer could hold. */
const codeOf = (value: unknown): string => typeof value === "string" && /^[a-z_]{1,60}$/u.test(value) ? value : "failed"

/** What an answer of the Web API means; undefined where it says `ok`. */
const trouble = (answer: Answer): Outcome | undefined => {
  if (answer.status_code !== 200) return Outcomes.ofStatus(answer)
  const body = Outcomes.jsonOf(answer)
  if (body === undefined) return Outcomes.ambiguous("answered no JSON", answer)
  if (body["ok"] === true) return undefined
  const code = codeOf(body["error"])
  if (passingCodes.test(code)) return Outcomes.retryable(code, answer)
  if (authCodes.test(code)) return Outcomes.authBroken(code, answer)
  return brokenCodes.test(code) ? Outcomes.ambiguous(code, answer) : Outcomes.rejected(code, answer)
}

/** False where the scopes that Slack tells with an answer hold none to post by; `bot` is the one of classic apps. */
const grantsPosting = (answer: Answer): boolean => {
  const scopes = answer.headers["x-oauth-scopes"]?.split(",").map((scope) => scope.trim())
  return scopes === undefined || scopes.some((scope) => scope === "bot" || /^chat:write(?::bot)?$/u.test(scope))
}

/** An outcome of looking: a look changes nothing, so it is never in doubt itself, and what it is refused for is not said of the message. */
const ofLook = (outcome: Outcome): Outcome =>
  outcome.kind === "ambiguous" || outcome.kind === "rejected" ? { ...outcome, kind: "retryable" } : outcome

/** The message with this delivery's id, in its metadata. */
const holds = (body: Readonly<Record<string, unknown>>, delivery_id: string): boolean => {
  const messages = Array.isArray(body["messages"]) ? body["messages"] : []
  return messages.some((message: any) => message?.metadata?.event_payload?.delivery_id === delivery_id)
}

/** The message within Slack's limits, and once more a shorter one where it turns out to be too long all the same. */
const shorterOnce = <E>(
  payload: DeliveryPayload,
  send: (message: ReturnType<typeof slackMessage>) => Effect.Effect<Outcome, E>
) =>
  send(slackMessage(payload, blockBudgets[0])).pipe(
    Effect.filterOrElse(
      ({ error, kind }) => kind !== "rejected" || !tooLong.test(error ?? ""),
      () => send(slackMessage(payload, blockBudgets[1]))
    )
  )

/** What its owner can do about a code of Slack. */
const advice: Readonly<Record<string, string>> = {
  channel_not_found: "channel_not_found: no such channel, or a private one to which the bot was not invited",
  not_in_channel: "not_in_channel: invite the bot to the channel",
  is_archived: "is_archived: the channel is archived"
}

/** Slack says which scope a method needs. */
const needs = (answer: Answer): string => {
  const needed = Outcomes.jsonOf(answer)?.["needed"]
  return `the bot lacks the scope ${
    typeof needed === "string" && /^[a-z:.,]{1,80}$/u.test(needed) ? needed : "to read its channel"
  }`
}

interface SlackOptions {
  readonly egress: Egress["Service"]
  readonly addresses: VendorAddresses
  /** Before this has passed since an attempt in doubt, a look could miss a message that is on its way. */
  readonly settle_seconds: number
}

/**
 * A bot's message carries the delivery's id in its metadata; after an attempt in doubt the channel is searched for it, so
 * that it is posted once. An incoming webhook can only be told, not asked: there a message may come twice, and shows the
 * delivery's id.
 */
export const makeSlack = ({ addresses, egress, settle_seconds }: SlackOptions): Connector<"slack"> => {
  type Bot = Extract<TargetOf<"slack">["config"], { readonly bot_token: string }>

  /** As JSON where blocks are sent, and as a form to the methods that take no JSON. */
  const call = (config: Bot, name: string, body: URLSearchParams | Readonly<Record<string, unknown>>) =>
    egress.send({
      method: "POST",
      url: `${addresses.slack}/api/${name}`,
      headers: {
        authorization: `Bearer ${config.bot_token}`,
        "content-type": body instanceof URLSearchParams
          ? "application/x-www-form-urlencoded"
          : "application/json; charset=utf-8"
      },
      body: body instanceof URLSearchParams ? body.toString() : JSON.stringify(body),
      most_bytes: mostPageBytes
    })

  /** Asks again at once where the answer broke off: a look of many pages would else hardly ever come to its end. */
  const read = (config: Bot, name: string, form: URLSearchParams) =>
    call(config, name, form).pipe(
      Effect.filterOrFail(
        (answer) => trouble(answer)?.kind !== "ambiguous",
        (answer) => ({ _tag: "BrokenPage" as const, answer })
      ),
      Effect.retry({
        times: vendorLookRetries.times,
        while: (error) => error._tag === "BrokenPage" || error.reason === "broken_off"
      }),
      Effect.catchTag("BrokenPage", ({ answer }) => Effect.succeed(answer))
    )

  /** Undefined: no such message. */
  const look = Effect.fnUntraced(function*(config: Bot, delivery_id: string, from: Date, until: Date) {
    let cursor = ""
    for (let page = 0; page < mostPages; page++) {
      const question = new URLSearchParams({
        channel: config.channel,
        oldest: (from.getTime() / 1000 - lookBackSeconds).toFixed(6),
        latest: (until.getTime() / 1000 + lookAheadSeconds).toFixed(6),
        include_all_metadata: "true",
        limit: String(pageSize),
        ...(cursor === "" ? {} : { cursor })
      })
      const answer = yield* read(config, "conversations.history", question)
      const failed = trouble(answer)
      if (failed !== undefined) return ofLook(failed)
      const body = Outcomes.jsonOf(answer)!
      if (holds(body, delivery_id)) return Outcomes.delivered(answer)
      const next = (body["response_metadata"] as { readonly next_cursor?: unknown } | undefined)?.next_cursor
      if (typeof next !== "string" || next === "") return undefined
      cursor = next
    }
    return Outcomes.retryable("too many messages to search")
  })

  const post = Effect.fnUntraced(function*(config: Bot, message: Readonly<Record<string, unknown>>) {
    const answer = yield* call(config, "chat.postMessage", { channel: config.channel, ...message })
    const failed = trouble(answer)
    if (failed === undefined) return Outcomes.delivered(answer)
    return failed.kind === "ambiguous" ? { ...failed, retry_after: failed.retry_after ?? settle_seconds } : failed
  })

  const toIncoming = (webhook_url: string, message: object) =>
    egress.send({
      method: "POST",
      url: `${addresses.slack_hooks}${new URL(webhook_url).pathname}`,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(message)
    })

  /** A message without a text is posted nowhere, and refused in other words by a webhook that lives than by a dead one. */
  const askIncoming = Effect.fnUntraced(function*(webhook_url: string) {
    const answer = yield* toIncoming(webhook_url, { text: "" })
    return answer.status_code === 200 || answer.status_code === 400
      ? Outcomes.healthy(answer)
      : Outcomes.unhealthyStatus(answer)
  })

  const tell = Effect.fnUntraced(function*(webhook_url: string, message: object) {
    const answer = yield* toIncoming(webhook_url, message)
    if (answer.status_code === 200) return Outcomes.delivered(answer)
    if (answer.status_code === 404) return Outcomes.authBroken("no such webhook", answer)
    const refused = answer.status_code === 400 && tooLong.test(answer.text ?? "")
    return refused ? Outcomes.rejected(answer.text!, answer) : Outcomes.ofStatus(answer)
  })

  return {
    deliver: Effect.fnUntraced(function*({ config }, payload, attempt) {
      if ("webhook_url" in config) {
        return yield* shorterOnce(payload, (message) => tell(config.webhook_url, message)).pipe(
          Effect.catch((error) => Effect.succeed(Outcomes.ofEgressError(error)))
        )
      }
      if (attempt.unsure_from !== null) {
        const until = attempt.unsure_until ?? attempt.unsure_from
        const wait = (until.getTime() + settle_seconds * 1000 - (yield* Clock.currentTimeMillis)) / 1000
        if (wait > 0) return Outcomes.held("an attempt is in doubt", wait)
        const found = yield* look(config, payload.delivery_id, attempt.unsure_from, until).pipe(
          Effect.catch((error) => Effect.succeed(ofLook(Outcomes.ofEgressError(error))))
        )
        // A bot that may not read its channel is told at least once, as an incoming webhook is.
        if (found !== undefined && found.error !== "missing_scope") return found
      }
      const metadata = {
        event_type: "footnote_delivery",
        event_payload: { delivery_id: payload.delivery_id, job_id: payload.job.id }
      }
      return yield* shorterOnce(
        payload,
        (message) => post(config, { ...message, link_names: false, parse: "none", metadata })
      ).pipe(
        Effect.catch((error) => {
          const outcome = Outcomes.ofEgressError(error)
          return Effect.succeed(outcome.kind === "ambiguous" ? { ...outcome, retry_after: settle_seconds } : outcome)
        })
      )
    }),
    check: Effect.fnUntraced(
      function*({ config }) {
        if ("webhook_url" in config) return yield* askIncoming(config.webhook_url)
        const identity = yield* call(config, "auth.test", {})
        const mayPost = grantsPosting(identity)
        // What a delivery in doubt reads, and so no further scope: conversations.info would need channels:read.
        const channel = trouble(identity) === undefined && mayPost
          ? yield* call(config, "conversations.history", new URLSearchParams({ channel: config.channel, limit: "1" }))
          : identity
        const failed = mayPost ? trouble(channel) : Outcomes.authBroken("missing_scope", channel)
        if (failed === undefined) return Outcomes.healthy(channel)
        // Posting needs no right to read.
        if (mayPost && failed.error === "missing_scope") {
          return Outcomes.healthy(channel, `${needs(channel)}: a message may come twice after a broken connection`)
        }
        const why = mayPost ? advice[failed.error ?? ""] ?? failed.error : "the bot lacks the scope chat:write"
        if (failed.error === "channel_not_found") return Outcomes.unhealthy("not_found", true, channel, why)
        if (failed.kind === "auth_broken") return Outcomes.unhealthy("auth_failed", true, channel, why)
        return failed.error === "ratelimited"
          ? Outcomes.unhealthy("rate_limited", false, channel, why)
          : Outcomes.unhealthyStatus(channel, why ?? undefined)
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyEgressError(error)))
    )
  }
}
