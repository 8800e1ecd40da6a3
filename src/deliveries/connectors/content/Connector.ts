import type { Effect, Schema } from "effect"
import type { EvidenceSpan } from "../../../artifacts/Evidence.ts"
import type { JobRecord } from "../../../jobs/model/Job.ts"
import type { DestinationTarget } from "../../model/DestinationConfig.ts"

/** What is delivered. The same for every attempt, so that a receiver sees the same bytes whenever it looks. */
export interface DeliveryPayload {
  readonly delivery_id: string
  readonly event_id: string
  readonly event_type: string
  /** Of the event, not of the attempt. */
  readonly created_at: string
  readonly request_id: string | null
  /** What a webhook sends, to the byte; null for every other kind. A webhook has nothing else of the job's contents. */
  readonly body: string | null
  readonly job: JobRecord
  readonly result: Schema.Json
  readonly evidence: ReadonlyArray<EvidenceSpan>
  readonly links: {
    /** For people: the page of the result, which opens without a key until its end; `app` where no such links are made. */
    readonly page: string
    /** For people who have a key, for as long as the job is there: the application asks for it and shows the job. */
    readonly app: string
    /** For programs, which have a key. */
    readonly job: string
    readonly result: string
    readonly evidence: string
  }
}

/** Which attempt this is, and what is not known of those before it. */
export interface AttemptState {
  /** Counts from 1. */
  readonly number: number
  /** From this moment on an attempt may have been carried out without our hearing of it; null where none can have been. */
  readonly unsure_from: Date | null
  /** When the last attempt of that kind began. */
  readonly unsure_until: Date | null
  /** Attempts that were made before its owner last had it begun again from the start; 0 where nobody had. */
  readonly begun_after: number
  /** Other deliveries of the job to this destination that have arrived since shortly before `unsure_from`. */
  readonly others: number
  /** Deliveries of this destination that are known to have arrived and whose mark at the vendor is needed no more. */
  readonly settled: ReadonlyArray<string>
}

/**
 * What became of one attempt.
 *
 * - `delivered`: it has arrived, now or by an attempt before this one.
 * - `retryable`: it was not carried out, and may be tried again.
 * - `ambiguous`: it may or may not have been carried out; no attempt before it is in doubt any more.
 * - `auth_broken`: the credentials or the rights of the destination are not good.
 * - `rejected`: this delivery can never be taken.
 * - `gone`: the destination said that it is no more.
 * - `held`: nothing was tried; `retry_after` seconds have to pass first. Uses up no attempt.
 */
export interface Outcome {
  readonly kind: "delivered" | "retryable" | "ambiguous" | "auth_broken" | "rejected" | "gone" | "held"
  readonly status_code: number | null
  /** Null exactly where it was delivered. Never a word of the request, which holds secrets. */
  readonly error: string | null
  /** Seconds that the receiver asked for, or that have to pass before a look can tell. */
  readonly retry_after: number | undefined
}

/** How a destination is. `final`: no waiting will change it, its owner has to. */
export interface Health {
  readonly ok: boolean
  readonly final: boolean
  readonly status:
    | "ok"
    | "auth_failed"
    | "not_found"
    | "invalid_config"
    | "rate_limited"
    | "timeout"
    | "unreachable"
    | "blocked"
    | "tls_error"
    | `http_${number}`
  readonly status_code: number | null
  /** What is wrong and where, in a sentence for the destination's owner; null where there is nothing to say. */
  readonly message: string | null
}

export type TargetOf<T extends DestinationTarget["type"]> = Extract<DestinationTarget, { readonly type: T }>

/**
 * One kind of destination. Neither function fails: whatever goes wrong is told. Delivering the same payload again after any
 * outcome leaves one copy of it at the vendor, except where the vendor offers no way to look (an incoming webhook of
 * Slack) and where telling again is the protocol (webhooks, whose id stays the same).
 */
export interface Connector<T extends DestinationTarget["type"]> {
  readonly deliver: (target: TargetOf<T>, payload: DeliveryPayload, attempt: AttemptState) => Effect.Effect<Outcome>
  readonly check: (target: TargetOf<T>) => Effect.Effect<Health>
}
