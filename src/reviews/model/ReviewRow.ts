import { Schema } from "effect"
import { toInstant } from "../../database/Instant.ts"
import { Decision, type Review } from "./Review.ts"

/** What `toReview` reads. */
export const reviewColumns = "id, job_id, revision, key_id, author_name, note, decisions, created_at"

export const ReviewRow = Schema.Struct({
  id: Schema.String,
  job_id: Schema.String,
  revision: Schema.Finite,
  key_id: Schema.NullOr(Schema.String),
  author_name: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String),
  decisions: Schema.Array(Decision),
  created_at: Schema.Date
})
export type ReviewRow = typeof ReviewRow.Type

export const toReview = (
  { author_name, created_at, decisions, id, job_id, key_id, note, revision }: ReviewRow
): Review => ({
  id,
  job_id,
  revision,
  base_revision: revision - 1,
  author: { key_id, name: author_name },
  created_at: toInstant(created_at),
  note,
  decisions
})
