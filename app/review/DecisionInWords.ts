import type { GivenDecision } from "../../clients/typescript/src/generated/types.ts"
import { shown } from "../footnotes/Leaves.ts"
import type { Json } from "../footnotes/ResultData.ts"

export const decisionInWords = ({ action, value }: GivenDecision): string =>
  action === "accept"
    ? "You accept this."
    : action === "reject"
    ? "You reject this."
    : action === "choose"
    ? "You chose another value."
    : `You correct this to “${shown(value as Json)}”.`
