import { Context, Effect, Layer } from "effect"
import { toInstant } from "../database/Instant.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { ApiError } from "../errors/ApiError.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId } from "../identity/Id.ts"
import { JobNotFound, type JobNotSucceeded, jobNotSucceeded, type JobStatus } from "../jobs/model/Job.ts"
import type { SourceFacts } from "../jobs/model/StageIo.ts"
import type { BlobRef } from "../storage/BlobRef.ts"
import { mediaTypeOf } from "./MediaType.ts"

export class SourceErased extends ApiError<SourceErased>()("SOURCE_ERASED") {}

/** The bytes that a succeeded job was made of. */
export interface KeptSource {
  /** Whose bytes they are: the job itself, or the one that it was extracted from. */
  readonly job_id: string
  readonly blob: BlobRef
  readonly facts: SourceFacts | null
  readonly source_name: string | null
  /** When they go by themselves; null where they go with the job alone. */
  readonly kept_until: string | null
}

/** What browsers are told that it is. */
export const typeOf = ({ facts }: KeptSource): string => mediaTypeOf(facts?.container, facts?.video !== null)

interface Row {
  readonly status: JobStatus
  readonly facts: SourceFacts | null
  readonly source_name: string | null
  readonly owner: string | null
  readonly key: string | null
  readonly size: string | null
  readonly sha256: string | null
  readonly expires_at: Date | null
}

/** An extraction of an extraction of … is followed so far up. */
const mostSteps = 32

/**
 * Where the bytes of a job's source lie. What was fetched is kept in the job's own folder for as long as the job is; an upload is
 * referred to and goes after its 7 days or with its deletion. A job that was extracted from another one has that one's source.
 */
export class SourceMedia extends Context.Service<SourceMedia, {
  /** The kept source of a job of the current tenant; `SOURCE_ERASED` says what remains where it is gone, or never was. */
  readonly find: (
    id: string
  ) => Effect.Effect<KeptSource, JobNotFound | JobNotSucceeded | SourceErased, CurrentTenant>
}>()("footnote/media/SourceMedia") {
  static readonly layer = Layer.effect(
    SourceMedia,
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql

      const find = Effect.fn("SourceMedia.find")(function*(id: string) {
        const { tenant_id } = yield* CurrentTenant
        const [row] = isId("job", id)
          ? yield* inTenant(tenant_id)(sql<Row>`
            WITH RECURSIVE origin(id, from_id, step) AS (
              SELECT id, spec->'extracted_from'->>'job_id', 0 FROM footnote.jobs
              WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL
              UNION ALL
              SELECT p.id, p.spec->'extracted_from'->>'job_id', o.step + 1 FROM origin o
              JOIN footnote.jobs p ON p.id = o.from_id AND p.tenant_id = ${tenant_id} AND p.deleted_at IS NULL
              WHERE o.step < ${mostSteps})
            SELECT j.status, j.source AS facts, j.spec->>'source_name' AS source_name, kept.*
            FROM footnote.jobs j LEFT JOIN LATERAL (
              SELECT o.id AS owner, a.key, a.size_bytes::text AS size, a.sha256, u.expires_at
              FROM origin o JOIN footnote.artifacts a ON a.job_id = o.id AND a.kind = 'source'
                LEFT JOIN footnote.uploads u ON u.blob_key = a.key AND u.tenant_id = ${tenant_id} AND u.expires_at > now()
              WHERE a.key NOT LIKE 'uploads/%' OR u.id IS NOT NULL ORDER BY o.step LIMIT 1) kept ON true
            WHERE j.id = ${id} AND j.tenant_id = ${tenant_id} AND j.deleted_at IS NULL`)
          : []
        if (row === undefined) return yield* new JobNotFound()
        if (row.status !== "succeeded") return yield* jobNotSucceeded(row.status)
        const { expires_at, facts, key, owner, sha256, size, source_name } = row
        if (key === null) return yield* new SourceErased()
        return {
          job_id: owner!,
          blob: { key, size_bytes: Number(size), sha256: sha256! },
          facts,
          source_name,
          kept_until: expires_at === null ? null : toInstant(expires_at)
        }
      })

      return SourceMedia.of({ find })
    })
  )
}
