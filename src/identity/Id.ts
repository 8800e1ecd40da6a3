import { Clock, Effect, Schema } from "effect"
import { randomBytes } from "node:crypto"

/** What the prefix of an id names. */
export type IdPrefix = "job" | "bat" | "dst" | "key" | "sch" | "upl" | "dlv" | "evt" | "exp" | "rev" | "ses" | "ten"

/**
 * An id by its kind: a job's cannot stand where a tenant's is asked for. What a caller sends is a string until `isId` has looked at it, or
 * until it was found under a tenant.
 */
export type IdOf<P extends IdPrefix> = `${P}_${string}`
/** Ids as the database and a model process are read: their prefix says what they name. */
export const TenantId = Schema.TemplateLiteral(["ten_", Schema.String])
export type TenantId = typeof TenantId.Type
export const JobId = Schema.TemplateLiteral(["job_", Schema.String])
export type JobId = typeof JobId.Type

// Crockford's alphabet in lower case: its order is its byte order, so text sorts as the number does.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

let lastMillis = 0n
let lastRandom = 0n

/** Fresh randomness for a new millisecond; within one, a random step up, so that one process never counts back. */
const advance = (millis: bigint): bigint => {
  if (millis > lastMillis) {
    lastMillis = millis
    lastRandom = BigInt(`0x${randomBytes(10).toString("hex")}`) >> 1n
  } else {
    lastRandom += 1n + BigInt(`0x${randomBytes(7).toString("hex")}`)
  }
  return (lastMillis << 80n) | lastRandom
}

/**
 * A new id: 48 bits of milliseconds, then 80 bits of randomness, as 26 characters that sort by creation (the ULID
 * layout). Two processes never need to agree on anything; the ids of one process come in strict order.
 */
export const newId = <P extends IdPrefix>(prefix: P): Effect.Effect<IdOf<P>> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const bits = advance(BigInt(millis))
    let suffix = ""
    for (let shift = 125n; shift >= 0n; shift -= 5n) suffix += alphabet[Number((bits >> shift) & 31n)]
    return `${prefix}_${suffix}` as const
  })

/** Whether a string can be an id of this kind at all. What cannot is not found, and never reaches the database. */
export const isId = <P extends IdPrefix>(prefix: P, text: string): text is IdOf<P> =>
  text.length <= 80 && text.startsWith(`${prefix}_`) && /^[a-z]{3}_[0-9a-z_-]+$/u.test(text)
