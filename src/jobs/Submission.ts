import type { Schema } from "effect"
import type { BatchPlace } from "./engine/Intake.ts"
import type { CreateJob, JobRecord } from "./model/Job.ts"

export interface Submission {
  readonly body: CreateJob
  /** The body as it was sent: what an idempotency key is compared by. */
  readonly raw: Schema.Json
  /** The stack that came beside the body, which wins over it. */
  readonly model_stack: string | undefined
  readonly idempotency_key: string | undefined
  readonly batch?: BatchPlace | undefined
  /** JSON text of `schema_inline` as it was sent; without it the parsed value is written out. */
  readonly schema_text?: string | undefined
}

export interface Submitted {
  readonly job: JobRecord
  /** Null where the job has no `webhook_url`. */
  readonly webhook_signing_secret: string | null
  readonly replayed: boolean
}
