import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import type { LlmDefaults } from "../llm/LlmConfig.ts"
import type { LlmEndpoint } from "../llm/LlmEndpoint.ts"

/** Tokens that are read and written at once where the stack says nothing: about 1.2 GB beside a model of 4 billion parameters. */
const CONTEXT_TOKENS = 8192

export const contextTokensOf = ({ options }: Pick<ResolvedModel, "options">): number =>
  typeof options["context_tokens"] === "number" ? options["context_tokens"] : CONTEXT_TOKENS

/** A local model asked as an endpoint is: half of what it holds at once is source, the rest rules, fields and answer. */
export const readerEndpoint = (model: ResolvedModel, settings: LlmDefaults): LlmEndpoint => ({
  ...settings,
  url: "",
  key: null,
  model: model.name,
  concurrency: 1,
  pictures: "false",
  chunk_tokens: Math.min(settings.chunk_tokens, Math.floor(contextTokensOf(model) / 2)),
  input_price: 0,
  output_price: 0
})
