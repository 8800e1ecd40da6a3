import { nameIn } from "./LlmDialect.ts"

/** What a server of models says of itself beside its answers. */
export interface ServerFacts {
  /** Its program and version. */
  readonly build: string | null
  /** Tokens that it reads and writes at once for the model; null where it does not say. */
  readonly context_tokens: number | null
  /** It cuts a longer prompt in silence instead of refusing it. */
  readonly cuts: boolean
  /** Whether its model takes pictures, where it says so. */
  readonly pictures?: boolean
}

export const UNKNOWN_SERVER: ServerFacts = { build: null, context_tokens: null, cuts: false }

/** The parsed body of an answer with status 200; undefined for anything else. */
export type ServerCall = (path: string, body?: object, seconds?: number) => Promise<unknown>

/** A large model is read from a disk for as long. */
const LOAD_SECONDS = 120

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

const tokens = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null

/** "llama3.2" is served as "llama3.2:latest". */
const isModel = (model: string) => (one: unknown): boolean =>
  [model, `${model}:latest`].some((name) => member(one, "name") === name || member(one, "model") === name)

/** What Ollama has loaded a model with; null where it is not loaded. */
const loadedWith = async (model: string, call: ServerCall): Promise<number | null> => {
  const loaded = member(await call("/api/ps"), "models")
  return Array.isArray(loaded) ? tokens(member(loaded.find(isModel(model)), "context_length")) : null
}

/**
 * How much Ollama reads at once: what the model is loaded with, or what its file sets. Without either it depends on the
 * server's settings and memory, so the model is loaded first (docs.ollama.com/context-length, docs.ollama.com/api).
 */
const ollamaContext = async (model: string, shown: unknown, call: ServerCall): Promise<number | null> => {
  const running = await loadedWith(model, call)
  if (running !== null) return running
  const parameters = member(shown, "parameters")
  const set = typeof parameters === "string" ? /^num_ctx\s+(\d{1,9})\s*$/mu.exec(parameters)?.[1] : undefined
  if (set !== undefined) return tokens(Number(set))
  await call("/api/generate", { model }, LOAD_SECONDS)
  return loadedWith(model, call)
}

/** Asks a server what it is, as Ollama, vLLM and llama-server say it; another one is `UNKNOWN_SERVER`, whose answers may name their build. */
export const askServer = async (model: string, call: ServerCall): Promise<ServerFacts> => {
  const ollama = nameIn(member(await call("/api/version"), "version"))
  if (ollama !== null) {
    const shown = await call("/api/show", { model })
    const capabilities = member(shown, "capabilities")
    return {
      build: `ollama ${ollama}`,
      context_tokens: await ollamaContext(model, shown, call),
      cuts: true,
      ...(Array.isArray(capabilities) ? { pictures: capabilities.includes("vision") } : {})
    }
  }
  // docs.vllm.ai, OpenAI-compatible server: it refuses what is too long, so its context need not be known.
  const vllm = nameIn(member(await call("/version"), "version"))
  if (vllm !== null) return { ...UNKNOWN_SERVER, build: `vllm ${vllm}` }
  // github.com/ggml-org/llama.cpp/blob/master/tools/server: its answers name its build.
  const vision = member(member(await call("/props"), "modalities"), "vision")
  return typeof vision === "boolean" ? { ...UNKNOWN_SERVER, pictures: vision } : UNKNOWN_SERVER
}
