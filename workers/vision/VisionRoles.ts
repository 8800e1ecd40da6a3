import { Schema } from "effect"
import { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"

/** The models that the vision lane runs, each with its files on this machine. */
export const VisionRoles = Schema.Struct({
  ocr: ResolvedModel,
  describe: ResolvedModel,
  objects: Schema.optionalKey(ResolvedModel)
})

/** Whether a stack's describer is the rules alone, which run with its reader of text. */
export const isRules = ({ driver }: ResolvedModel): boolean => driver === "rules"
