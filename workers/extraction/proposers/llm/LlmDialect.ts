import type { LlmEndpoint } from "./LlmEndpoint.ts"

export interface ChatMessage {
  readonly role: "system" | "user"
  readonly content: string
}

/** A picture that goes along with the last message, after a line that says which one it is. */
export interface ChatPicture {
  readonly caption: string
  /** A JPEG in base64. */
  readonly data: string
  readonly sha256: string
  readonly width: number
  readonly height: number
}

export interface ChatRequest {
  readonly messages: ReadonlyArray<ChatMessage>
  /** None where nothing is said. */
  readonly pictures?: ReadonlyArray<ChatPicture>
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
  /** The pictures were not taken, and the answer is to the words alone. */
  readonly unseen?: boolean
  /** As the endpoint counts them; null where it does not. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  /** Which model answered, and which build of it or of its server, in the endpoint's own words. */
  readonly served_by?: ServedBy
}

/** What an endpoint says of itself: a name may stand for another version of the model tomorrow. */
export interface ServedBy {
  readonly model: string | null
  readonly build: string | null
}

/** How one kind of endpoint is asked, and how its answers are read. */
interface Dialect {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Ways to ask the same, the strictest first: the first that an endpoint takes is kept. */
  readonly bodies: (model: string, asked: ChatRequest) => ReadonlyArray<object>
  /** What an answer says, read without trust; null where it is none. */
  readonly answerOf: (bytes: string) => ChatAnswer | null
}

const jsonOf = (bytes: string): unknown => {
  try {
    // Some gateways put a byte order mark before it.
    return JSON.parse(bytes.replace(/^\ufeff/u, ""))
  } catch {
    return undefined
  }
}

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

/**
 * The messages with their pictures as parts of the last one: `image_url` with a data URL, as OpenAI
 * (platform.openai.com/docs/guides/images-vision), vLLM, llama-server and Ollama (docs.ollama.com/openai) take them.
 */
const completionMessages = ({ messages, pictures = [] }: ChatRequest): ReadonlyArray<object> =>
  messages.map((message, at) =>
    pictures.length === 0 || at < messages.length - 1 ? message : {
      role: message.role,
      content: [
        { type: "text", text: message.content },
        ...pictures.flatMap(({ caption, data }) => [
          { type: "text", text: caption },
          { type: "image_url", image_url: { url: `data:image/jpeg;base64,${data}` } }
        ])
      ]
    }
  )

const completionBody = (
  model: string,
  asked: ChatRequest,
  { format, limit, temperature }: (typeof MANNERS)[number]
) => ({
  model,
  messages: completionMessages(asked),
  [limit]: asked.most_output_tokens,
  ...(temperature ? { temperature: 0 } : {}),
  ...(asked.effort === undefined ? {} : { reasoning_effort: asked.effort }),
  ...(format === "none" ? {} : {
    response_format: format === "json_object"
      ? { type: format }
      : { type: format, json_schema: { name: "proposals", strict: true, schema: asked.schema } }
  })
})

/** No model reads or writes more at once. */
const MOST_TOKENS = 10_000_000

const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : null

/** A name of a model or of a build as it comes from outside: short and printable, or none. */
export const nameIn = (value: unknown): string | null =>
  typeof value === "string" && /^[\x20-\x7e]{1,200}$/u.test(value) ? value : null

/** Text of a message, whole or in parts. Parts of thinking are the model's own. */
const textOf = (content: unknown): string | undefined =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
    ? content.flatMap((block: { readonly type?: unknown; readonly text?: unknown } | null) =>
      block?.type === "text" && typeof block.text === "string" ? [block.text] : []
    ).join("")
    : undefined

/** What a chat completion says, read without trust; null where it is none. One that says nothing and counts its tokens has cost them. */
const completionAnswer = (bytes: string): ChatAnswer | null => {
  const { choices, model, system_fingerprint, usage } = (jsonOf(bytes) ?? {}) as Readonly<Record<string, unknown>>
  const choice = (Array.isArray(choices) ? choices[0] : undefined) as
    | {
      readonly finish_reason?: unknown
      readonly message?: { readonly content?: unknown; readonly refusal?: unknown } | null
    }
    | null
    | undefined
  const { completion_tokens, prompt_tokens } = (usage ?? {}) as Readonly<Record<string, unknown>>
  const counted = count(prompt_tokens) !== null || count(completion_tokens) !== null
  if (choice?.message == null && !counted) return null
  const { content, refusal } = choice?.message ?? {}
  const finish_reason = choice?.finish_reason
  const text = textOf(content)
  return {
    text: text ?? "",
    finish: finish_reason === "length"
      ? "length"
      : finish_reason === "content_filter" || text === undefined
      ? "other"
      : "stop",
    ...(finish_reason === "content_filter" || (typeof refusal === "string" && refusal !== "") ? { refused: true } : {}),
    input_tokens: count(prompt_tokens),
    output_tokens: count(completion_tokens),
    served_by: { model: nameIn(model), build: nameIn(system_fingerprint) }
  }
}

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

/** The version of the Messages API whose forms these are (platform.claude.com/docs/en/api/versioning). */
const MESSAGES_VERSION = "2023-06-01"

/** Models differ in whether they hold to a schema and in whether the temperature may be set. */
const MESSAGE_MANNERS = [
  { schema: true, temperature: true },
  { schema: true, temperature: false },
  { schema: false, temperature: true },
  { schema: false, temperature: false }
] as const

/** As blocks of type `image` (platform.claude.com/docs/en/build-with-claude/vision). */
const messageTurns = (
  { messages, pictures = [] }: Pick<ChatRequest, "messages" | "pictures">
): ReadonlyArray<object> =>
  messages.filter(({ role }) => role === "user").map((message, at, all) =>
    pictures.length === 0 || at < all.length - 1 ? message : {
      role: message.role,
      content: [
        { type: "text", text: message.content },
        ...pictures.flatMap(({ caption, data }) => [
          { type: "text", text: caption },
          { type: "image", source: { type: "base64", media_type: "image/jpeg", data } }
        ])
      ]
    }
  )

/**
 * A request of Anthropic's Messages API: the instructions stand beside the messages, and the form of the answer in `output_config`
 * (platform.claude.com/docs/en/api/messages, …/build-with-claude/structured-outputs).
 */
const messageBody = (
  model: string,
  { effort, messages, most_output_tokens, pictures, schema }: ChatRequest,
  manner: (typeof MESSAGE_MANNERS)[number]
) => ({
  model,
  max_tokens: most_output_tokens,
  system: messages.filter(({ role }) => role === "system").map(({ content }) => content).join("\n\n"),
  messages: messageTurns({ messages, ...(pictures === undefined ? {} : { pictures }) }),
  ...(manner.temperature ? { temperature: 0 } : {}),
  ...(manner.schema
    ? { output_config: { format: { type: "json_schema", schema }, ...(effort === undefined ? {} : { effort }) } }
    : {})
})

/** At the limit that was asked for, or at the end of what the model can hold (…/build-with-claude/handling-stop-reasons). */
const CUT_OFF: ReadonlySet<unknown> = new Set(["max_tokens", "model_context_window_exceeded"])

const messageAnswer = (bytes: string): ChatAnswer | null => {
  const { content, model, stop_reason, usage } = (jsonOf(bytes) ?? {}) as Readonly<Record<string, unknown>>
  const told = (usage ?? {}) as Readonly<Record<string, unknown>>
  const own = count(told["input_tokens"])
  if (!Array.isArray(content) && own === null) return null
  const text = Array.isArray(content) ? textOf(content)! : ""
  // What is read from or written to the cache is counted apart.
  const cached = [told["cache_creation_input_tokens"], told["cache_read_input_tokens"]].map((one) => count(one) ?? 0)
  return {
    text,
    finish: CUT_OFF.has(stop_reason) ? "length" : stop_reason === "refusal" || text === "" ? "other" : "stop",
    ...(stop_reason === "refusal" ? { refused: true } : {}),
    input_tokens: own === null ? null : cached.reduce((sum, one) => sum + one, own),
    output_tokens: count(told["output_tokens"]),
    served_by: { model: nameIn(model), build: null }
  }
}

/** By its address: one that ends in `/messages` is asked as Anthropic's API is, all others as OpenAI's. */
export const dialectOf = (endpoint: Pick<LlmEndpoint, "key" | "url">): Dialect => {
  const { key, url } = endpoint
  if (url.endsWith("/messages")) {
    return {
      address: url,
      headers: { "anthropic-version": MESSAGES_VERSION, ...(key === null ? {} : { "x-api-key": key }) },
      bodies: (model, asked) => MESSAGE_MANNERS.map((manner) => messageBody(model, asked, manner)),
      answerOf: messageAnswer
    }
  }
  const { address, authorization } = completionsOf(endpoint)
  return {
    address,
    headers: authorization,
    bodies: (model, asked) => MANNERS.map((manner) => completionBody(model, asked, manner)),
    answerOf: completionAnswer
  }
}
