import type { OnSpent } from "../Proposer.ts"
import type { ChatAnswer, ChatRequest } from "./LlmDialect.ts"
import type { LlmEndpoint } from "./LlmEndpoint.ts"
import { estimateTokens } from "./LlmParts.ts"

/** What a job may still spend on a model, and what it has. */
export interface LlmLedger {
  /** Whether so much is left. */
  readonly affords: (asked: ChatRequest) => boolean
  /** Sets aside what a request can cost at most; false, and nothing set aside, where that is more than is left. */
  readonly reserve: (asked: ChatRequest) => boolean
  /** Books what a request did cost; a failed one, given without its answer, was free. */
  readonly settle: (asked: ChatRequest, answer?: ChatAnswer) => void
  readonly spent: () => { readonly tokens: number; readonly cost: number }
}

/** Pixels of a token, about: Anthropic's own figure (platform.claude.com/docs/en/build-with-claude/vision). */
const PIXELS = 750

const inputOf = ({ messages, pictures = [] }: ChatRequest): number =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content), 0) +
  pictures.reduce(
    (sum, { caption, height, width }) => sum + estimateTokens(caption) + Math.ceil(width * height / PIXELS),
    0
  )

const worst = (asked: ChatRequest): number => inputOf(asked) + asked.most_output_tokens

/**
 * Opens a ledger of `most_tokens`. Tokens that an endpoint does not count are estimated from the texts. `onSpent` is told at
 * once what each request has brought the sum to, since the job may end in any way before its next.
 */
export const openLedger = (
  { input_price, most_tokens, output_price }: Pick<LlmEndpoint, "most_tokens" | "input_price" | "output_price">,
  onSpent?: OnSpent
): LlmLedger => {
  let [reserved, input, output] = [0, 0, 0]
  const spent = () => ({
    tokens: input + output,
    cost: Math.round(input * input_price + output * output_price) / 1e6
  })
  const affords = (asked: ChatRequest): boolean => input + output + reserved + worst(asked) <= most_tokens
  return {
    affords,
    reserve: (asked) => {
      if (!affords(asked)) return false
      reserved += worst(asked)
      return true
    },
    settle: (asked, answer) => {
      reserved -= worst(asked)
      if (answer === undefined) return
      input += answer.input_tokens ?? inputOf(asked)
      output += answer.output_tokens ?? estimateTokens(answer.text)
      onSpent?.(spent())
    },
    spent
  }
}
