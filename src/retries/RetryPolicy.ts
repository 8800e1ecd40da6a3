/*
 * How often and when anything is done again. Each policy says who follows it; what follows none is done once.
 * Two things lie elsewhere: `deliveries/queue/CircuitBreaker.ts`, which leaves an endpoint alone however many deliveries it
 * has, and what a person asks to be done again (`POST /v1/jobs/{id}/retry`, `POST /v1/deliveries/{id}/retry`).
 */

/**
 * A task of a stage, and of the engine's own. A failure that may pass comes again after 2 s, doubling with jitter, at most
 * 60 s, five attempts in all; then the job fails with the last one's code, by way of the dead letter queue where the worker
 * died at it. What no attempt can mend (`retryable: false`) is not tried again. An attempt that a restart of PostgreSQL cut off is
 * not counted, ten times a task. `database/QueueSchema.ts`.
 */
export const stageRetries = { attempts: 5, first_seconds: 2, longest_seconds: 60, spared: 10 } as const

/**
 * A task that a fault of the service itself keeps from being done (its disk, its store, its database): put off without
 * using up an attempt, from `stageRetries.first_seconds` doubling to 30 s, so that work goes on soon after the fault is
 * over, until a day after its release; then the job fails. `jobs/engine/Tasks.ts`.
 */
export const serviceFaultPauses = { longest_seconds: 30, limit_seconds: 24 * 3600 } as const

/**
 * What a task has made, where the database refuses to record it: alone after its batch, then so many times beside its lane,
 * doubling; then the task fails for good. While the database is away it is tried until that is over. `workers/engine/Settlement.ts`.
 */
export const settlementRetries = { times: 3, first_ms: 200, away_every_ms: 200 } as const

/** How a task ended otherwise (failed, put off): for 10 s, then its lease says the same, only later. `workers/engine/Settlement.ts`. */
export const endRecordRetries = { times: 20, every_ms: 500 } as const

const minute = 60
const hour = 60 * minute

/**
 * An attempt of a delivery: seconds before each, counted from the one before it, 75.6 h in all (Standard Webhooks 1.0).
 * Spread by ±20 %, and never before a receiver's `Retry-After`, up to a day. After the last the delivery is `failed`.
 * `FOOTNOTE_DELIVERY_SCHEDULE` replaces it. `deliveries/queue/RetrySchedule.ts`.
 */
export const deliveryRetries = {
  schedule_seconds: [0, 5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
  jitter: 0.2,
  longest_retry_after_seconds: 24 * hour
} as const

/**
 * The record of an attempt that was made: for 8 s, so that a database away for that long does not make a delivery come
 * twice. Longer, and the lease is another worker's, which attempts it again under the same event id.
 * `workers/delivery/DeliveryStage.ts`.
 */
export const attemptRecordRetries = { times: 40, every_ms: 200 } as const

/** One look at a vendor that changes nothing (Slack, Google), where its answer broke off: at once, within one attempt. */
export const vendorLookRetries = { times: 2 } as const

/** A transaction that PostgreSQL gave up to break a deadlock or a conflict: at once. `database/Transient.ts`. */
export const transactionRetries = { times: 8 } as const

/** The queue engine's first connection of a process; after the last the process ends and its supervisor starts it anew. */
export const engineStart = { attempts: 5 } as const

/** The listener for signals, for as long as the process lives: polling goes on without it. `queue/Signals.ts`. */
export const listenerRetries = { every_ms: 250 } as const

/** A file of a model stack: so many attempts in a row that bring nothing; others go on where they broke off. `model-stacks/Download.ts`. */
export const modelDownloadRetries = { attempts: 5, first_ms: 500 } as const

/** A request to S3, by its SDK: the store's own calls are followed by a pause of the task, downloads by mending. */
export const s3Retries = { attempts: 3, store_attempts: 2 } as const
