import { createHash } from "node:crypto"
import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import { READER_PACKAGE, READER_VERSION } from "../../../../src/model-stacks/ReaderRuntime.ts"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { modelBeingOpened, runningModel } from "../../../compute/CallSpans.ts"
import { makeBatcher } from "../../../onnx/Batcher.ts"
import { fileOf, noDriver, versionOf } from "../../../onnx/ModelFiles.ts"
import { OnnxModelError } from "../../../onnx/OnnxSession.ts"
import { LlmRequestFailed } from "../llm/LlmClient.ts"
import type { ChatAnswer, ChatRequest } from "../llm/LlmDialect.ts"
import { type LlamaPackage, loadLlama } from "./LlamaPackage.ts"
import { contextTokensOf } from "./ReaderEndpoint.ts"

/** A local language model with its one context: one question at a time. */
export interface LlamaReader extends AsyncDisposable {
  readonly name: string
  readonly execution_provider: ModelRun["execution_provider"]
  /** Tokens read and written so far. */
  readonly tokens: () => number
  /**
   * Answers in the form that is asked for. Questions wait for each other, tenants in turn. Rejects with the signal's reason
   * when it is aborted, within a token or a batch of the prompt, and with `LlmRequestFailed` where a question does not fit.
   */
  readonly ask: (asked: ChatRequest, signal: AbortSignal, tenant_id?: string) => Promise<ChatAnswer>
}

interface Question {
  readonly tenant_id: string
  readonly length: number
  readonly asked: ChatRequest
  readonly signal: AbortSignal
}

/** What a template may put around two messages. */
const TEMPLATE_TOKENS = 128
/** With less room than this nothing can be answered. */
const LEAST_ANSWER_TOKENS = 256

const GPUS: ReadonlySet<unknown> = new Set(["auto", "cuda", "vulkan", "metal"])

/** Loading a binary takes half a second and holds no model: it stays for the next one. */
const runtimes = new Map<unknown, ReturnType<LlamaPackage["getLlama"]>>()

const runtimeFor = async (gpu: unknown) => {
  const known = runtimes.get(gpu)
  if (known !== undefined) return known
  const { getLlama } = await loadLlama()
  const runtime = getLlama({ gpu, build: "never", skipDownload: true, progressLogs: false, logLevel: "error" })
  runtimes.set(gpu, runtime)
  runtime.catch(() => runtimes.delete(gpu))
  return runtime
}

const isWhole = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/**
 * Opens a GGUF model by `node-llama-cpp`, on the processor unless its option `gpu` says `auto`, `cuda`, `vulkan` or `metal`;
 * nothing is downloaded or built. Throws `OnnxModelError` that says what to run where the runtime is not installed, and which
 * file cannot be opened otherwise. llama.cpp ends the process over some broken files.
 */
export const openLlamaReader = async (model: ResolvedModel): Promise<LlamaReader> => {
  if (model.driver !== "llama") throw noDriver("reading", model)
  const path = fileOf(model, "model")
  const { gpu, threads } = model.options
  const context_tokens = contextTokensOf(model)
  const opened = modelBeingOpened()
  const { LlamaChatSession, resolveChatWrapper } = await loadLlama()
  const name = await versionOf(model, "model")
  const open = async () => {
    const llama = await runtimeFor(GPUS.has(gpu) ? gpu : false)
    const loaded = await llama.loadModel({ modelPath: path })
    try {
      const context = await loaded.createContext({
        contextSize: context_tokens,
        sequences: 1,
        ...(typeof threads === "number" ? { threads } : {})
      })
      return { llama, loaded, sequence: context.getSequence() }
    } catch (error) {
      await loaded.dispose()
      throw error
    }
  }
  const { llama, loaded, sequence } = await open().catch((cause) => {
    throw new OnnxModelError(`Model file ${path} cannot be opened by ${READER_PACKAGE}: ${messageOf(cause)}`, { cause })
  })
  // A model that can think aloud is told not to: its answer is held to a grammar, and the limit is the answer's.
  const chatWrapper = resolveChatWrapper(loaded, {
    customWrapperSettings: {
      qwen: { thoughts: "discourage" },
      jinjaTemplate: { additionalRenderParameters: { enable_thinking: false } }
    }
  })
  const template = createHash("sha256").update(loaded.fileInfo.metadata.tokenizer?.chat_template ?? "").digest("hex")
  // Answers depend on the runtime and on what turns messages into a prompt, as on the weights.
  const build = `${READER_PACKAGE} ${READER_VERSION}, llama.cpp ${llama.llamaCppRelease.release}, template ${
    template.slice(0, 12)
  }`
  let last_tenant = ""

  const answer = async ({ asked, signal, tenant_id }: Question): Promise<ChatAnswer> => {
    signal.throwIfAborted()
    const said = (role: "system" | "user") =>
      asked.messages.filter((one) => one.role === role).map(({ content }) => content).join("\n\n")
    const [system, user] = [said("system"), said("user")]
    const input_tokens = loaded.tokenize(system).length + loaded.tokenize(user).length
    const room = context_tokens - input_tokens - TEMPLATE_TOKENS
    if (room < LEAST_ANSWER_TOKENS) throw new LlmRequestFailed("the request is too long", true)
    // What begins alike is read once; of another tenant's words nothing is kept.
    if (tenant_id !== last_tenant) await sequence.clearHistory()
    last_tenant = tenant_id
    const written = sequence.tokenMeter.usedOutputTokens
    const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: system, chatWrapper })
    try {
      const { responseText } = await session.promptWithMeta(user, {
        grammar: await llama.createGrammarForJsonSchema(asked.schema),
        maxTokens: Math.min(asked.most_output_tokens, room),
        temperature: 0,
        signal,
        budgets: { thoughtTokens: 0 }
      })
      return {
        text: responseText,
        // Of some templates' text a line's end may be the end of a turn, wherever the grammar is.
        finish: isWhole(responseText) ? "stop" : "length",
        input_tokens,
        output_tokens: sequence.tokenMeter.usedOutputTokens - written,
        served_by: { model: name, build }
      }
    } catch (error) {
      signal.throwIfAborted()
      throw new LlmRequestFailed(`the model failed: ${messageOf(error)}`, false)
    } finally {
      session.dispose({ disposeSequence: false })
    }
  }

  const turns = makeBatcher<Question, ChatAnswer>(
    { items: 1, frames: 1, pad: (length) => length },
    ({ items: [question] }) => runningModel(opened, 1, async () => [await answer(question!)])
  )

  return {
    name,
    execution_provider: llama.gpu === false ? "cpu" : llama.gpu,
    tokens: () => sequence.tokenMeter.usedInputTokens + sequence.tokenMeter.usedOutputTokens,
    ask: (asked, signal, tenant_id = "") => turns.submit({ tenant_id, length: 1, asked, signal }, signal),
    [Symbol.asyncDispose]: () => loaded.dispose()
  }
}
