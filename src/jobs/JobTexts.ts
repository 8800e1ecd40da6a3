import { Clock, Effect, Exit, Request, RequestResolver, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Sealing } from "../crypto/Sealing.ts"
import { tenantRowsOf } from "../database/Rows.ts"
import type { TenantSql } from "../database/TenantSql.ts"
import { isId, type TenantId } from "../identity/Id.ts"
import { JobNotFound, type JobStatus } from "./model/Job.ts"
import { jobConditions, type JobFilter } from "./model/JobFilter.ts"
import { jobColumns, JobRow, openRecord } from "./model/JobRow.ts"

/** A `JobRecord` as JSON text. */
export interface JobText {
  readonly id: string
  readonly status: JobStatus
  readonly json: string
}

interface Known extends JobText {
  readonly version: string
  readonly until: number
}

const VersionRow = Schema.Struct({
  job_id: Schema.String,
  version: Schema.NullOr(Schema.String),
  changed: Schema.Boolean
})

/**
 * A text that is another one whenever the record is: by the transactions that wrote the row and its stages' rows. Null while a stage is
 * at work, whose tasks tell how far they are. A job that is over is written no more, and one that waits for a slot has no stages.
 */
const version =
  `CASE WHEN status NOT IN ('queued', 'running') OR admitted_at IS NULL THEN status || row_xmin::text ELSE (
  SELECT CASE WHEN bool_or(s.status = 'running') THEN NULL
    ELSE row_xmin::text || '.' || coalesce(string_agg(s.xmin::text, '.' ORDER BY s.name), '') END
  FROM footnote.stages s WHERE s.job_id = jobs.id) END`

/** What is kept of texts, and for how long: they hold addresses that are sealed at rest. */
const limits = { entries: 4000, characters: 8000, millis: 60_000 } as const

const put = <A>(map: Map<string, A>, name: string, value: A) => {
  map.delete(name)
  if (map.size >= limits.entries) map.delete(map.keys().next().value!)
  map.set(name, value)
}

const nameOf = (tenant_id: TenantId, id: string) => `${tenant_id} ${id}`

class Read extends Request.Class<{ readonly tenant_id: TenantId; readonly id: string }, JobText | undefined> {}

/**
 * Reads records for those who hand them on as they are. PostgreSQL is asked every time, and answers of each record that is as it was
 * when this process last wrote its text no more than that: of a page of 25 it was 6.4 ms of PostgreSQL's processor time and is 0.6.
 * Single reads of one tenant that come in the same turn of the event loop share a statement. A `SqlError` is a defect.
 */
export const makeJobTexts = ({ inTenant, sql }: TenantSql["Service"], sealing: Sealing["Service"]) => {
  const known = new Map<string, Known>()
  /** The ids of a page, by what was asked for. */
  const pages = new Map<string, ReadonlyArray<string>>()
  const toRecord = openRecord(sealing)

  const read = Effect.fnUntraced(function*(tenant_id: TenantId, which: Fragment, ids: ReadonlyArray<string>) {
    const clock = yield* Clock.Clock
    const now = Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
    const seen = new Map<string, Known>()
    for (const id of ids) {
      const one = known.get(nameOf(tenant_id, id))
      if (one !== undefined && now < one.until) seen.set(id, one)
    }
    const given = [...seen.values()]
    // OFFSET 0 keeps PostgreSQL from making one query of these, which would put each record together before it looks at the versions.
    const found = yield* tenantRowsOf(VersionRow)(
      inTenant(tenant_id)(sql`
      SELECT jobs.id AS job_id, v.version, v.version IS NULL OR k.version IS DISTINCT FROM v.version AS changed, r.*
      FROM (SELECT *, xmin AS row_xmin FROM footnote.jobs WHERE ${which}) jobs
      LEFT JOIN unnest(${given.map(({ id }) => id)}::text[], ${given.map(({ version }) => version)}::text[])
        AS k(known_id, version) ON k.known_id = jobs.id
      CROSS JOIN LATERAL (SELECT ${sql.literal(version)} AS version OFFSET 0) v
      LEFT JOIN LATERAL (SELECT ${sql.literal(jobColumns)}
        WHERE v.version IS NULL OR k.version IS DISTINCT FROM v.version OFFSET 0) r ON true
      ORDER BY jobs.id DESC`)
    )
    const fresh = yield* tenantRowsOf(JobRow)(Effect.succeed(found.filter(({ changed }) => changed)))
    const texts = new Map<string, JobText>()
    for (const row of fresh) {
      const json = JSON.stringify(yield* toRecord(row))
      texts.set(row.id, { id: row.id, status: row.status, json })
    }
    return found.map(({ changed, job_id, version }): JobText => {
      if (!changed) return seen.get(job_id)!
      const text = texts.get(job_id)!
      const name = nameOf(tenant_id, job_id)
      if (version === null || text.json.length > limits.characters) known.delete(name)
      else put(known, name, { ...text, version, until: now + limits.millis })
      return text
    })
  })

  const reads = RequestResolver.makeGrouped<Read, TenantId>({
    key: ({ request }) => request.tenant_id,
    resolver: Effect.fnUntraced(function*(entries, tenant_id) {
      const ids = [...new Set(entries.map(({ request }) => request.id))]
      const which = sql`id = ANY(${ids}) AND tenant_id = ${tenant_id} AND deleted_at IS NULL`
      const texts = new Map((yield* read(tenant_id, which, ids)).map((text) => [text.id, text]))
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(texts.get(entry.request.id)))
    })
  })

  return {
    text: (tenant_id: TenantId, id: string): Effect.Effect<JobText, JobNotFound> =>
      isId("job", id)
        ? Effect.flatMap(
          Effect.request(new Read({ tenant_id, id }), reads),
          (text): Effect.Effect<JobText, JobNotFound> => text === undefined ? new JobNotFound() : Effect.succeed(text)
        )
        : Effect.fail(new JobNotFound()),

    texts: Effect.fnUntraced(function*(
      tenant_id: TenantId,
      { before, limit }: { readonly limit: number; readonly before?: string | undefined },
      filter: JobFilter
    ) {
      const conditions = [
        ...jobConditions(sql, tenant_id, filter),
        ...(before === undefined ? [] : [sql`id < ${before}`])
      ]
      const name = JSON.stringify([tenant_id, before, limit, filter])
      // Ids sort by creation, so the id alone is the place in the list, also while jobs are added.
      const which = sql`${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`
      const found = yield* read(tenant_id, which, pages.get(name) ?? [])
      put(pages, name, found.map(({ id }) => id))
      return { jobs: found.slice(0, limit), more: found.length > limit }
    })
  }
}
