import type { ResolvedModel, ResolvedStack } from "../../src/model-stacks/ResolvedStack.ts"

/** The models that the vision lane runs, each with its files on this machine. */
export type VisionRoles = Pick<ResolvedStack["roles"], "ocr" | "describe" | "objects">

/** Whether a stack's describer is the rules alone, which run with its reader of text. */
export const isRules = ({ driver }: ResolvedModel): boolean => driver === "rules"
