import type { Schema } from "effect"
import type { ModelRun } from "../../../src/jobs/model/Provenance.ts"
import type { Warning } from "../../../src/jobs/model/StageIo.ts"
import type { Material } from "../candidates/Mention.ts"
import type { Draft } from "../grounding/Draft.ts"
import type { Grounding } from "../grounding/Grounding.ts"
import type { HeldBack } from "../grounding/HeldBack.ts"
import type { Trees } from "../judge/Trees.ts"
import type { RecordTrees } from "../lists/records/Records.ts"
import { seenFields } from "../objects/ObjectFields.ts"
import type { SeenThing } from "../objects/SeenThings.ts"
import type { Leaf, Plan } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import type { GraphStatements } from "./GraphStatements.ts"
import { propose, type Proposed } from "./Propose.ts"

/** The picture of a kept frame as a local file, whose bytes are those of its hash. */
export interface KeptPicture {
  readonly source_ref: string
  readonly file: string
  readonly sha256: string
  readonly size_bytes: number
  readonly width: number
  readonly height: number
}

/** Looks for what fields ask for in one source, and tells what it took. */
export interface Search {
  /** Passages by how likely each speaks of a field, the likeliest first. */
  readonly rank: (leaf: Leaf, passages: ReadonlyArray<Passage>) => Promise<ReadonlyArray<Passage>>
  readonly took: () => { readonly runs: ReadonlyArray<ModelRun>; readonly seconds: number }
}

/** What a proposer is asked: the leaves that are wanted and everything that the source says and shows. */
export interface ProposerTask {
  readonly plan: Plan
  readonly material: Material
  /** The gate that every draft has to pass: a proposer may ask it first, and is asked by it in any case. */
  readonly ground: Grounding
  /** What a detector saw on the frames; absent where nothing was looked at. */
  readonly things?: ReadonlyArray<SeenThing>
  /** For proposers that look at pictures; absent where there are none to be had. */
  readonly pictures?: ReadonlyArray<KeptPicture> | undefined
  /** For proposers that read only so much at once; absent where the stack has no model for it. */
  readonly search?: Search | undefined
  /** Whose footage it is: questions to a model of this process take turns by it. */
  readonly tenant_id?: string | undefined
  /** What the caller knows beforehand and how it wants the footage read, for proposers that can be told. */
  readonly told?: {
    readonly participants?: ReadonlyArray<string> | undefined
    readonly vocabulary?: ReadonlyArray<string> | undefined
    readonly instructions?: string | undefined
  }
}

/** What proposing took, for the job's `usage` and `provenance`. */
export interface Effort {
  readonly models: ReadonlyArray<ModelRun>
  /** Seconds that models of this process computed. */
  readonly model_seconds: number
  /** Tokens that a remote model read and wrote, and their price. */
  readonly tokens: number
  readonly cost: number
  /** What was asked of a remote model and who answered, by hashes and names, for the manifest. */
  readonly asked?: Readonly<Record<string, Schema.Json>>
}

export interface ProposerAnswer extends Proposed, Effort {
  readonly warnings: ReadonlyArray<Warning>
  /** What the proposer itself gave up on its way: told as candidates of leaves that stay open. */
  readonly held?: ReadonlyArray<HeldBack>
  /** Whether arrays inside the entries of arrays were looked for, too. */
  readonly nested?: boolean
  /** What it says of names and of how they hang together; absent where it was not asked. */
  readonly graph?: GraphStatements
}

/** Told after every call of a remote model, all calls of the job so far together. */
export type OnSpent = (spent: Pick<Effort, "tokens" | "cost">) => void

/**
 * Says what the leaves of a plan might be. It decides nothing: each draft is grounded, verified and assembled by the same
 * code whoever made it. Rejects with the signal's reason when it is aborted, and with a `StageFailure` only where the
 * deployment forbids to go on without the model.
 */
export type Proposer = (task: ProposerTask, signal: AbortSignal, onSpent?: OnSpent) => Promise<ProposerAnswer>

/** How the built-in proposer is named where models are: it has no weights but the ranker's constants. */
const BUILTIN: ModelRun = { role: "extract", name: "footnote-extract-builtin", execution_provider: "cpu" }

/** What is seen goes before what was made of words, in the fields that ask for what is to be seen. */
const withThings = (
  { below, drafts, rivals }: Proposed,
  { material, plan, things = [] }: ProposerTask
): Proposed => {
  const silent = material.reading.passages.every(({ modality }) => modality === "visual")
  const seen = seenFields(plan, things, silent)
  const units = new Set(seen.map(({ pointer_template }) => unitOf(pointer_template)))
  const others = ({ pointer_template }: Draft) => !units.has(unitOf(pointer_template))
  return { below: below.filter(others), drafts: [...drafts.filter(others), ...seen], rivals }
}

/** The proposer without a model: what every other falls back to. */
export const proposeBuiltin = (task: ProposerTask, trees?: Trees, records?: RecordTrees | null): ProposerAnswer => ({
  ...withThings(propose(task.material, task.plan, trees, records), task),
  models: [BUILTIN],
  model_seconds: 0,
  tokens: 0,
  cost: 0,
  warnings: []
})

/** The part of a plan that a list, a map or a single leaf is: what is proposed together or not at all. */
export const unitOf = (template: string): string => {
  const wildCard = /\/(?:\*|\{\})(?=\/|$)/u.exec(template)
  return wildCard === null ? template : template.slice(0, wildCard.index + wildCard[0].length)
}

/** The drafts of some units alone. */
export const draftsOfUnits = (
  { below, drafts, rivals }: Proposed,
  units: ReadonlySet<string>
): Proposed => ({
  drafts: drafts.filter((draft) => units.has(unitOf(draft.pointer_template))),
  rivals: new Map(Array.from(rivals).filter(([template]) => units.has(unitOf(template)))),
  below: below.filter((draft) => units.has(unitOf(draft.pointer_template)))
})
