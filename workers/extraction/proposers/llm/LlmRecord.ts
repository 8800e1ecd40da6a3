import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { canonicalSha256 } from "../../../../src/crypto/CanonicalJson.ts"
import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import { LlmAway, type LlmClient, LlmRequestFailed } from "./LlmClient.ts"
import type { ChatAnswer, ChatRequest } from "./LlmDialect.ts"
import type { ServerFacts } from "./LlmServer.ts"

/** What is asked for one piece of work: questions about a source, and what the server is. */
export interface Asking extends Pick<LlmClient, "ask" | "server"> {
  /** Of a model in this process what ran, and for how long; absent where it is behind an address. */
  readonly local?: () => { readonly run: ModelRun; readonly seconds: number }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/**
 * SHA-256 of what a model is asked, whatever the endpoint and its dialect: the model's name, the messages, their pictures by hash
 * and the form of the answer. How long the answer may be is not in it.
 */
export const requestDigest = (model: string, { messages, pictures, schema }: ChatRequest): string =>
  hex(canonicalSha256(JSON.parse(JSON.stringify({
    model,
    messages,
    schema,
    pictures: pictures?.map(({ caption, sha256 }) => ({ caption, sha256 }))
  }))))

/** One hash for many requests, in whatever order they were made. */
export const requestsDigest = (digests: ReadonlyArray<string>): string =>
  createHash("sha256").update(digests.toSorted().join("\n")).digest("hex")

/** A question that came to nothing, as it is kept. */
interface KeptFailure {
  readonly failed: { readonly message: string; readonly retryable: boolean } | {
    readonly message: string
    readonly too_large: boolean
  }
}

const failureOf = (error: unknown): KeptFailure | undefined =>
  error instanceof LlmAway
    ? { failed: { message: error.message, retryable: error.retryable } }
    : error instanceof LlmRequestFailed
    ? { failed: { message: error.message, too_large: error.too_large } }
    : undefined

const answered = (kept: ChatAnswer | KeptFailure): ChatAnswer => {
  if (!("failed" in kept)) return kept
  const { failed } = kept
  throw "retryable" in failed
    ? new LlmAway(failed.message, failed.retryable)
    : new LlmRequestFailed(failed.message, failed.too_large)
}

/** How often a question was asked before: the same one may get another answer. */
const numbering = () => {
  const asked = new Map<string, number>()
  return (name: string): number => {
    const times = asked.get(name) ?? 0
    asked.set(name, times + 1)
    return times
  }
}

const fileOf = (name: string, times: number): string => times === 0 ? `${name}.json` : `${name}.${times}.json`

const limitsOf = ({ effort, most_output_tokens }: ChatRequest): string => `${most_output_tokens}-${effort ?? "free"}`

const serverFile = (model: string): string => `server-${hex(canonicalSha256(model)).slice(0, 16)}.json`

/** Whole or not at all, and for its owner alone: it quotes what was sent. */
const write = async (folder: string, name: string, value: unknown): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const made = join(folder, `.${process.pid}-${name}`)
  await writeFile(made, JSON.stringify(value), { mode: 0o600 })
  await rename(made, join(folder, name))
}

/**
 * The same client, which keeps every answer in a folder, by the hash of what it answers and by how often that was asked, and every
 * failure of a question. That a job was stopped is none.
 */
export const recording = (client: Asking, model: string, folder: string): Asking => {
  const timesOf = numbering()
  return {
    ask: async (asked, signal) => {
      const name = `${requestDigest(model, asked)}.${limitsOf(asked)}`
      const file = fileOf(name, timesOf(name))
      try {
        const answer = await client.ask(asked, signal)
        await write(folder, file, answer)
        return answer
      } catch (error) {
        const failure = failureOf(error)
        if (failure !== undefined) await write(folder, file, failure)
        throw error
      }
    },
    server: async (signal) => {
      const facts = await client.server(signal)
      await write(folder, serverFile(model), facts)
      return facts
    }
  }
}

const read = async <A>(folder: string, name: string): Promise<A | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, name), "utf8"))
  } catch {
    return undefined
  }
}

/**
 * Answers, and fails, from such a folder and reaches no endpoint. A question that was asked fewer times gets its last answer. Where it
 * was answered within another limit, as questions that were asked at the same time may be, the whole answer is taken. What was
 * never recorded rejects with `LlmAway`.
 */
export const replaying = (model: string, folder: string): Asking => {
  const timesOf = numbering()
  return {
    ask: async (asked) => {
      const digest = requestDigest(model, asked)
      const name = `${digest}.${limitsOf(asked)}`
      for (let times = timesOf(name); times >= 0; times--) {
        const exact = await read<ChatAnswer | KeptFailure>(folder, fileOf(name, times))
        if (exact !== undefined) return answered(exact)
      }
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(`${digest}.`)).toSorted()
      const others = await Promise.all(names.map((name) => read<ChatAnswer | KeptFailure>(folder, name)))
      const found = others.find((one) => one !== undefined && "finish" in one && one.finish === "stop") ??
        others.find((one) => one !== undefined)
      if (found === undefined) throw new LlmAway("FOOTNOTE_LLM_REPLAY has no answer to this question", false)
      return answered(found)
    },
    server: async () =>
      await read<ServerFacts>(folder, serverFile(model)) ?? { build: null, context_tokens: null, cuts: false }
  }
}
