import { setTimeout as sleep } from "node:timers/promises"
import { Agent, request } from "undici"
import { parseRetryAfter } from "../../../../src/egress/RetryAfter.ts"
import type { LlmEndpoint } from "./LlmEndpoint.ts"

export interface ChatMessage {
  readonly role: "system" | "user"
  readonly content: string
}

export interface ChatRequest {
  readonly messages: ReadonlyArray<ChatMessage>
  /** What the answer should look like, told to endpoints that can hold to it. */
  readonly schema: object
  readonly most_output_tokens: number
  /** How long models that think may think, told to endpoints that know of it. */
  readonly effort?: "low"
}

export interface ChatAnswer {
  readonly text: string
  /** `length`: cut off at the limit. `other`: refused or filtered. */
  readonly finish: "stop" | "length" | "other"
  /** It said in so many words that it will not. */
  readonly refused?: boolean
  /** As the endpoint counts them; null where it does not. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

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

/**
 * Ways to ask, the strictest first: endpoints differ in which form of answer they can hold to, in what they call the limit
 * and in whether the temperature may be set. The first that an endpoint takes is kept.
 */
const MANNERS = [
  { format: "json_schema", limit: "max_tokens", temperature: true },
  { format: "json_schema", limit: "max_completion_tokens", temperature: false },
  { format: "json_object", limit: "max_tokens", temperature: true },
  { format: "none", limit: "max_tokens", temperature: true },
  { format: "none", limit: "max_completion_tokens", temperature: false }
] as const

/** Statuses that do not depend on what is asked: key, account, model or address are wrong. */
const FOR_ALL: ReadonlySet<number> = new Set([401, 402, 403, 404, 405])
/** How servers call a request that exceeds the model's context. */
const TOO_LONG = /context[ _]length|maximum context|too (?:long|large|many tokens)|context (?:size|window)/iu

const bodyOf = (model: string, asked: ChatRequest, { format, limit, temperature }: (typeof MANNERS)[number]) =>
  JSON.stringify({
    model,
    messages: asked.messages,
    [limit]: asked.most_output_tokens,
    ...(temperature ? { temperature: 0 } : {}),
    ...(asked.effort === undefined ? {} : { reasoning_effort: asked.effort }),
    ...(format === "none" ? {} : {
      response_format: format === "json_object"
        ? { type: format }
        : { type: format, json_schema: { name: "proposals", strict: true, schema: asked.schema } }
    })
  })

/**
 * Where completions are asked for. An address with an `api-version` is a deployment of Azure OpenAI, which takes the key in a
 * header of its own (learn.microsoft.com/azure/ai-services/openai/reference).
 */
const completionsOf = ({ key, url }: Pick<LlmEndpoint, "key" | "url">) => {
  const [base, query] = url.split("?") as [string, string?]
  const versioned = query !== undefined
  return {
    address: `${base}/chat/completions${versioned ? `?${query}` : ""}`,
    authorization: key === null ? {} : versioned ? { "api-key": key } : { authorization: `Bearer ${key}` }
  }
}

/** No model reads or writes more at once. */
const MOST_TOKENS = 10_000_000

const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : null

/** What a chat completion says, read without trust; null where it is none. */
const answerOf = (bytes: string): ChatAnswer | null => {
  let parsed: unknown
  try {
    parsed = JSON.parse(bytes)
  } catch {
    return null
  }
  const { choices, usage } = (parsed ?? {}) as { readonly choices?: unknown; readonly usage?: unknown }
  const choice = (Array.isArray(choices) ? choices[0] : undefined) as
    | {
      readonly finish_reason?: unknown
      readonly message?: { readonly content?: unknown; readonly refusal?: unknown }
    }
    | undefined
  if (choice?.message === undefined || choice.message === null) return null
  const { completion_tokens, prompt_tokens } = (usage ?? {}) as Readonly<Record<string, unknown>>
  const { content, refusal } = choice.message
  const { finish_reason } = choice
  return {
    text: typeof content === "string" ? content : "",
    finish: finish_reason === "length"
      ? "length"
      : finish_reason === "content_filter" || typeof content !== "string"
      ? "other"
      : "stop",
    ...(finish_reason === "content_filter" || (typeof refusal === "string" && refusal !== "") ? { refused: true } : {}),
    input_tokens: count(prompt_tokens),
    output_tokens: count(completion_tokens)
  }
}

type Answer =
  | { readonly status: number; readonly retry_after: number | undefined; readonly text: string }
  | { readonly status: null }

/**
 * Asks an OpenAI-compatible endpoint for chat completions, a bounded number at a time. What may pass (429, 5xx, lost
 * connections) is tried four times, `Retry-After` obeyed; then, or where the endpoint knows neither key nor model, it rejects
 * with `LlmAway`. A call that takes too long or is not taken rejects with `LlmRequestFailed`. No redirect is followed, and
 * nothing that the endpoint says of a failure is repeated: it may hold the key or what was sent.
 */
export const makeLlmClient = (endpoint: LlmEndpoint, { wait = pause }: LlmClientOptions = {}) => {
  const milliseconds = endpoint.timeout_seconds * 1000
  const { address, authorization } = completionsOf(endpoint)
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  let manner = 0
  let served = false
  let running = 0
  const waiting: Array<() => void> = []

  const turn = async <A>(work: () => Promise<A>): Promise<A> => {
    while (running >= endpoint.concurrency) await new Promise<void>((resume) => waiting.push(resume))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }

  const post = async (body: string, signal: AbortSignal): Promise<Answer> => {
    const late = AbortSignal.timeout(milliseconds)
    try {
      const { body: stream, headers, statusCode } = await request(address, {
        method: "POST",
        dispatcher: agent,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "user-agent": "footnote/0.1",
          ...authorization
        },
        body,
        signal: AbortSignal.any([signal, late])
      })
      const parts: Array<Buffer> = []
      let size = 0
      for await (const part of stream) {
        size += part.length
        if (size > MOST_BYTES) {
          stream.destroy()
          throw new LlmRequestFailed("the model's answer is longer than 4 MiB", true)
        }
        parts.push(part)
      }
      const after = headers["retry-after"]
      return {
        status: statusCode,
        retry_after: parseRetryAfter(Array.isArray(after) ? after[0] : after, Date.now()),
        text: Buffer.concat(parts).toString("utf8")
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LlmRequestFailed) throw error
      if (late.aborted) throw new LlmRequestFailed(`no answer within ${endpoint.timeout_seconds} s`, false)
      return { status: null }
    }
  }

  /** One request, tried again while that may help. */
  const persist = async (body: string, signal: AbortSignal): Promise<Exclude<Answer, { readonly status: null }>> => {
    for (let attempt = 1;; attempt++) {
      const answer = await post(body, signal)
      const { status } = answer
      const passing = status === null || status === 408 || status === 409 || status === 425 || status === 429 ||
        status >= 500
      if (!passing) return answer
      const what = status === null ? "no connection" : `status ${status}`
      const least = FIRST_WAIT_MS * 2 ** (attempt - 1)
      const wished = status === null ? 0 : (answer.retry_after ?? 0) * 1000
      const delay = Math.max(Math.min(least, LONGEST_WAIT_MS), wished)
      const attempts = status === 429 && wished === 0 ? LIMITED_ATTEMPTS : ATTEMPTS
      if (attempt === attempts || delay > LONGEST_WAIT_MS) throw new LlmAway(what, true)
      await wait(delay, signal)
    }
  }

  const ask = async (asked: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> => {
    let refusal = 0
    for (let tried = manner; tried < MANNERS.length; tried++) {
      const { status, text } = await persist(bodyOf(endpoint.model, asked, MANNERS[tried]!), signal)
      if (status >= 200 && status < 300) {
        manner = Math.max(manner, tried)
        served = true
        const answer = answerOf(text)
        if (answer === null) throw new LlmRequestFailed("the answer is no chat completion", false)
        return answer
      }
      if (status < 400 || FOR_ALL.has(status)) throw new LlmAway(`status ${status}`, false)
      if (status === 413 || TOO_LONG.test(text)) throw new LlmRequestFailed("the request is too long", true)
      refusal = status
    }
    // Whoever has never taken a request takes none; another one may have been too much.
    throw served ? new LlmRequestFailed("the request was not taken", true) : new LlmAway(`status ${refusal}`, false)
  }

  return {
    ask: (asked: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> => turn(() => ask(asked, signal)),
    [Symbol.asyncDispose]: () => agent.destroy()
  }
}

export type LlmClient = ReturnType<typeof makeLlmClient>

const pause = (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal })
