import { Effect, Schema } from "effect"
import type { Blobs } from "../../src/storage/Blobs.ts"
import { readBlob } from "../../src/storage/CheckedBlobs.ts"

/** What a delivery is made of that is kept as bytes. */
export type KeptContent = "event body" | "result" | "evidence" | "transcript"

const mendedBy = {
  "event body": "ask for a new delivery of the job (POST /v1/jobs/{id}/deliveries)",
  result: "retry the job (POST /v1/jobs/{id}/retry)",
  evidence: "retry the job (POST /v1/jobs/{id}/retry)",
  transcript: "retry the job (POST /v1/jobs/{id}/retry)"
} as const satisfies Record<KeptContent, string>

/**
 * What was to be delivered cannot be told: its bytes are gone, which may be mended until the next attempt, or others than were written.
 * `message` is for the delivery's owner: it names what is damaged and what to do, and not where it lies, which the log does.
 */
export class ContentDamaged extends Schema.TaggedError<ContentDamaged>()("ContentDamaged", {
  message: Schema.String,
  missing: Schema.Boolean
}) {}

/** As `readBlob`, with the words for the delivery's owner where the bytes are damaged. */
export const readContent = (blobs: Blobs["Service"], ref: Parameters<typeof readBlob>[1], what: KeptContent) =>
  Effect.catchTag(readBlob(blobs, ref), "BlobDamaged", ({ found_sha256 }) => {
    const missing = found_sha256 === null
    const how = missing ? "is missing" : "does not have the bytes that were written"
    const message = `ARTIFACT_DAMAGED: the ${what} ${how}; nothing was sent. If it stays so, ${mendedBy[what]}.`
    return Effect.fail(new ContentDamaged({ message, missing }))
  })
