import type { UnfilledCandidate } from "../../../src/artifacts/Evidence.ts"
import { alignmentIndex, findExact } from "../grounding/Align.ts"
import type { HeldBack } from "../grounding/HeldBack.ts"
import type { Proposal } from "../grounding/Proposal.ts"
import { momentOf, quoteOf } from "../text/SourceDocument.ts"
import { leavesByTemplate, type Refusal } from "./ModelGate.ts"
import type { ProposerTask } from "./Proposer.ts"

/**
 * What the gate did not take of a model's proposals, for `unfilled`. A model may have been talked into a value, so a candidate
 * shows only what is the caller's anyway: a quote in the source's own characters, and a value that is a number, a yes or no, a
 * label of the schema, or stands in the source; else the refusal alone is told.
 */
export const heldByGate = (
  { material, plan }: ProposerTask,
  refused: ReadonlyArray<{ readonly proposal: Proposal; readonly refusal: Refusal }>
): ReadonlyArray<HeldBack> => {
  const { passages, suspects } = material.reading
  const index = alignmentIndex(passages.filter((passage) => !suspects.has(passage.index)))
  const leaves = leavesByTemplate(plan)
  const isPlain = ({ pointer_template, value }: Proposal): boolean => {
    if (typeof value === "number" || typeof value === "boolean") return true
    if (typeof value !== "string") return false
    const labels = leaves.get(pointer_template)?.schema["enum"]
    return (Array.isArray(labels) && labels.includes(value)) || findExact(index, value).length > 0
  }
  const candidateOf = (proposal: Proposal, refusal: Refusal): UnfilledCandidate | undefined => {
    const [line] = proposal.quote === undefined ? [] : findExact(index, proposal.quote)
    return line === undefined || !isPlain(proposal) ? undefined : {
      value: proposal.value,
      confidence: null,
      quote: quoteOf(line),
      source_ref: line.passage.source_ref,
      ...momentOf(line),
      refused_because: `The gate did not take it: ${refusal}.`
    }
  }
  return refused.filter(({ proposal }) => leaves.has(proposal.pointer_template)).map(({ proposal, refusal }) => ({
    pointer_template: proposal.pointer_template,
    item_key: proposal.item_key,
    reason: "refused",
    candidate: candidateOf(proposal, refusal)
  }))
}
