import { parentPort } from "node:worker_threads"
import { niceness, standThreadBehind } from "../processes/Priority.ts"
import { normaliseDialect } from "./json-schema/JsonSchemaDialect.ts"
import { type Checked, checkSchema } from "./RegisterSchema.ts"

/** What `checkSchema` said, and the normalised copy of a schema that passed, as JSON text. */
export type CheckedInThread = { readonly checked: Checked; readonly normalised: string }

const check = (text: string): CheckedInThread => {
  const schema = JSON.parse(text)
  const checked = checkSchema(schema)
  return { checked, normalised: checked.ok ? JSON.stringify(normaliseDialect(schema)) : "" }
}

/** Answers one check: a schema as JSON text in, `CheckedInThread` out. "ready" tells that the time limit may start. */
standThreadBehind(niceness.schema_check)
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread's port has no origin */
parentPort?.on("message", (text: string) => parentPort?.postMessage(check(text)))
parentPort?.postMessage("ready")
