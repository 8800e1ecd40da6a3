import type { Cause } from "effect"
import { saysDatabaseAway } from "../database/DatabaseAway.ts"
import { BlobError } from "../storage/Blobs.ts"

/** What the service stands on and is without for a while, in the words of a log line. */
export type Missing = "The database" | "The blob store" | "Room on the disk"

/** What an error says is missing; undefined for what is wrong with the request or with us. */
const saysMissing = (error: unknown): Missing | undefined => {
  if (saysDatabaseAway(error)) return "The database"
  if (!(error instanceof BlobError) || error.away === undefined) return undefined
  return error.away === "disk" ? "Room on the disk" : "The blob store"
}

/**
 * What a piece of work ended for that a repetition later may mend, though nobody changes the request: callers are told 503 and
 * when to come again. Undefined where anything else is the reason.
 */
export const missingIn = (cause: Cause.Cause<unknown>): Missing | undefined => {
  for (const reason of cause.reasons) {
    const missing = saysMissing(
      reason._tag === "Die" ? reason.defect : reason._tag === "Fail" ? reason.error : undefined
    )
    if (missing !== undefined) return missing
  }
  return undefined
}
