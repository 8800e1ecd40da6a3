import { Effect } from "effect"
import type { ModelStore } from "./ModelStore.ts"

/** The stacks whose files are all here, but for one that cannot be used, in a sentence for a caller, who can take another instead. */
export const readyStacks = ({ inspect, stacks }: ModelStore["Service"], unusable?: string) =>
  Effect.map(Effect.forEach(stacks, inspect), (states) => {
    const ready = states.filter((state) => state.ready && state.stack.id !== unusable).map(({ stack }) => stack.id)
    const usable = ready.length === 0 ? "None is ready, for now" : `Ready are ${ready.join(", ")}`
    return `${usable}; GET /v1/model-stacks lists them all.`
  })
