import { Context, Effect, Layer, type Schema } from "effect"
import { StoredTranscript, StoredVision } from "../artifacts/StoredArtifacts.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { Jobs } from "../jobs/Jobs.ts"
import type { ArtifactDamaged, JobNotFound, JobNotSucceeded } from "../jobs/model/Job.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { type GoldRecord, goldRecord, undecided } from "./model/GoldRecord.ts"
import { ReviewIncomplete, ReviewNotFound } from "./model/Review.ts"
import { Reviews } from "./Reviews.ts"

/**
 * Reviewed jobs as footage to measure extraction on. A job without a review fails with `REVIEW_NOT_FOUND`, and one of which
 * somebody has to decide on some leaves yet with `REVIEW_INCOMPLETE`, which names them: what nobody looked at is not gold.
 */
export class GoldRecords extends Context.Service<GoldRecords, {
  readonly read: (
    job_id: string
  ) => Effect.Effect<
    GoldRecord,
    JobNotFound | JobNotSucceeded | ReviewNotFound | ReviewIncomplete | ArtifactDamaged,
    CurrentTenant
  >
}>()("footnote/reviews/GoldRecords") {
  static readonly layer = Layer.effect(
    GoldRecords,
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const artifacts = yield* Artifacts
      const { reviewed: readReviewed } = yield* Reviews

      return GoldRecords.of({
        read: Effect.fn("GoldRecords.read")(function*(job_id) {
          const { tenant_id } = yield* CurrentTenant
          const reviewed = yield* readReviewed(job_id, "as_heard")
          if (reviewed.revision === 0) return yield* new ReviewNotFound({ message: "The job has not been reviewed." })
          const left = undecided(reviewed)
          if (left.length > 0) {
            return yield* new ReviewIncomplete({
              details: left.slice(0, 100).map((path) => ({ path, message: "Nobody has decided on it" }))
            })
          }
          const { value: transcript } = yield* artifacts.read(job_id, "transcript", StoredTranscript.codec)
          const { value: vision } = yield* artifacts.read(job_id, "vision", StoredVision.codec)
          const { written } = yield* jobs.schema(tenant_id, job_id)
          return goldRecord({ job_id, schema: JSON.parse(written) as Schema.Json, transcript, vision, reviewed })
        })
      })
    })
  )
}
