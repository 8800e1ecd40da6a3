import { alignmentIndex, findExact } from "../../grounding/Align.ts"
import type { Draft } from "../../grounding/Draft.ts"
import type { Proposal } from "../../grounding/Proposal.ts"
import { verify } from "../../grounding/Verify.ts"
import type { Leaf } from "../../text/Plan.ts"
import { leavesByTemplate, type Refusal } from "../ModelGate.ts"
import type { ProposerTask } from "../Proposer.ts"
import { relevantPassages } from "../RelevantPassages.ts"
import type { Part, Unit } from "./LlmParts.ts"
import type { Questions, Said } from "./LlmQuestions.ts"

const REPAIRS = 2
/** Lines that are shown again for each leaf that has to be repaired. */
const REPAIR_LINES = 8
const MOST_COMPLAINTS = 40

/** A model that quotes what nobody said does so again, and its value was looked for in the line that it cited. */
const HOPELESS: ReadonlySet<Refusal> = new Set([
  "no such field",
  "quote not in the source",
  "quote in a line that gives orders",
  "too long"
])

/** A proposal that the gate did not take. */
interface Refused {
  readonly proposal: Proposal
  readonly refusal: Refusal
}

/** What has come through the gate so far, and what has not. */
export interface Yield {
  readonly drafts: Array<Draft>
  readonly refused: Array<Refused>
}

const placeOf = ({ item_key, pointer_template }: Proposal): string => `${pointer_template}\n${item_key ?? ""}`

const sayingOf = ({ proposal: { pointer_template, quote, value } }: Refused): string =>
  JSON.stringify([pointer_template, value, quote])

/**
 * Whether the source has what a proposal says, so that only its quote or its reading was wrong. What it has nowhere no second
 * answer can ground: a model that makes things up, or was talked into something, is not paid for doing so again.
 */
const backedBy = ({ ground, material, plan }: ProposerTask): (refused: Refused) => boolean => {
  const { candidates, passages, suspects } = material.reading
  const leaves = leavesByTemplate(plan)
  const index = alignmentIndex(passages.filter(({ index }) => !suspects.has(index)))
  const said = (leaf: Leaf, value: string): boolean =>
    findExact(index, value).length > 0 ||
    candidates.some(({ kind, passage, text }) =>
      !["name", "phrase", "answer"].includes(kind) && !suspects.has(passage.index) &&
      verify(
          leaf.type === "number" || leaf.type === "integer" ? Number(value) : value,
          text,
          leaf,
          ground.recordedAt
        ) !==
        undefined
    )
  return ({ proposal, refusal }) => {
    const leaf = leaves.get(proposal.pointer_template)
    if (leaf === undefined || HOPELESS.has(refusal) || typeof proposal.value === "object") return false
    const closed = leaf.type === "boolean" || leaf.type === "enum"
    return closed ? relevantPassages(material.reading, [leaf], 1).length > 0 : said(leaf, String(proposal.value))
  }
}

/**
 * Up to two rounds in which the model is told what was refused although the source has it, and why, and sees the lines that
 * speak of it. Adds what comes of them to the yield.
 */
export const repair = async (
  task: ProposerTask,
  { drafts, refused }: Yield,
  units: ReadonlyArray<Unit>,
  questions: Questions,
  sort: (said: ReadonlyArray<Said>) => Yield
): Promise<void> => {
  if (refused.length === 0) return
  const backed = backedBy(task)
  const { passages: all, suspects } = task.material.reading
  let failing: ReadonlyArray<Refused> = refused
  for (let round = 1; round <= REPAIRS; round++) {
    const filled = new Set(drafts.map(placeOf))
    const filledLeaves = new Set(
      drafts.filter(({ leaf }) => !leaf.template.includes("/*")).map(({ leaf }) => leaf.template)
    )
    const open = failing
      .filter(({ proposal }) => !filled.has(placeOf(proposal)) && !filledLeaves.has(proposal.pointer_template))
      .filter(backed)
      .slice(0, MOST_COMPLAINTS)
    const templates = new Set(open.map(({ proposal }) => proposal.pointer_template))
    const again = units
      .map(({ leaves, template }) => ({ template, leaves: leaves.filter((leaf) => templates.has(leaf.template)) }))
      .filter(({ leaves }) => leaves.length > 0)
    if (again.length === 0 || questions.stopped()) return
    const leaves = again.flatMap((unit): ReadonlyArray<Leaf> => unit.leaves)
    const cited = new Set(open.flatMap(({ proposal }) => proposal.source_refs))
    const telling = new Set(relevantPassages(task.material.reading, leaves, REPAIR_LINES))
    const passages = all.filter((one) => telling.has(one) || (cited.has(one.source_ref) && !suspects.has(one.index)))
    const part: Part = { units: again, passages: passages.slice(0, 20 * REPAIR_LINES) }
    const { said } = await questions.ask(
      part,
      `r${round}`,
      open.map(({ proposal, refusal }) => ({
        path: proposal.pointer_template,
        item: proposal.item_key ?? null,
        value: String(proposal.value),
        reason: refusal
      }))
    )
    const better = sort(said)
    // Who says the same again will say it a third time.
    const before = new Set(failing.map(sayingOf))
    failing = better.refused.filter((one) => !before.has(sayingOf(one)))
    drafts.push(...better.drafts)
    refused.push(...better.refused)
  }
}
