import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { makeCallingKey } from "../api-keys/CallingKey.ts"
import { StoredEvidence, StoredTranscript, StoredVision } from "../artifacts/StoredArtifacts.ts"
import { toPage } from "../database/Page.ts"
import { rowsOf, tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { retryTransient } from "../database/Transient.ts"
import { InvalidRequest, type RateLimited } from "../errors/RequestErrors.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, newId } from "../identity/Id.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { type ArtifactDamaged, JobNotFound, type JobNotSucceeded } from "../jobs/model/Job.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { nameResult } from "../results/NamedResult.ts"
import type { Json } from "../schemas/json-schema/JsonSchema.ts"
import type { Edit, Edited } from "../schemas/json-schema/ValueEdits.ts"
import { SchemaChecks } from "../schemas/SchemaChecks.ts"
import { requireRoom, storageQuotaBytes, type StorageQuotaExceeded } from "../usage/ledger/StorageQuota.ts"
import { checkDecisions, editsOf, keptDecisions } from "./model/CheckDecisions.ts"
import { heardOf } from "./model/CitedPlaces.ts"
import { foldReviews, type Reviewed } from "./model/FoldReviews.ts"
import { type CreateReview, type Review, ReviewConflict, reviewLimits, ReviewNotFound } from "./model/Review.ts"
import { reviewColumns, ReviewRow, toReview } from "./model/ReviewRow.ts"
import type { SpeakersAs } from "./model/SpeakerNaming.ts"

type Unreadable = JobNotFound | JobNotSucceeded | ArtifactDamaged

/**
 * What people decide on the results of the current tenant's jobs, as revisions that never change. A job's own result never
 * changes either: what its reviews make of it is folded from it. A job that has not succeeded fails with `JOB_NOT_SUCCEEDED`.
 */
export class Reviews extends Context.Service<Reviews, {
  /**
   * Makes the next revision, or none: decisions that make no sense on what stands, or with which the result would not fit the
   * job's schema, are `INVALID_REQUEST` with each of them named; on another than the last revision it is `REVIEW_CONFLICT`. It counts
   * in the tenant's storage, and is `STORAGE_QUOTA_EXCEEDED` where that has no room for it.
   */
  readonly create: (
    job_id: string,
    input: CreateReview
  ) => Effect.Effect<
    Review,
    Unreadable | InvalidRequest | ReviewConflict | RateLimited | StorageQuotaExceeded,
    CurrentTenant
  >
  /** Newest first. */
  readonly list: (
    job_id: string,
    page: { readonly limit: number; readonly cursor?: string | undefined }
  ) => Effect.Effect<
    { readonly data: ReadonlyArray<Review>; readonly next_cursor: string | null },
    JobNotFound,
    CurrentTenant
  >
  readonly get: (job_id: string, id: string) => Effect.Effect<Review, JobNotFound | ReviewNotFound, CurrentTenant>
  /** What stands after the last review; the job's own as revision 0 where there is none. */
  readonly reviewed: (job_id: string, speakers?: SpeakersAs) => Effect.Effect<Reviewed, Unreadable, CurrentTenant>
}>()("footnote/reviews/Reviews") {
  static readonly layer = Layer.effect(Reviews, Effect.suspend(() => make))
}

const StandingRow = Schema.Struct({ bytes: Schema.Finite, last: Schema.Finite })

const stale = (last: number) =>
  new ReviewConflict({ details: [{ path: "base_revision", message: `The last revision is ${last}` }] })

const make = Effect.gen(function*() {
  const engine = yield* PgClient.PgClient
  const tenants = yield* TenantSql
  const { inTenant, sql } = tenants
  const callingKey = makeCallingKey(tenants)
  const jobs = yield* Jobs
  const artifacts = yield* Artifacts
  const checks = yield* SchemaChecks
  const storage_quota = yield* storageQuotaBytes

  const all = Effect.fnUntraced(function*(job_id: string) {
    const { tenant_id } = yield* CurrentTenant
    const rows = yield* tenantRowsOf(ReviewRow)(
      inTenant(tenant_id)(sql`SELECT ${sql.literal(reviewColumns)} FROM footnote.reviews
      WHERE job_id = ${job_id} AND tenant_id = ${tenant_id} ORDER BY revision`)
    )
    return rows.map(toReview)
  })

  const reviewed = Effect.fnUntraced(function*(job_id: string) {
    const { value: result } = yield* artifacts.read(job_id, "result", Schema.Json)
    const { value: evidence } = yield* artifacts.read(job_id, "evidence", StoredEvidence.codec)
    return foldReviews({ result, evidence }, yield* all(job_id))
  })

  /** What stands, with the job's speakers as people named them; what reviews decide on has their names as heard. */
  const named = Effect.fnUntraced(function*(job_id: string, speakers?: SpeakersAs) {
    const standing = yield* reviewed(job_id)
    const naming = speakers === "as_heard" ? [] : yield* artifacts.naming(job_id)
    if (naming.length === 0) return standing
    const { value: heard } = yield* artifacts.read(job_id, "transcript", StoredTranscript.codec)
    return nameResult(standing, naming, heard)
  })

  /** Only what points into the source needs it. */
  const heardFor = Effect.fnUntraced(function*(job_id: string, { decisions }: CreateReview) {
    if (decisions.every(({ action, citations = [] }) => action !== "choose" && citations.length === 0)) {
      return heardOf({ duration_seconds: 0, segments: [] }, { frames: [] })
    }
    const { value: transcript } = yield* artifacts.read(job_id, "transcript", StoredTranscript.codec)
    const { value: vision } = yield* artifacts.read(job_id, "vision", StoredVision.codec)
    return heardOf(transcript, vision)
  })

  const edited = Effect.fnUntraced(function*(job_id: string, value: Json, edits: ReadonlyArray<Edit>) {
    if (edits.length === 0) return { ok: true, value, placed: [] } satisfies Edited
    const { tenant_id } = yield* CurrentTenant
    const { normalised } = yield* jobs.schema(tenant_id, job_id)
    return yield* checks.edit({ schema: normalised, value, edits })
  })

  /** What would stand is read with people's names of the speakers too, and has to fit its schema with them. */
  const requireFitAsNamed = Effect.fnUntraced(function*(state: Reviewed, made: Omit<Review, "created_at">) {
    const { job_id } = made
    const naming = yield* artifacts.naming(job_id)
    if (naming.length === 0) return
    const { value: heard } = yield* artifacts.read(job_id, "transcript", StoredTranscript.codec)
    const created_at = DateTime.formatIso(yield* DateTime.now)
    const standing = foldReviews(state, [{ ...made, created_at }])
    const { result } = nameResult(standing, naming, heard)
    if (result === standing.result) return
    const { tenant_id } = yield* CurrentTenant
    const { normalised } = yield* jobs.schema(tenant_id, job_id)
    const outcome = yield* checks.edit({ schema: normalised, value: result, edits: [] })
    if (outcome.ok) return
    const message = `${outcome.message}, with the names that the job's speakers have now`
    return yield* new InvalidRequest({ details: [{ path: "/decisions", message }] })
  })

  /** In one transaction with the job's row: an erasure comes before it, or erases it too. */
  const keep = Effect.fnUntraced(function*(review: Omit<Review, "created_at">) {
    const { tenant_id } = yield* CurrentTenant
    const { author, decisions, id, job_id, note, revision } = review
    const text = JSON.stringify(decisions)
    const kept_bytes = Buffer.byteLength(text)
    yield* requireRoom(engine, tenant_id, storage_quota, kept_bytes)
    const held = yield* engine`UPDATE footnote.jobs SET stored_bytes = stored_bytes + ${kept_bytes}
      WHERE id = ${job_id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL RETURNING id`
    if (held.length === 0) return yield* new JobNotFound()
    const [standing] = yield* rowsOf(StandingRow)(engine`
      SELECT coalesce(sum(octet_length(decisions::text)), 0)::float8 AS bytes, coalesce(max(revision), 0) AS last
      FROM footnote.reviews WHERE job_id = ${job_id}`)
    if (standing!.last !== revision - 1) return yield* stale(standing!.last)
    if (standing!.bytes + kept_bytes > reviewLimits.bytes || revision > reviewLimits.revisions) {
      return yield* new InvalidRequest({
        details: [{
          path: "/decisions",
          message: `A job's reviews hold ${reviewLimits.revisions} revisions and ${reviewLimits.bytes} bytes at most`
        }]
      })
    }
    const [made] = yield* rowsOf(ReviewRow)(engine`
      INSERT INTO footnote.reviews (id, tenant_id, job_id, revision, key_id, author_name, note, decisions)
      VALUES (${id}, ${tenant_id}, ${job_id}, ${revision}, ${author.key_id}, ${author.name}, ${note}, ${text}::json)
      ON CONFLICT (job_id, revision) DO NOTHING RETURNING ${engine.literal(reviewColumns)}`)
    return made === undefined ? yield* stale(revision) : toReview(made)
  })

  return Reviews.of({
    create: Effect.fn("Reviews.create")(function*(job_id, input) {
      const { base_revision, decisions: given, note } = input
      const state = yield* reviewed(job_id)
      if (base_revision !== state.revision) return yield* stale(state.revision)
      const heard = yield* heardFor(job_id, input)
      const details = checkDecisions(given, state, heard)
      if (details.length > 0) return yield* new InvalidRequest({ details })
      const edits = editsOf(given, state)
      const outcome = yield* edited(job_id, state.result, edits.filter((edit) => edit !== null))
      if (!outcome.ok) {
        const blamed = outcome.edit === null ? -1 : edits.indexOf(edits.filter((edit) => edit !== null)[outcome.edit]!)
        const member = given[blamed]?.action === "correct" ? "value" : "pointer"
        const path = blamed === -1 ? "/decisions" : `/decisions/${blamed}/${member}`
        return yield* new InvalidRequest({ details: [{ path, message: outcome.message }] })
      }
      const review = {
        id: yield* newId("rev"),
        job_id,
        revision: base_revision + 1,
        base_revision,
        author: yield* callingKey,
        note,
        decisions: keptDecisions(given, state, heard, edits, outcome)
      }
      if (outcome.placed.length > 0) yield* requireFitAsNamed(state, review)
      return yield* retryTransient(engine.withTransaction(remembered(engine, keep(review)))).pipe(
        Effect.catchTag("SqlError", Effect.die)
      )
    }),

    list: Effect.fn("Reviews.list")(function*(job_id, { cursor, limit }) {
      const { tenant_id } = yield* CurrentTenant
      yield* jobs.get(tenant_id, job_id)
      const rows = yield* tenantRowsOf(ReviewRow)(
        inTenant(tenant_id)(sql`SELECT ${sql.literal(reviewColumns)} FROM footnote.reviews
        WHERE job_id = ${job_id} AND tenant_id = ${tenant_id} ${
          // By revision and not by id: two processes' clocks may differ.
          cursor === undefined
            ? sql``
            : sql`AND revision < (SELECT revision FROM footnote.reviews WHERE id = ${cursor})`}
        ORDER BY revision DESC LIMIT ${limit + 1}`)
      )
      return toPage(rows.map(toReview), limit)
    }),

    get: Effect.fn("Reviews.get")(function*(job_id, id) {
      const { tenant_id } = yield* CurrentTenant
      yield* jobs.get(tenant_id, job_id)
      const [row] = isId("rev", id)
        ? yield* tenantRowsOf(ReviewRow)(
          inTenant(tenant_id)(sql`SELECT ${sql.literal(reviewColumns)} FROM footnote.reviews
          WHERE id = ${id} AND job_id = ${job_id} AND tenant_id = ${tenant_id}`)
        )
        : []
      return row === undefined ? yield* new ReviewNotFound() : toReview(row)
    }),

    reviewed: Effect.fn("Reviews.reviewed")(named)
  })
})
