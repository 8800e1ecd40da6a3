import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import type { Problem } from "./Problem.ts"

/** The stacks whose files are all on this machine. */
const readyStacks = Effect.gen(function*() {
  const store = yield* ModelStore
  const states = yield* Effect.forEach(store.stacks, (stack) => store.inspect(stack))
  return states.filter(({ ready }) => ready).map(({ stack }) => stack.id)
})

/** Tells the deployment which stacks the API offers. */
export const markModelStacks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const ready = JSON.stringify(yield* readyStacks)
  yield* sql`INSERT INTO footnote.deployment (model_stacks) VALUES (${ready}::jsonb)
    ON CONFLICT (one) DO UPDATE SET model_stacks = excluded.model_stacks`
})

/** Undefined where the files of every stack that the API offers are here too, or no API has told its stacks yet. */
export const checkModelStacks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { options } = yield* ModelStore
  const [known] = yield* sql<{ readonly model_stacks: ReadonlyArray<string> | null }>`
    SELECT model_stacks FROM footnote.deployment`
  const offered = known?.model_stacks ?? []
  const ready = yield* readyStacks
  const lacking = offered.filter((stack) => !ready.includes(stack))
  if (lacking.length === 0) return undefined
  return {
    code: "model_files",
    message: `The API offers the model stack ${lacking.join(", ")}, whose files are not in ${options.store} here. `
      + `Mount the volume of the models as FOOTNOTE_MODEL_DIR, or run npm run models -- fetch ${lacking[0]} on it.`,
    stops: true
  } satisfies Problem
})
