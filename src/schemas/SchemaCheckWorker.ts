import { parentPort } from "node:worker_threads"
import { checkSchema } from "./RegisterSchema.ts"

/** Answers one check: a schema as JSON text in, `Checked` out. "ready" tells that the time limit may start. */
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread's port has no origin */
parentPort?.on("message", (text: string) => parentPort?.postMessage(checkSchema(JSON.parse(text))))
parentPort?.postMessage("ready")
