import { readAnswer, type WireProposal, wireSchema } from "./LlmAnswer.ts"
import { type ChatAnswer, type ChatRequest, LlmAway, type LlmClient, LlmRequestFailed } from "./LlmClient.ts"
import type { LlmLedger } from "./LlmLedger.ts"
import { halves, type Part, type Unit } from "./LlmParts.ts"
import { type Complaint, messagesOf } from "./LlmPrompt.ts"

/** What the model says to one question, and the call that it said it in: items of two calls are different entries. */
export interface Said {
  readonly call: string
  readonly proposals: ReadonlyArray<WireProposal>
}

export interface Replies {
  readonly said: ReadonlyArray<Said>
  /** Units that stayed without an answer over some of the source. */
  readonly unanswered: ReadonlyArray<Unit>
}

/** Why a job's questions stay without an answer. */
export type Trouble =
  | { readonly kind: "away"; readonly message: string; readonly retryable: boolean }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "budget" }

const MOST_OUTPUT_TOKENS = 4096
/** An endpoint that left this many questions without an answer in time is away. */
const MOST_LATE = 2
const GARBAGE_TRIES = 2
/** Questions that are divided in one job: an endpoint that finds everything too much costs no thousands of calls. */
const MOST_SPLITS = 64

/**
 * Asks the questions of one job. A question that is too much at once, or whose answer is cut off, is asked as two smaller
 * ones; an answer that was to be JSON but cannot be read is asked for once more. After the endpoint was found away nothing more is asked.
 * Never rejects but with the signal's reason.
 */
export const makeQuestions = (options: {
  readonly client: Pick<LlmClient, "ask">
  readonly ledger: LlmLedger
  readonly recordedAt: string | undefined
  readonly signal: AbortSignal
  /** When the job has waited long enough. */
  readonly deadline: AbortSignal
}) => {
  const { client, deadline, ledger, recordedAt, signal } = options
  const both = AbortSignal.any([signal, deadline])
  const troubles: Array<Trouble> = []
  let late = 0
  let splits = 0
  const stopped = () => deadline.aborted || troubles.some(({ kind }) => kind === "away")

  const called = async (asked: ChatRequest): Promise<ChatAnswer | "too large" | undefined> => {
    if (stopped()) return undefined
    if (!ledger.reserve(asked)) {
      troubles.push({ kind: "budget" })
      return undefined
    }
    let answer: ChatAnswer | undefined
    try {
      answer = await client.ask(asked, both)
      return answer
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) troubles.push({ kind: "away", message: "the job has waited long enough", retryable: true })
      else if (error instanceof LlmAway) {
        troubles.push({ kind: "away", message: error.message, retryable: error.retryable })
      } else if (error instanceof LlmRequestFailed) {
        if (error.too_large) return "too large"
        if (++late < MOST_LATE) troubles.push({ kind: "failed", message: error.message })
        else troubles.push({ kind: "away", message: error.message, retryable: true })
      } else throw error
      return undefined
    } finally {
      ledger.settle(asked, answer)
    }
  }

  const ask = async (part: Part, call: string, complaints: ReadonlyArray<Complaint> = []): Promise<Replies> => {
    const paths = part.units.flatMap(({ leaves }) => leaves.map(({ template }) => template))
    const asked = {
      messages: messagesOf(part, { recordedAt, complaints }),
      schema: wireSchema(paths),
      most_output_tokens: MOST_OUTPUT_TOKENS
    }
    const unanswered = { said: [], unanswered: part.units }
    for (let tried = 0; tried < GARBAGE_TRIES; tried++) {
      const answer = await called(asked)
      if (answer === undefined) return unanswered
      if (answer === "too large" || answer.finish === "length") {
        const smaller = splits < MOST_SPLITS ? halves(part) : undefined
        if (smaller === undefined) break
        splits++
        const [one, other] = smaller
        const replies = [await ask(one, `${call}a`, complaints), await ask(other, `${call}b`, complaints)]
        return {
          said: replies.flatMap(({ said }) => said),
          unanswered: replies.flatMap(({ unanswered }) => unanswered)
        }
      }
      const proposals = answer.finish === "stop" ? readAnswer(answer.text, paths) : undefined
      if (proposals !== undefined) return { said: [{ call, proposals }], unanswered: [] }
      // Prose is no slip of the pen: the same question at the same temperature gets it again.
      if (!/[{[]/u.test(answer.text)) break
    }
    troubles.push({ kind: "failed", message: "no answer in the form that was asked for" })
    return unanswered
  }

  /** Several questions, so many at a time, replies in the order of the questions. */
  const askAll = async (parts: ReadonlyArray<Part>, at_a_time: number): Promise<Replies> => {
    const replies: Array<Replies> = []
    const next = parts.entries()
    const work = async () => {
      for (const [index, part] of next) replies[index] = await ask(part, String(index))
    }
    await Promise.all(Array.from({ length: Math.min(at_a_time, parts.length) }, work))
    return { said: replies.flatMap(({ said }) => said), unanswered: replies.flatMap(({ unanswered }) => unanswered) }
  }

  return { ask, askAll, troubles: troubles as ReadonlyArray<Trouble>, stopped }
}

export type Questions = ReturnType<typeof makeQuestions>
