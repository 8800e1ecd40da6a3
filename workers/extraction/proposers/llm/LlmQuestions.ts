import type { Passage } from "../../text/SourceDocument.ts"
import { readAnswer, type WireProposal, wireSchema } from "./LlmAnswer.ts"
import { LlmAway, type LlmClient, LlmRequestFailed } from "./LlmClient.ts"
import type { ChatAnswer, ChatPicture, ChatRequest } from "./LlmDialect.ts"
import type { LlmLedger } from "./LlmLedger.ts"
import { estimateTokens, halves, type Part, type Unit } from "./LlmParts.ts"
import { NO_PICTURES, type Pictures } from "./LlmPictures.ts"
import { type Complaint, messagesOf, type Told } from "./LlmPrompt.ts"

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
  | { readonly kind: "refused" }
  | { readonly kind: "prompt cut"; readonly sent: number; readonly read: number }
  | { readonly kind: "nothing"; readonly lines: number }
  | { readonly kind: "budget" }

/** Output limits, one after the other where an answer is cut off: models that think aloud need more than their answer. */
const OUTPUT_TOKENS = [4096, 16_384] as const
/** An endpoint that left this many questions without an answer in time is away. */
const MOST_LATE = 2
const GARBAGE_TRIES = 2
/** Questions that are divided in one job: an endpoint that finds everything too much costs no thousands of calls. */
const MOST_SPLITS = 8
/** Of what a prompt is estimated to be, a server that counts less has cut it: Ollama does so in silence. */
const LEAST_READ = 0.5
/** Lines of a source from which a model that finds nothing at all has rather not answered. */
const RICH = 12
/** How models say that they will not. */
const REFUSAL =
  /\b(?:i['’]?m sorry|i (?:can['’]?t|cannot|can not|won['’]?t|am unable)|unable to (?:help|assist|comply)|as an ai)\b/iu

/** What a cut answer has not come to: the units after the last that it speaks of, which may be cut itself. */
const unsaid = ({ passages, units }: Part, said: ReadonlyArray<WireProposal>): Part => {
  const of = (path: string): number => units.findIndex(({ leaves }) => leaves.some(({ template }) => template === path))
  const last = of(said.at(-1)!.path)
  const spoken = new Set(said.map(({ path }) => of(path)))
  return { passages, units: units.filter((_, at) => at === last || !spoken.has(at)) }
}

/**
 * Asks the questions of one job. A question that is too much at once, or whose answer is cut off, is asked as two smaller
 * ones; an answer that was to be JSON but cannot be read is asked for once more. After the endpoint was found away nothing more is asked.
 * Never rejects but with the signal's reason.
 */
export const makeQuestions = (options: {
  readonly client: Pick<LlmClient, "ask">
  readonly ledger: LlmLedger
  readonly told: Told
  /** What goes along with the words; nothing where it is not given. */
  readonly pictures?: Pictures
  readonly signal: AbortSignal
  /** As much as a server reads at once that cuts what is longer in silence; absent where it does not, or does not say. */
  readonly context_tokens?: number | undefined
  /** When the job has waited long enough. */
  readonly deadline: AbortSignal
}) => {
  const { client, context_tokens = Number.POSITIVE_INFINITY, deadline, ledger, pictures = NO_PICTURES, signal, told } =
    options
  const both = AbortSignal.any([signal, deadline])
  const troubles: Array<Trouble> = []
  let late = 0
  /** What one question needed, the next begins with. */
  let limit = 0
  let effort: ChatRequest["effort"]
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

  /** The same request with pictures, where there are any and they can be paid. */
  const withPictures = (asked: ChatRequest, pictures: ReadonlyArray<ChatPicture>): ChatRequest => {
    const with_them = { ...asked, pictures }
    return pictures.length === 0 || !ledger.affords(with_them) ? asked : with_them
  }

  /**
   * A prompt that the server says it read half of was cut at its beginning, where the source is, and so was one that has filled all
   * that it reads at once. Whether this one was for certain.
   */
  const noticeCut = (asked: ChatRequest, { input_tokens }: ChatAnswer): boolean => {
    const sent = asked.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0)
    const filled = input_tokens !== null && input_tokens >= context_tokens
    if (input_tokens === null || (!filled && (sent < 500 || input_tokens >= sent * LEAST_READ))) return false
    if (!troubles.some(({ kind }) => kind === "prompt cut")) {
      troubles.push({ kind: "prompt cut", sent: Math.max(sent, input_tokens), read: input_tokens })
    }
    return filled
  }

  const inHalves = async (
    part: Part,
    call: string,
    complaints: ReadonlyArray<Complaint>
  ): Promise<Replies | undefined> => {
    const smaller = splits < MOST_SPLITS ? halves(part) : undefined
    if (smaller === undefined) return undefined
    splits++
    const [one, other] = smaller
    const replies = [await ask(one, `${call}a`, complaints), await ask(other, `${call}b`, complaints)]
    return {
      said: replies.flatMap(({ said }) => said),
      unanswered: replies.flatMap(({ unanswered }) => unanswered)
    }
  }

  const ask = async (part: Part, call: string, complaints: ReadonlyArray<Complaint> = []): Promise<Replies> => {
    const paths = part.units.flatMap(({ leaves }) => leaves.map(({ template }) => template))
    const unanswered = { said: [], unanswered: part.units }
    const messages = messagesOf(part, { ...told, complaints })
    let seen = await pictures.ofPart(part)
    let garbage = 0
    let longest = -1
    for (;;) {
      const words: ChatRequest = {
        messages,
        schema: wireSchema(paths),
        most_output_tokens: OUTPUT_TOKENS[limit]!,
        ...(effort === undefined ? {} : { effort })
      }
      const asked = withPictures(words, seen)
      const answer = await called(asked)
      if (answer === undefined) return unanswered
      if (answer === "too large" && asked.pictures !== undefined) {
        // Words first: they are what everything is proven by.
        seen = []
        continue
      }
      if (answer === "too large") return await inHalves(part, call, complaints) ?? failed("the request is too long")
      if (answer.refused === true) return refused()
      noticeCut(asked, answer)
      const read = readAnswer(answer.text, paths)
      if (answer.finish === "length") {
        const grown = answer.text.length > longest
        longest = Math.max(longest, answer.text.length)
        if (grown && limit < OUTPUT_TOKENS.length - 1) {
          limit++
          continue
        }
        // Nothing at all was written: the limit went into thinking.
        if (answer.text.trim() === "" && effort === undefined) {
          effort = "low"
          continue
        }
        const kept = read?.proposals ?? []
        const open = kept.length === 0 ? part : unsaid(part, kept)
        if (open.units.length === 0) return { said: [{ call, proposals: kept }], unanswered: [] }
        const rest = answer.text.trim() === "" ? undefined : await inHalves(open, call, complaints)
        if (rest === undefined) {
          troubles.push({ kind: "failed", message: "its answers are cut off at their limit" })
          return { said: kept.length === 0 ? [] : [{ call, proposals: kept }], unanswered: open.units }
        }
        return {
          said: [...(kept.length === 0 ? [] : [{ call, proposals: kept }]), ...rest.said],
          unanswered: rest.unanswered
        }
      }
      if (answer.finish === "stop" && read !== undefined && (read.whole || read.proposals.length > 0)) {
        if (read.proposals.length === 0 && complaints.length === 0 && part.passages.length >= RICH) {
          troubles.push({ kind: "nothing", lines: part.passages.length })
        }
        return { said: [{ call, proposals: read.proposals }], unanswered: [] }
      }
      if (read === undefined && REFUSAL.test(answer.text)) return refused()
      // Prose is no slip of the pen: the same question at the same temperature gets it again.
      if (++garbage === GARBAGE_TRIES || !/[{[]/u.test(answer.text)) {
        return failed("no answer in the form that was asked for")
      }
    }

    function failed(message: string): Replies {
      troubles.push({ kind: "failed", message })
      return unanswered
    }
    function refused(): Replies {
      troubles.push({ kind: "refused" })
      return unanswered
    }
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

  /**
   * One request outside of the questions, with pictures of the frames that some lines stand on, and with as much room for thoughts as
   * the questions were found to need: nothing comes of one that fails or was cut.
   */
  const call = async (words: ChatRequest, lines: ReadonlyArray<Passage> = []): Promise<ChatAnswer | undefined> => {
    let seen = await pictures.ofLines(lines)
    for (;;) {
      const least = limit === 0 ? 0 : OUTPUT_TOKENS[limit]!
      const asked = withPictures({
        ...words,
        most_output_tokens: Math.max(words.most_output_tokens, least),
        ...(effort === undefined ? {} : { effort })
      }, seen)
      const answer = await called(asked)
      if (answer === "too large" && asked.pictures !== undefined) {
        seen = []
        continue
      }
      if (answer === undefined || answer === "too large" || noticeCut(asked, answer)) return undefined
      if (answer.finish !== "length") return answer
      if (limit < OUTPUT_TOKENS.length - 1) limit++
      else if (answer.text.trim() === "" && effort === undefined) effort = "low"
      else return answer
    }
  }

  return { ask, askAll, call, troubles: troubles as ReadonlyArray<Trouble>, stopped }
}

export type Questions = ReturnType<typeof makeQuestions>
