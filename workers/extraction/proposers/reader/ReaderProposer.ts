import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { openingModel } from "../../../compute/CallSpans.ts"
import { makeSharedTime } from "../../../compute/SharedTime.ts"
import { makeModelShelf, type ModelShelf } from "../../../onnx/ModelShelf.ts"
import { OnnxModelError } from "../../../onnx/OnnxSession.ts"
import { LlmAway } from "../llm/LlmClient.ts"
import type { LlmDefaults } from "../llm/LlmConfig.ts"
import { makeLlmProposer } from "../llm/LlmProposer.ts"
import type { Proposer } from "../Proposer.ts"
import { type LlamaReader, openLlamaReader } from "./LlamaReader.ts"
import { readerEndpoint } from "./ReaderEndpoint.ts"

/** One at a time: a second would need as much memory again. */
const readers = makeModelShelf(openingModel("reader", openLlamaReader), 1)
const reading = makeSharedTime()

/**
 * Proposes by a language model of the stack in this process, by the questions, gate and judge of an endpoint. Where it cannot
 * be opened that is an endpoint that is away: the built-in proposer takes its place with a warning, or it rejects with
 * `MODEL_UNAVAILABLE` where `fallback` is `fail`.
 */
export const makeReaderProposer =
  (model: ResolvedModel, settings: LlmDefaults, shelf: ModelShelf<ResolvedModel, LlamaReader> = readers): Proposer =>
  async (task, signal) => {
    let run: ModelRun = { role: "reader", name: model.name, execution_provider: "cpu" }
    let seconds = 0
    const propose = makeLlmProposer(readerEndpoint(model, settings), {
      ask: async (asked, signal) => {
        try {
          return await shelf.use(model, async (reader) => {
            run = { ...run, name: reader.name, execution_provider: reader.execution_provider }
            const answered = await reading.measure(() => reader.ask(asked, signal, task.tenant_id))
            seconds += answered.seconds
            return answered.value
          }, signal)
        } catch (error) {
          if (error instanceof OnnxModelError) throw new LlmAway(error.message, false)
          throw error
        }
      },
      local: () => ({ run, seconds })
    })
    return await propose(task, signal)
  }
