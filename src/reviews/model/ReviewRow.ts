import { toInstant } from "../../database/Instant.ts"
import type { Decision, Review } from "./Review.ts"

/** What `toReview` reads. */
export const reviewColumns = "id, job_id, revision, key_id, author_name, note, decisions, created_at"

export interface ReviewRow {
  readonly id: string
  readonly job_id: string
  readonly revision: number
  readonly key_id: string | null
  readonly author_name: string | null
  readonly note: string | null
  readonly decisions: ReadonlyArray<Decision>
  readonly created_at: Date
}

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
