import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { canonicalSha256 } from "../../../../src/crypto/CanonicalJson.ts"
import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import { LlmAway, type LlmClient } from "./LlmClient.ts"
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

const limitsOf = ({ effort, most_output_tokens }: ChatRequest): string => `${most_output_tokens}-${effort ?? "free"}`

const serverFile = (model: string): string => `server-${hex(canonicalSha256(model)).slice(0, 16)}.json`

/** Whole or not at all, and for its owner alone: it quotes what was sent. */
const write = async (folder: string, name: string, value: unknown): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const made = join(folder, `.${process.pid}-${name}`)
  await writeFile(made, JSON.stringify(value), { mode: 0o600 })
  await rename(made, join(folder, name))
}

/** The same client, which keeps every answer in a folder, by the hash of what it answers. A failure is not kept. */
export const recording = (client: Asking, model: string, folder: string): Asking => ({
  ask: async (asked, signal) => {
    const answer = await client.ask(asked, signal)
    await write(folder, `${requestDigest(model, asked)}.${limitsOf(asked)}.json`, answer)
    return answer
  },
  server: async (signal) => {
    const facts = await client.server(signal)
    await write(folder, serverFile(model), facts)
    return facts
  }
})

const read = async <A>(folder: string, name: string): Promise<A | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, name), "utf8"))
  } catch {
    return undefined
  }
}

/**
 * Answers from such a folder and reaches no endpoint. Where the same question was answered within another limit, as questions
 * that were asked at the same time may be, the whole answer is taken. What was never recorded rejects with `LlmAway`.
 */
export const replaying = (model: string, folder: string): Asking => ({
  ask: async (asked) => {
    const digest = requestDigest(model, asked)
    const exact = await read<ChatAnswer>(folder, `${digest}.${limitsOf(asked)}.json`)
    if (exact !== undefined) return exact
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(`${digest}.`)).toSorted()
    const others = await Promise.all(names.map((name) => read<ChatAnswer>(folder, name)))
    const found = others.find((one) => one?.finish === "stop") ?? others.find((one) => one !== undefined)
    if (found === undefined) throw new LlmAway("FOOTNOTE_LLM_REPLAY has no answer to this question", false)
    return found
  },
  server: async () =>
    await read<ServerFacts>(folder, serverFile(model)) ?? { build: null, context_tokens: null, cuts: false }
})
