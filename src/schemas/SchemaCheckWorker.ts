import { parentPort, workerData } from "node:worker_threads"
import { niceness, standThreadBehind } from "../processes/Priority.ts"
import { isSchema, type Json } from "./json-schema/JsonSchema.ts"
import { normaliseDialect } from "./json-schema/JsonSchemaDialect.ts"
import { type Edit, type Edited, fitEdits } from "./json-schema/ValueEdits.ts"
import { type Checked, checkSchema } from "./RegisterSchema.ts"

/** What `checkSchema` said, and the normalised copy of a schema that passed, as JSON text. */
export type CheckedInThread = { readonly checked: Checked; readonly normalised: string }

/** Edits of a result, by the normalised copy of its schema. */
export interface EditsInThread {
  readonly schema: string
  readonly value: Json
  readonly edits: ReadonlyArray<Edit>
}

const edited = ({ edits, schema, value }: EditsInThread): Edited => fitEdits(JSON.parse(schema), value, edits)

const check = (text: string): CheckedInThread => {
  const schema: unknown = JSON.parse(text)
  const checked = checkSchema(schema)
  return { checked, normalised: checked.ok && isSchema(schema) ? JSON.stringify(normaliseDialect(schema)) : "" }
}

/** How far the thread stands behind what answers. */
export type CheckPriority = keyof Pick<typeof niceness, "schema_check" | "dear_schema_check">

/** Answers one check: a schema as JSON text in, `CheckedInThread` out; edits in, `Edited` out. "ready" tells that the time limit may start. */
standThreadBehind(niceness[workerData as CheckPriority])
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread's port has no origin */
parentPort?.on(
  "message",
  (asked: string | EditsInThread) => parentPort?.postMessage(typeof asked === "string" ? check(asked) : edited(asked))
)
parentPort?.postMessage("ready")
