import { Config, Effect } from "effect"
import type { ModelStack } from "../../src/model-stacks/ModelStack.ts"
import { isReaderInstalled } from "../../src/model-stacks/ReaderRuntime.ts"
import type { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import { configInvalid } from "../../src/observability/Configuration.ts"
import { oneOf, setting } from "../../src/observability/Setting.ts"
import { llmConfig, type LlmDefaults } from "./proposers/llm/LlmConfig.ts"
import type { LlmEndpoint } from "./proposers/llm/LlmEndpoint.ts"

/** Who proposes for a job, with all that it needs: plain data for the lane's child process. */
export type ExtractorChoice =
  | { readonly kind: "builtin" }
  | { readonly kind: "onnx"; readonly qa: ResolvedModel }
  | {
    readonly kind: "reader"
    readonly reader: ResolvedModel
    readonly settings: LlmDefaults
    readonly search?: ResolvedModel
  }
  | { readonly kind: "llm"; readonly endpoint: LlmEndpoint; readonly search?: ResolvedModel }

/** What the operator says about it. */
export interface ExtractorConfig {
  readonly wish: "auto" | "builtin" | "onnx" | "reader" | "llm"
  readonly endpoint: LlmEndpoint | null
}

/** `FOOTNOTE_EXTRACTOR` and `FOOTNOTE_LLM_*`. Fails with the variable's name where they cannot be used together. */
export const extractorConfig: Config.Config<ExtractorConfig> = Config.all({
  wish: setting("FOOTNOTE_EXTRACTOR", oneOf("auto", "builtin", "onnx", "reader", "llm"), {
    otherwise: "auto",
    meaning:
      "who proposes values: the rules of Footnote, the stack's `qa` model, its `reader` (a language model in the worker, which needs `node-llama-cpp`), a language model behind an address, or the best that is set up"
  }),
  endpoint: llmConfig
}).pipe(
  Config.mapEffect((config) =>
    config.wish === "llm" && config.endpoint === null
      ? Effect.fail(configInvalid("FOOTNOTE_LLM_URL must be set where FOOTNOTE_EXTRACTOR is llm"))
      : Effect.succeed(config)
  )
)

/**
 * Which proposer a job gets on its stack. `auto` is the endpoint where one is configured, else the stack's reader where its
 * runtime is installed, else the stack's own model for questions, else the built-in one, which is also what a stack without
 * such a model gets from `onnx` or `reader`.
 */
export const extractorFor = (
  { endpoint, wish }: ExtractorConfig,
  { roles: { qa, reader } }: ModelStack,
  readable: boolean = isReaderInstalled()
): ExtractorChoice["kind"] => {
  if (endpoint !== null && (wish === "auto" || wish === "llm")) return "llm"
  if (reader !== undefined && (wish === "reader" || (wish === "auto" && readable))) return "reader"
  return (wish === "auto" || wish === "llm" || wish === "onnx") && qa !== undefined ? "onnx" : "builtin"
}
