import { Context, Effect, Layer, Option, Stream } from "effect"
import { Sealing } from "../crypto/Sealing.ts"
import { advisoryLocks } from "../database/AdvisoryLocks.ts"
import { fromInstant, toInstant } from "../database/Instant.ts"
import { cursorAfter, toPage } from "../database/Page.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, newId, type TenantId } from "../identity/Id.ts"
import { jobConditions, type JobFilter } from "../jobs/model/JobFilter.ts"
import { jobColumns, type JobRow, openRecord } from "../jobs/model/JobRow.ts"
import type { SchemaNotFound } from "../schemas/ExtractionSchema.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { ExpandedJobs } from "./ExpandedJobs.ts"
import {
  type CreateExport,
  type DeletedExport,
  type Export,
  exportDays,
  type ExportLine,
  ExportNotFound
} from "./Export.ts"

type Filter = Omit<CreateExport, "include">

interface Row {
  readonly id: string
  readonly filter: Export["filter"]
  readonly include: CreateExport["include"]
  readonly jobs: number
  readonly created_at: Date
  readonly expires_at: Date
}

const columns = "id, filter, include, jobs, created_at, expires_at"

/** Records that are read at a time: their artifacts are read one job after the other. */
const batch = 50

const instant = (text: string | undefined) => text === undefined ? undefined : fromInstant(text)

const toFilter = (filter: Filter): JobFilter => ({
  ...filter,
  created_after: instant(filter.created_after),
  created_before: instant(filter.created_before),
  finished_after: instant(filter.finished_after),
  finished_before: instant(filter.finished_before)
})

const toExport = ({ created_at, expires_at, filter, id, include, jobs }: Row): Export => ({
  id,
  status: "ready",
  filter,
  include,
  jobs,
  content_url: `/v1/exports/${id}/content`,
  created_at: toInstant(created_at),
  expires_at: toInstant(expires_at)
})

/**
 * Exports of the current tenant's finished jobs. A job that has ended never changes, so an export is a question and the moment up to
 * which it looks: nothing is copied, nothing counts for the storage quota, and what is erased is in no export any more. An unknown
 * id, a deleted or expired export's and another tenant's are the same `EXPORT_NOT_FOUND`.
 */
export class Exports extends Context.Service<Exports, {
  readonly create: (input: CreateExport) => Effect.Effect<Export, SchemaNotFound, CurrentTenant>
  readonly list: (
    page: { readonly limit: number; readonly cursor?: string | undefined }
  ) => Effect.Effect<
    { readonly data: ReadonlyArray<Export>; readonly next_cursor: string | null },
    never,
    CurrentTenant
  >
  readonly get: (id: string) => Effect.Effect<Export, ExportNotFound, CurrentTenant>
  /** Soft and idempotent. */
  readonly remove: (id: string) => Effect.Effect<DeletedExport, ExportNotFound, CurrentTenant>
  /**
   * The jobs in the order in which they ended, after the one that a cursor names, one after the other: however many there are, a few
   * are in memory, and one that is erased before its turn is left out. `INVALID_REQUEST` for a cursor that names no job of the tenant.
   */
  readonly content: (
    id: string,
    after: string | undefined
  ) => Effect.Effect<Stream.Stream<ExportLine>, ExportNotFound | InvalidRequest, CurrentTenant>
}>()("footnote/exports/Exports") {
  static readonly layer = Layer.effect(Exports, Effect.suspend(() => make)).pipe(Layer.provide(ExpandedJobs.layer))
}

const make = Effect.gen(function*() {
  const { inTenant, sql } = yield* TenantSql
  const { expand } = yield* ExpandedJobs
  const schemas = yield* Schemas
  const toRecord = openRecord(yield* Sealing)

  const matching = (tenant_id: TenantId, filter: Filter) => jobConditions(sql, tenant_id, toFilter(filter))

  const find = Effect.fnUntraced(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const [row] = isId("exp", id)
      ? yield* inTenant(tenant_id)(sql<Row>`SELECT ${sql.literal(columns)} FROM footnote.exports
        WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL AND expires_at > now()`)
      : []
    return row ?? (yield* new ExportNotFound())
  })

  /** Records are read many at a time and told as fast as the client reads: what was erased meanwhile is not told. */
  const stands = ({ job }: ExportLine) =>
    Effect.flatMap(CurrentTenant, ({ tenant_id }) =>
      inTenant(tenant_id)(sql`SELECT FROM footnote.jobs
        WHERE id = ${job.id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`)).pipe(
        Effect.map((rows) => rows.length === 1)
      )

  return Exports.of({
    create: Effect.fn("Exports.create")(function*({ include, ...filter }) {
      const { tenant_id } = yield* CurrentTenant
      if (filter.schema_id !== undefined) yield* schemas.read(filter.schema_id)
      const id = yield* newId("exp")
      const insert = sql<Row>`
        INSERT INTO footnote.exports (id, tenant_id, filter, include, expires_at, jobs)
        VALUES (${id}, ${tenant_id}, ${JSON.stringify(filter)}::json, ${JSON.stringify(include)}::json,
          now() + make_interval(days => ${exportDays}),
          (SELECT count(*)::int FROM footnote.jobs WHERE ${
        sql.and([...matching(tenant_id, filter), sql`finished_at <= now()`])
      }))
        RETURNING ${sql.literal(columns)}`
      // A job that ends in a transaction which began before ours and commits after it would stand in neither this export nor the next.
      const settled = sql`SELECT pg_advisory_xact_lock(${advisoryLocks.jobEnds}, hashtext(${tenant_id}))`
      return yield* inTenant(tenant_id)(
        remembered(sql, Effect.andThen(settled, Effect.map(insert, ([row]) => toExport(row!))))
      )
    }),

    list: Effect.fn("Exports.list")(function*({ cursor, limit }) {
      const { tenant_id } = yield* CurrentTenant
      const rows = yield* inTenant(tenant_id)(sql<Row>`SELECT ${sql.literal(columns)} FROM footnote.exports
        WHERE tenant_id = ${tenant_id} AND deleted_at IS NULL AND expires_at > now()
          ${cursor === undefined ? sql`` : sql`AND id < ${cursor}`}
        ORDER BY id DESC LIMIT ${limit + 1}`)
      return toPage(rows.map(toExport), limit)
    }),

    get: Effect.fn("Exports.get")((id) => Effect.map(find(id), toExport)),

    remove: Effect.fn("Exports.remove")(function*(id) {
      const { tenant_id } = yield* CurrentTenant
      const [row] = isId("exp", id)
        ? yield* inTenant(tenant_id)(sql<{ deleted_at: Date }>`
          UPDATE footnote.exports SET deleted_at = coalesce(deleted_at, date_trunc('milliseconds', now()))
          WHERE id = ${id} AND tenant_id = ${tenant_id} RETURNING deleted_at`)
        : []
      if (row === undefined) return yield* new ExportNotFound()
      return { id, deleted_at: toInstant(row.deleted_at) }
    }),

    content: Effect.fn("Exports.content")(function*(id, after) {
      const tenant = yield* CurrentTenant
      const { tenant_id } = tenant
      const { created_at, filter, include } = yield* find(id)
      if (after !== undefined) {
        // The row of a job that was erased stays, so whoever stopped at it goes on after it.
        const [there] = yield* inTenant(tenant_id)(sql`SELECT id FROM footnote.jobs
          WHERE id = ${after} AND tenant_id = ${tenant_id} AND finished_at IS NOT NULL`)
        if (there === undefined) {
          return yield* new InvalidRequest({ details: [{ path: "cursor", message: "Not a cursor of this export" }] })
        }
      }
      const next = (last: string | undefined) =>
        inTenant(tenant_id)(sql<JobRow>`SELECT ${sql.literal(jobColumns)} FROM footnote.jobs WHERE ${
          sql.and([
            ...matching(tenant_id, filter),
            // An export's moment is told in milliseconds and kept in microseconds.
            sql`finished_at < ${created_at}::timestamptz + interval '1 millisecond'`,
            ...(last === undefined ? [] : [
              sql`(finished_at, id) > (SELECT finished_at, id FROM footnote.jobs WHERE id = ${last})`
            ])
          ])
        } ORDER BY finished_at, id LIMIT ${batch}`)
      return Stream.paginate(
        after,
        (last) =>
          Effect.flatMap(next(last), (rows) =>
            Effect.map(
              Effect.forEach(rows, toRecord),
              (records) => [records, rows.length < batch ? Option.none() : Option.some(rows.at(-1)!.id)] as const
            ))
      ).pipe(
        Stream.mapEffect((record) =>
          Effect.map(expand(record, include), (job): ExportLine => ({ cursor: cursorAfter(record.id), job }))
        ),
        Stream.filterEffect(stands),
        Stream.provideService(CurrentTenant, tenant)
      )
    })
  })
})
