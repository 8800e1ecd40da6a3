import { Context } from "effect"
import { serviceFaultPauses, stageRetries } from "../../retries/RetryPolicy.ts"

/** The numbers that shape the engine; tests and benchmarks set others. */
export interface EngineOptions {
  /** Tasks of one stage that may be queued or held at once: cancel touches few rows, fairness acts on fresh tags. */
  readonly window: number
  /**
   * Jobs that hold a slot at once, all tenants together. What creations take is counted without a lock over all tenants, so that none
   * waits for another's: as many more may hold one as are created at the same moment near this number. A tenant's own limit is exact.
   */
  readonly max_running: number
  /** A job that no worker has begun after this fails with `QUEUE_TIMEOUT`. */
  readonly queue_timeout_seconds: number
  /** First delay of a task's backoff; 0 tries again at once. */
  readonly retry_delay_seconds: number
  /** A task that faults of the service itself keep from being done is paused for so long at most, from its release on. */
  readonly pause_limit_seconds: number
  /** After a start of PostgreSQL living workers have this long to take their locks again before they count as dead. */
  readonly restart_grace_seconds: number
  /** Task rows of a terminal job are kept this long. */
  readonly retention_seconds: number
}

export const EngineOptions = Context.Reference<EngineOptions>("footnote/jobs/engine/EngineOptions", {
  defaultValue: () => ({
    window: 64,
    max_running: 1000,
    queue_timeout_seconds: 24 * 3600,
    retry_delay_seconds: stageRetries.first_seconds,
    pause_limit_seconds: serviceFaultPauses.limit_seconds,
    restart_grace_seconds: 10,
    retention_seconds: 7 * 24 * 3600
  })
})
