import { setTimeout as sleep } from "node:timers/promises"
import { Agent, type Dispatcher, request } from "undici"
import { makeAddressPolicy } from "../../../../src/egress/AddressPolicy.ts"
import { parseRetryAfter } from "../../../../src/egress/RetryAfter.ts"
import { isAddressBlocked, makeGuardedAgent } from "../../../../src/egress/SsrfGuard.ts"
import { type ChatAnswer, type ChatRequest, dialectOf } from "./LlmDialect.ts"
import type { LlmEndpoint } from "./LlmEndpoint.ts"
import { askServer, type ServerFacts, UNKNOWN_SERVER } from "./LlmServer.ts"

/** The endpoint answers nobody now, whatever is asked. `retryable` where it may later. */
export class LlmAway extends Error {
  readonly retryable: boolean
  constructor(message: string, retryable: boolean) {
    super(message)
    this.retryable = retryable
  }
}

/** This one request came to nothing: it took too long, or the endpoint does not take it. */
export class LlmRequestFailed extends Error {
  /** It may have been too much at once. */
  readonly too_large: boolean
  constructor(message: string, too_large: boolean) {
    super(message)
    this.too_large = too_large
  }
}

export interface LlmClientOptions {
  /** How waiting between attempts is done. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

const ATTEMPTS = 4
/** A limit by the minute passes within minutes: it is waited out that often, as long as the job has time. */
const LIMITED_ATTEMPTS = 8
const FIRST_WAIT_MS = 500
/** Whoever asks for a longer pause is away for this job. */
const LONGEST_WAIT_MS = 60_000
const MOST_BYTES = 4 * 1024 * 1024

/** Statuses that do not depend on what is asked: key, account, model or address are wrong. */
const FOR_ALL: ReadonlySet<number> = new Set([401, 402, 403, 404, 405])
/** How servers call a request that exceeds the model's context. */
const TOO_LONG = /context[ _]length|maximum context|too (?:long|large|many tokens)|context (?:size|window)/iu

/** Statuses 429 of an account that is used up: waiting does not help (platform.openai.com/docs/guides/error-codes). */
const USED_UP = /"(?:insufficient_quota|billing_hard_limit_reached|billing_not_active)"/u
/** How servers say that their model sees nothing; llama-server does so with status 500. */
const BLIND =
  /image input is not supported|not (?:a )?multi-?modal|image_url|images? (?:is|are) not|(?:support|accept|process) (?:for )?(?:images?|vision)|data required for image/iu
/** How they say that one picture cannot be read, which is no word about the next. */
const UNREADABLE =
  /invalid_image|invalid image|valid image|image_(?:parse|content|too)|unsupported image (?:format|type)|corrupt|(?:cannot|could not|failed to|unable to) (?:decode|download|load|process|read)/iu
/** A refusal that speaks of the pictures: the words alone may be taken. */
const OF_PICTURES = new RegExp(`${BLIND.source}|\\b(?:image|picture)s?\\b|image_`, "iu")

const isBlind = (text: string): boolean => BLIND.test(text) && !UNREADABLE.test(text)
/** A prompt that a filter before the model refuses, as Azure's does (learn.microsoft.com, content filtering). */
const FILTERED = /"(?:content_filter|ResponsibleAIPolicyViolation)"/u
const CONNECT_MS = 10_000
/** A server says what it is at once or not at all. */
const SERVER_SECONDS = 5

type Answer =
  | { readonly status: number; readonly retry_after: number | undefined; readonly text: string }
  | { readonly status: null }

/** That a request was taken in no way. */
interface Refusal {
  readonly status: number
  /** Because the model takes no pictures. */
  readonly blind: boolean
}

/** The text of a body, undefined where it is longer. */
const textWithin = async (stream: Dispatcher.ResponseData["body"], most: number): Promise<string | undefined> => {
  const parts: Array<Buffer> = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > most) {
      stream.destroy()
      return undefined
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}

/**
 * Asks an endpoint in its own dialect for answers, a bounded number at a time: half as many as before where it says that it is asked too
 * much (429), and slowly more again with every answer. What may pass (429, 5xx, lost
 * connections) is tried four times, `Retry-After` obeyed; then, or where the endpoint knows neither key nor model, it rejects
 * with `LlmAway`. A call that takes too long or is not taken rejects with `LlmRequestFailed`. No redirect is followed, and
 * nothing that the endpoint says of a failure is repeated: it may hold the key or what was sent.
 */
export const makeLlmClient = (endpoint: LlmEndpoint, { wait = pause }: LlmClientOptions = {}) => {
  let facts = UNKNOWN_SERVER
  let introduced = false
  const milliseconds = endpoint.timeout_seconds * 1000
  const { address, answerOf, bodies, headers } = dialectOf(endpoint)
  const agent = endpoint.guard === undefined
    ? new Agent({ headersTimeout: 0, bodyTimeout: 0 })
    : makeGuardedAgent(makeAddressPolicy(endpoint.guard), {
      connect_ms: CONNECT_MS,
      headers_ms: milliseconds,
      body_ms: milliseconds
    })
  let manner = 0
  let served = false
  /** Its model was found to take no pictures, whatever they show; one that has taken any is not. */
  let blind = false
  let sighted = false
  let running = 0
  /** Calls at a time that the endpoint bears, by additive increase and multiplicative decrease (Chiu and Jain 1989). */
  let bearable = endpoint.concurrency
  const waiting = new Set<() => void>()

  /** Waits until a place may be free, and no longer than the signal says. */
  const place = (signal: AbortSignal): Promise<void> =>
    new Promise((resume, reject) => {
      signal.throwIfAborted()
      const leave = () => {
        waiting.delete(wake)
        reject(signal.reason)
      }
      const wake = () => {
        waiting.delete(wake)
        signal.removeEventListener("abort", leave)
        resume()
      }
      waiting.add(wake)
      signal.addEventListener("abort", leave, { once: true })
    })

  const turn = async <A>(work: () => Promise<A>, signal: AbortSignal): Promise<A> => {
    while (running >= Math.floor(bearable)) await place(signal)
    running++
    try {
      return await work()
    } finally {
      running--
      for (const wake of Array.from(waiting).slice(0, Math.max(0, Math.floor(bearable) - running))) wake()
    }
  }

  const post = async (body: string, signal: AbortSignal): Promise<Answer> => {
    const late = AbortSignal.timeout(milliseconds)
    try {
      const { body: stream, headers: told, statusCode } = await request(address, {
        method: "POST",
        dispatcher: agent,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "accept-encoding": "identity",
          "user-agent": "footnote/0.1",
          ...headers
        },
        body,
        signal: AbortSignal.any([signal, late])
      })
      const text = await textWithin(stream, MOST_BYTES)
      if (text === undefined) throw new LlmRequestFailed("the model's answer is longer than 4 MiB", true)
      const after = told["retry-after"]
      return {
        status: statusCode,
        retry_after: parseRetryAfter(Array.isArray(after) ? after[0] : after, Date.now()),
        text
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LlmRequestFailed) throw error
      if (isAddressBlocked(error)) throw new LlmAway("its address is not a public one", false)
      if (late.aborted) throw new LlmRequestFailed(`no answer within ${endpoint.timeout_seconds} s`, false)
      return { status: null }
    }
  }

  /** One request, tried again while that may help. */
  const persist = async (
    body: string,
    signal: AbortSignal,
    pictured: boolean
  ): Promise<Exclude<Answer, { readonly status: null }>> => {
    for (let attempt = 1;; attempt++) {
      const answer = await turn(() => post(body, signal), signal)
      const { status } = answer
      const passing = status === null || status === 408 || status === 409 || status === 425 || status === 429 ||
        status >= 500
      if (status === 429) bearable = Math.max(1, bearable / 2)
      if (!passing || (pictured && status !== null && BLIND.test(answer.text))) return answer
      const what = status === null ? "no connection" : `status ${status}`
      const least = FIRST_WAIT_MS * 2 ** (attempt - 1)
      const wished = status === null ? 0 : (answer.retry_after ?? 0) * 1000
      const delay = Math.max(Math.min(least, LONGEST_WAIT_MS), wished)
      if (status === 429 && USED_UP.test(answer.text)) throw new LlmAway("its account is used up", false)
      const attempts = status === 429 && wished === 0 ? LIMITED_ATTEMPTS : ATTEMPTS
      if (attempt === attempts || delay > LONGEST_WAIT_MS) throw new LlmAway(what, true)
      await wait(delay, signal)
    }
  }

  /** What the endpoint answers in the first way that it takes, or how it took none. */
  const tried = async (asked: ChatRequest, signal: AbortSignal): Promise<ChatAnswer | Refusal> => {
    let refusal: Refusal = { status: 0, blind: false }
    const pictured = asked.pictures !== undefined
    const ways = bodies(endpoint.model, asked)
    for (let way = manner; way < ways.length; way++) {
      const { status, text } = await persist(JSON.stringify(ways[way]), signal, pictured)
      if (status >= 200 && status < 300) {
        bearable = Math.min(endpoint.concurrency, bearable + 1 / bearable)
        manner = Math.max(manner, way)
        served = true
        const answer = answerOf(text)
        if (answer === null) throw new LlmRequestFailed("the answer is none of a language model", false)
        const { build } = facts
        const { served_by } = answer
        return served_by === undefined || build === null ? answer : { ...answer, served_by: { ...served_by, build } }
      }
      if (pictured && OF_PICTURES.test(text)) return { status, blind: isBlind(text) }
      if (status < 400 || FOR_ALL.has(status)) throw new LlmAway(`status ${status}`, false)
      if (FILTERED.test(text)) {
        return { text: "", finish: "other", refused: true, input_tokens: 0, output_tokens: 0 }
      }
      if (status === 413 || TOO_LONG.test(text)) throw new LlmRequestFailed("the request is too long", true)
      refusal = { status, blind: false }
    }
    return refusal
  }

  const ask = async (asked: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> => {
    const { pictures: _, ...words } = asked
    let is_blind = false
    if (asked.pictures !== undefined && !blind) {
      const answer = await tried(asked, signal)
      if ("text" in answer) {
        sighted = true
        return answer
      }
      is_blind = answer.blind && !sighted
    }
    const answer = await tried(words, signal)
    if ("text" in answer) {
      blind ||= is_blind
      return asked.pictures === undefined ? answer : { ...answer, unseen: true }
    }
    // Whoever has never taken a request takes none; another one may have been too much.
    throw served
      ? new LlmRequestFailed("the request was not taken", true)
      : new LlmAway(`status ${answer.status}`, false)
  }

  /** What the server says of itself. Endpoints of a vendor are not asked: theirs say it in each answer. */
  const server = async (signal: AbortSignal): Promise<ServerFacts> => {
    // Of one that may cut a prompt the context is asked for before each job: the next load may have another.
    if ((introduced && !facts.cuts) || endpoint.url.includes("?") || endpoint.url.endsWith("/messages")) return facts
    const root = endpoint.url.replace(/\/v\d+$/u, "")
    facts = await askServer(endpoint.model, async (path, asked, seconds = SERVER_SECONDS) => {
      try {
        const { body, statusCode } = await request(`${root}${path}`, {
          method: asked === undefined ? "GET" : "POST",
          dispatcher: agent,
          reset: true,
          headers: { "content-type": "application/json", accept: "application/json", ...headers },
          ...(asked === undefined ? {} : { body: JSON.stringify(asked) }),
          signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)])
        })
        const text = await textWithin(body, MOST_BYTES)
        return statusCode === 200 && text !== undefined ? JSON.parse(text) : undefined
      } catch {
        signal.throwIfAborted()
        return undefined
      }
    })
    introduced = true
    return facts
  }

  return {
    ask,
    server,
    [Symbol.asyncDispose]: () => agent.destroy()
  }
}

export type LlmClient = ReturnType<typeof makeLlmClient>

const pause = (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal })
