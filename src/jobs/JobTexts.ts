import { Effect, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Sealing } from "../crypto/Sealing.ts"
import { tenantRowsOf } from "../database/Rows.ts"
import { makeSharedStatements } from "../database/statements/SharedStatements.ts"
import type { TenantSql } from "../database/TenantSql.ts"
import { isId, type TenantId } from "../identity/Id.ts"
import { sinceBoot } from "../processes/SinceBoot.ts"
import { JobNotFound, type JobStatus } from "./model/Job.ts"
import { jobConditions, type JobFilter } from "./model/JobFilter.ts"
import { jobColumns, JobRow, openRecord } from "./model/JobRow.ts"

/** A `JobRecord` as JSON text. */
export interface JobText {
  readonly id: string
  readonly status: JobStatus
  readonly json: string
}

/** A page of them, one object for all who share the statement that read it. */
export interface JobPage {
  readonly jobs: ReadonlyArray<JobText>
  readonly more: boolean
}

interface Known extends JobText {
  readonly version: string
  readonly until: number
}

interface AskedPage {
  readonly tenant_id: TenantId
  readonly before: string | undefined
  readonly limit: number
  readonly filter: JobFilter
  /** All of it as text. */
  readonly name: string
}

/** What was found, newest first, in each row alike; beside it the record of one that has changed, or nothing. */
const FoundRow = Schema.Struct({
  found: Schema.Array(Schema.String),
  versions: Schema.Array(Schema.NullOr(Schema.String)),
  id: Schema.NullOr(Schema.String)
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

/**
 * Reads records for those who hand them on as they are. PostgreSQL is asked every time, and answers of each record that is as it was
 * when this process last wrote its text no more than that: of a page of 25 it was 6.4 ms of PostgreSQL's processor time and is 0.6.
 * Single reads of one tenant share statements, and so do those of the same page. A `SqlError` is a defect.
 */
export const makeJobTexts = ({ inTenant, sql }: TenantSql["Service"], sealing: Sealing["Service"]) => {
  const known = new Map<string, Known>()
  /** The ids of a page, by what was asked for. */
  const pages = new Map<string, ReadonlyArray<string>>()
  const toRecord = openRecord(sealing)

  const read = Effect.fnUntraced(function*(tenant_id: TenantId, which: Fragment, ids: ReadonlyArray<string>) {
    const now = yield* sinceBoot
    const seen = new Map<string, Known>()
    for (const id of ids) {
      const one = known.get(nameOf(tenant_id, id))
      if (one !== undefined && now < one.until) seen.set(id, one)
    }
    const given = [...seen.values()]
    // All versions in one row, because each row costs the driver 40 columns: a page that is as it was is one row and not 26. OFFSET 0 keeps
    // PostgreSQL from making one query of both, which would put each record together before it looks at the versions.
    const rows = yield* tenantRowsOf(FoundRow)(
      inTenant(tenant_id)(sql`
      WITH versions AS MATERIALIZED (
        SELECT id AS job_id, ${sql.literal(version)} AS version
        FROM (SELECT id, status, admitted_at, xmin AS row_xmin FROM footnote.jobs WHERE ${which}) jobs),
      changed AS (
        SELECT job_id FROM versions v
        LEFT JOIN unnest(${given.map(({ id }) => id)}::text[], ${given.map(({ version }) => version)}::text[])
          AS k(known_id, version) ON k.known_id = v.job_id
        WHERE v.version IS NULL OR k.version IS DISTINCT FROM v.version)
      SELECT page.*, r.* FROM (
        SELECT coalesce(array_agg(job_id ORDER BY job_id DESC), '{}') AS found,
          coalesce(array_agg(version ORDER BY job_id DESC), '{}') AS versions FROM versions) page
      LEFT JOIN LATERAL (
        SELECT ${sql.literal(jobColumns)} FROM footnote.jobs
        WHERE jobs.id IN (SELECT job_id FROM changed) OFFSET 0) r ON true`)
    )
    const fresh = yield* tenantRowsOf(JobRow)(Effect.succeed(rows.filter(({ id }) => id !== null)))
    const texts = new Map<string, JobText>()
    for (const row of fresh) {
      const json = JSON.stringify(yield* toRecord(row))
      texts.set(row.id, { id: row.id, status: row.status, json })
    }
    const { found, versions } = rows[0]!
    return found.map((job_id, at): JobText => {
      const text = texts.get(job_id)
      if (text === undefined) return seen.get(job_id)!
      const name = nameOf(tenant_id, job_id)
      const version = versions[at]!
      if (version === null || text.json.length > limits.characters) known.delete(name)
      else put(known, name, { ...text, version, until: now + limits.millis })
      return text
    })
  })

  const textOf = makeSharedStatements({
    line: ({ tenant_id }: { readonly tenant_id: TenantId; readonly id: string }) => tenant_id,
    ask: Effect.fnUntraced(function*(asked) {
      const ids = [...new Set(asked.map(({ id }) => id))]
      const { tenant_id } = asked[0]!
      const which = sql`id = ANY(${ids}) AND tenant_id = ${tenant_id} AND deleted_at IS NULL`
      const texts = new Map((yield* read(tenant_id, which, ids)).map((text) => [text.id, text]))
      return asked.map(({ id }) => texts.get(id))
    })
  })

  /** One statement for all who ask for the same page at once. Ids sort by creation, so the id alone is the place, also while jobs are added. */
  const pageOf = makeSharedStatements({
    line: ({ name }: AskedPage) => name,
    ask: Effect.fnUntraced(function*(asked) {
      const { before, filter, limit, name, tenant_id } = asked[0]!
      const conditions = [
        ...jobConditions(sql, tenant_id, filter),
        ...(before === undefined ? [] : [sql`id < ${before}`])
      ]
      const which = sql`${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit + 1}`
      const found = yield* read(tenant_id, which, pages.get(name) ?? [])
      put(pages, name, found.map(({ id }) => id))
      const page: JobPage = { jobs: found.slice(0, limit), more: found.length > limit }
      return asked.map(() => page)
    })
  })

  return {
    text: (tenant_id: TenantId, id: string): Effect.Effect<JobText, JobNotFound> =>
      isId("job", id)
        ? Effect.flatMap(
          textOf({ tenant_id, id }),
          (text): Effect.Effect<JobText, JobNotFound> => text === undefined ? new JobNotFound() : Effect.succeed(text)
        )
        : Effect.fail(new JobNotFound()),

    texts: (
      tenant_id: TenantId,
      { before, limit }: { readonly limit: number; readonly before?: string | undefined },
      filter: JobFilter
    ) => pageOf({ tenant_id, before, limit, filter, name: JSON.stringify([tenant_id, before, limit, filter]) })
  }
}
