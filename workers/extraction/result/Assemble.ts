import type { Json, JsonSchema } from "../../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { openSchema } from "../../../src/schemas/json-schema/SmallestInstance.ts"
import type { Grounded } from "../grounding/Proposal.ts"
import { leavesOf } from "../text/InstanceLeaves.ts"
import { builder } from "./AssembleBuild.ts"
import { wantedTree } from "./AssembleTree.ts"
import { type Unplaced, unplacedIn } from "./AssembleUnfilled.ts"

/** The schema has no smallest instance, which registration would have refused. */
export class SchemaUnsatisfiable extends Error {}

export interface Assembled extends Unplaced {
  readonly result: Json
  /** In document order: which leaf holds the value of which proposal (its index), after coercion to the leaf's type. */
  readonly placed: ReadonlyArray<{ readonly pointer: string; readonly proposal: number; readonly value: Json }>
  /** Indices of the proposals that are not in the result: beaten by a better value, a duplicate, or not fitting. */
  readonly unplaced: ReadonlyArray<number>
}

/**
 * Builds the result from grounded values: it fits the schema whatever they are, holds only them and what the schema itself
 * demands, and depends neither on their order nor on anything else. Of two values for one leaf the higher score wins;
 * records stand in order of time; an optional leaf without a value is left out, a required one is null, its default, its
 * constant or the smallest placeholder. Every leaf is in exactly one of `placed`, `defaults` and `unfilled`.
 * Takes a schema of any dialect that `checkSchema` accepted; throws `SchemaUnsatisfiable` for one that has no instance.
 */
export const assemble = (
  schema: JsonSchema,
  grounded: ReadonlyArray<Grounded>,
  options: { readonly whole: boolean } = { whole: false }
): Assembled => {
  const document = openSchema(normaliseDialect(schema))
  const { root } = wantedTree(grounded)
  const built = builder(document, options)(root)
  const result = built !== undefined && document.fits(document.root, built.value)
    ? built.value
    : document.smallest(document.root)
  if (result === undefined) throw new SchemaUnsatisfiable("No value fits the schema.")
  const proposals = new Map(
    built !== undefined && result === built.value
      ? built.placed.map(({ pointer, proposal }) => [pointer, proposal])
      : []
  )
  const placed: Array<{ pointer: string; proposal: number; value: Json }> = []
  for (const { pointer, value } of leavesOf(result)) {
    const proposal = proposals.get(pointer)
    if (proposal !== undefined) placed.push({ pointer, proposal, value })
  }
  const used = new Set(placed.map(({ proposal }) => proposal))
  return {
    result,
    placed,
    ...unplacedIn(document, result, new Set(proposals.keys())),
    unplaced: grounded.flatMap((_, proposal) => used.has(proposal) ? [] : [proposal])
  }
}
