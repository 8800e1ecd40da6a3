import { READER_INSTALL, READER_PACKAGE } from "../../../../src/model-stacks/ReaderRuntime.ts"
import { OnnxModelError } from "../../../onnx/OnnxSession.ts"

interface LlamaGrammar {
  readonly grammar: string
}

interface LlamaSequence {
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number }
  readonly clearHistory: () => Promise<void>
}

interface LlamaModel {
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: string } } }
  readonly tokenize: (text: string) => ReadonlyArray<number>
  readonly createContext: (options: {
    readonly contextSize: number
    readonly sequences: number
    readonly threads?: number
  }) => Promise<{ readonly getSequence: () => LlamaSequence }>
  readonly dispose: () => Promise<void>
}

interface Llama {
  /** What computes; false for the processor. */
  readonly gpu: "cuda" | "vulkan" | "metal" | false
  readonly llamaCppRelease: { readonly release: string }
  readonly loadModel: (options: { readonly modelPath: string }) => Promise<LlamaModel>
  readonly createGrammarForJsonSchema: (schema: object) => Promise<LlamaGrammar>
}

interface LlamaSession {
  readonly promptWithMeta: (text: string, options: {
    readonly grammar: LlamaGrammar
    readonly maxTokens: number
    readonly temperature: number
    readonly signal: AbortSignal
    readonly budgets: { readonly thoughtTokens: number }
  }) => Promise<{ readonly responseText: string }>
  readonly dispose: (options: { readonly disposeSequence: boolean }) => void
}

/** The part of `node-llama-cpp` that is used; the package is not installed with this project, nor are its types. */
export interface LlamaPackage {
  readonly getLlama: (options: object) => Promise<Llama>
  readonly resolveChatWrapper: (model: LlamaModel, options: object) => object
  readonly LlamaChatSession: new(options: {
    readonly contextSequence: LlamaSequence
    readonly systemPrompt: string
    readonly chatWrapper: object
  }) => LlamaSession
}

/** Loads `node-llama-cpp` when a model first needs it. Throws `OnnxModelError` that says what to run where it is not installed. */
export const loadLlama = async (): Promise<LlamaPackage> => {
  // It builds from source, or asks for a release, unless it is told not to.
  process.env["NODE_LLAMA_CPP_SKIP_DOWNLOAD"] = "true"
  const name: string = READER_PACKAGE
  try {
    return await import(name)
  } catch (cause) {
    throw new OnnxModelError(`${READER_PACKAGE} is not installed here: ${READER_INSTALL}`, { cause })
  }
}
