import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { WireProposal } from "../../../../../workers/extraction/proposers/llm/LlmAnswer.ts"
import type { LlmEndpoint } from "../../../../../workers/extraction/proposers/llm/LlmEndpoint.ts"

/** A line of the source as the model is shown it. */
interface ShownLine {
  readonly number: number
  readonly text: string
}

/** One call as the model sees it. */
export interface ModelCall {
  /** Counts from 0, over all calls. */
  readonly number: number
  readonly prompt: string
  readonly system: string
  /** Paths of the fields that are asked for. */
  readonly fields: ReadonlyArray<string>
  readonly lines: ReadonlyArray<ShownLine>
  /** Whether an earlier answer is complained about. */
  readonly repairs: boolean
  /** Of each picture that came along the text before it and the part that holds it. */
  readonly pictures: ReadonlyArray<{ readonly caption: string; readonly part: Readonly<Record<string, unknown>> }>
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingMessage["headers"]
}

/** What a model says: proposals, or any text, or what goes wrong instead. */
type ModelAnswer =
  | { readonly say: ReadonlyArray<Partial<WireProposal>>; readonly usage?: null }
  | { readonly text: string; readonly refuses?: true }
  | { readonly cut: true }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly hang: true }
  | { readonly disconnect: true }

export type PlayedModel = (call: ModelCall) => ModelAnswer

export interface ModelServer extends AsyncDisposable {
  readonly url: string
  readonly calls: ReadonlyArray<ModelCall>
  /** Calls that were at work at the same moment, at most. */
  readonly most_at_once: () => number
  readonly endpoint: (more?: Partial<LlmEndpoint>) => LlmEndpoint
}

export const KEY = "sk-canary-5f3c91d7"
export const TOKENS = { prompt_tokens: 1000, completion_tokens: 100 } as const

/** The number of the shown line that holds some words: a model cites by it. */
export const lineOf = ({ lines }: ModelCall, words: string): ReadonlyArray<number> =>
  lines.filter(({ text }) => text.includes(words)).slice(0, 1).map(({ number }) => number)

/** A part of a message: words or a picture. */
type Part = Readonly<Record<string, unknown>> & { readonly type: string; readonly text?: string }

const callOf = (
  number: number,
  headers: IncomingMessage["headers"],
  body: Readonly<Record<string, unknown>>
): ModelCall => {
  const messages = body["messages"] as ReadonlyArray<{ readonly content: string | ReadonlyArray<Part> }>
  const { content } = messages.at(-1)!
  const [prompt, ...parts] = typeof content === "string" ? [content] : [content[0]!.text!, ...content.slice(1)]
  const fence = prompt.slice(0, prompt.indexOf("\n"))
  const [source = "", asked = ""] = prompt.split(`\n${fence}\n`)
  return {
    number,
    prompt,
    system: typeof body["system"] === "string" ? body["system"] : messages[0]!.content as string,
    fields: Array.from(asked.split("\nThese proposals")[0]!.matchAll(/^- (\S+): /gmu), (match) => match[1]!),
    lines: Array.from(
      source.matchAll(/^\[(\d+)\|[^\]]*\] (.*)$/gmu),
      (match) => ({ number: Number(match[1]), text: match[2]! })
    ),
    repairs: asked.includes("were refused"),
    pictures: (parts as ReadonlyArray<Part>).flatMap((part, at, all) =>
      part.type === "text" ? [] : [{ caption: all[at - 1]!.text!, part }]
    ),
    body,
    headers
  }
}

const send = (response: ServerResponse, answer: ModelAnswer, as: Wire = "completions"): void => {
  if ("hang" in answer) return
  if ("disconnect" in answer) return void response.socket?.destroy()
  if ("status" in answer) {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
    // What services do say: the key, and the request.
    return void response.end(
      answer.body ?? JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } })
    )
  }
  const cut = "cut" in answer
  const content = "say" in answer
    ? JSON.stringify({ proposals: answer.say.map((one) => ({ item: null, quote: "", refs: [], ...one })) })
    : "text" in answer
    ? answer.text
    : "{\"proposals\": [{\"path\": \"/"
  response.writeHead(200, { "content-type": "application/json" })
  if (as === "messages") {
    return void response.end(JSON.stringify({
      type: "message",
      role: "assistant",
      content: [{ type: "thinking", thinking: "The form wants {name}." }, { type: "text", text: content }],
      stop_reason: "refuses" in answer ? "refusal" : cut ? "max_tokens" : "end_turn",
      usage: {
        input_tokens: TOKENS.prompt_tokens - 300,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 200,
        output_tokens: TOKENS.completion_tokens
      }
    }))
  }
  response.end(JSON.stringify({
    model: "played-model-2",
    system_fingerprint: "fp_played",
    choices: [{ index: 0, finish_reason: cut ? "length" : "stop", message: { role: "assistant", content } }],
    ...("usage" in answer ? {} : { usage: TOKENS })
  }))
}

/** Whose forms an answer is in: OpenAI's chat completions or Anthropic's messages. */
type Wire = "completions" | "messages"

/** A server on this machine that speaks OpenAI's chat completions, and Anthropic's messages beside them, and plays a model. */
export const playModel = async (
  model: PlayedModel,
  /** What it says of itself, by path; a model that is loaded changes it. */
  about: Readonly<Record<string, (body: string) => object>> = {}
): Promise<ModelServer> => {
  const calls: Array<ModelCall> = []
  let [now, most] = [0, 0]
  const server = createServer((request, response) => {
    now++
    most = Math.max(most, now)
    response.once("close", () => now--)
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const path = /^\/v1\/(?:chat\/(completions)(?:\?api-version=[\w.-]+)?|(messages))$/u.exec(request.url ?? "")
      const told = about[request.url ?? ""]
      if (told !== undefined) return void response.end(JSON.stringify(told(Buffer.concat(parts).toString())))
      if (request.method !== "POST" || path === null) return send(response, { status: 404 })
      const call = callOf(calls.length, request.headers, JSON.parse(Buffer.concat(parts).toString()))
      calls.push(call)
      // Answered a turn later, so that calls at the same time are seen together.
      setImmediate(() => send(response, model(call), path[2] === undefined ? "completions" : "messages"))
    })
  })
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    url,
    calls,
    most_at_once: () => most,
    endpoint: (more = {}) => ({
      url,
      model: "played-model",
      key: KEY,
      timeout_seconds: 30,
      concurrency: 4,
      chunk_tokens: 12_000,
      most_tokens: 500_000,
      input_price: 2,
      output_price: 8,
      fallback: "builtin",
      judge: false,
      ...more
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resume) => server.close(resume))
    }
  }
}
