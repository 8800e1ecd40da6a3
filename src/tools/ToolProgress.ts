import { Context, Effect } from "effect"

/** Tells the caller how far a call is, as a fraction of all of it; nobody hears of it where the caller did not ask. */
export const ToolProgress = Context.Reference<(progress: number, message: string) => Effect.Effect<void>>(
  "footnote/tools/ToolProgress",
  { defaultValue: () => () => Effect.void }
)
