import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { openingModel } from "../../../compute/CallSpans.ts"
import { makeSharedTime } from "../../../compute/SharedTime.ts"
import { makeModelShelf, type ModelShelf } from "../../../onnx/ModelShelf.ts"
import type { Leaf } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { fieldOf } from "../llm/LlmPrompt.ts"
import type { Search } from "../Proposer.ts"
import { openTextEmbedding, similarity, type TextEmbedding } from "./TextEmbedding.ts"

const embeddings = makeModelShelf(openingModel("search", openTextEmbedding), 1)
const searching = makeSharedTime()

/** How a field is put to a network that looks for text: what the schema says of it, in words. */
const soughtOf = (leaf: Leaf): string => fieldOf(leaf).replace(/^- \S+: /u, `${leaf.name.replaceAll(/[_-]/gu, " ")}: `)

/**
 * Searches by the directions of texts: each passage is embedded once, each field once. Rejects with the signal's reason when
 * it is aborted, and with `OnnxModelError` where the model cannot be used.
 */
export const makeSearch = (
  model: ResolvedModel,
  { signal, tenant_id }: { readonly signal: AbortSignal; readonly tenant_id?: string | undefined },
  shelf: ModelShelf<ResolvedModel, TextEmbedding> = embeddings
): Search => {
  const known = new Map<Passage, Float32Array>()
  let run: ModelRun | undefined
  let seconds = 0
  const caller = { signal, tenant_id }
  const rank: Search["rank"] = (leaf, passages) =>
    shelf.use(model, async (embedding) => {
      const { execution_provider, name } = embedding
      run = { role: "search", name, execution_provider }
      const found = await searching.measure(async () => {
        for (const passage of passages) {
          if (!known.has(passage)) known.set(passage, await embedding.passage(passage.text, caller))
        }
        const sought = await embedding.query(soughtOf(leaf), caller)
        return passages.map((passage) => ({ passage, likeness: similarity(sought, known.get(passage)!) }))
      })
      seconds += found.seconds
      return found.value.toSorted((a, b) => b.likeness - a.likeness || a.passage.index - b.passage.index)
        .map(({ passage }) => passage)
    }, signal)
  return { rank, took: () => ({ runs: run === undefined ? [] : [run], seconds }) }
}
