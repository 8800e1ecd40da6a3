import { Schema } from "effect"
import { ApiError } from "../errors/ApiError.ts"

/** How long a key may be, and how long it is remembered. */
export const idempotencyKeyLimits = { key_characters: 255, lifetime_seconds: 24 * 3600 } as const

export const lifetimeMillis = idempotencyKeyLimits.lifetime_seconds * 1000

/** Printable ASCII. */
export const isIdempotencyKey = (text: string): boolean =>
  /^[ -~]+$/u.test(text) && text.length <= idempotencyKeyLimits.key_characters

/** Operation and key as one text: the separator is in neither. `POST /v1/jobs` has its keys without an operation. */
export const storedKey = (operation: string, key: string) => `${operation}\u001f${key}`

/** The header by which a POST can be sent again without being carried out twice. An endpoint without it refuses the header. */
export const idempotencyHeader = {
  "idempotency-key": Schema.optionalKey(Schema.String.annotate({
    description:
      "1 to 255 printable ASCII characters, best a fresh UUID per thing to make. Kept for 24 hours, for this operation alone: sent "
      + "again with the same body it answers 200 as the first time, with `Idempotent-Replayed: true`, and does nothing.",
    examples: ["0191d9a4-6f0c-7cc3-9d1f-0a4b6f6f3b52"]
  }))
}

export class IdempotencyKeyConflict extends ApiError<IdempotencyKeyConflict>()("IDEMPOTENCY_KEY_CONFLICT") {}
export class IdempotencyKeyOrphaned extends ApiError<IdempotencyKeyOrphaned>()("IDEMPOTENCY_KEY_ORPHANED") {}
export class IdempotencyKeyInvalid extends ApiError<IdempotencyKeyInvalid>()("IDEMPOTENCY_KEY_INVALID") {}

/** What a key can be refused for. */
export type KeyRefusal = IdempotencyKeyConflict | IdempotencyKeyOrphaned | IdempotencyKeyInvalid

/** The same, for an endpoint's `error: wire(…)`. */
export const keyRefusals = [IdempotencyKeyInvalid, IdempotencyKeyConflict, IdempotencyKeyOrphaned] as const
