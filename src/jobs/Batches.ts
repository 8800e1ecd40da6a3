import { Context, Effect, Layer, Schema } from "effect"
import { toPage } from "../database/Page.ts"
import { dieOnSqlError, tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, newId } from "../identity/Id.ts"
import { BatchEnds } from "./engine/BatchEnds.ts"
import { type BatchDetails, BatchNotFound, type BatchRecord, BatchRefusal } from "./model/Batch.ts"
import { batchColumns, batchGroup, batchItems, BatchRow, toBatch } from "./model/BatchRow.ts"

const ClosedRow = Schema.Struct({
  closed: Schema.Boolean
})

/** What became of an item. */
export const JudgedItem = Schema.Union([
  Schema.Struct({ item: Schema.Int, job_id: Schema.String, refusal: Schema.Null }),
  Schema.Struct({ item: Schema.Int, job_id: Schema.Null, refusal: BatchRefusal })
])
export type JudgedItem = typeof JudgedItem.Type

interface PageOf {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The tenant's batches. An unknown id, a malformed one and another tenant's are the same `BATCH_NOT_FOUND`. */
export class Batches extends Context.Service<Batches, {
  /** Made before its items are judged; an idempotency key is remembered with it. */
  readonly open: (size: number) => Effect.Effect<{ readonly id: string }, never, CurrentTenant>
  /** Keeps what became of an item, unless that is known already: then answers what is known. */
  readonly judge: (batch_id: string, judged: JudgedItem) => Effect.Effect<JudgedItem | undefined, never, CurrentTenant>
  /** What is known of an item that somebody has judged. */
  readonly known: (batch_id: string, item: number) => Effect.Effect<JudgedItem, never, CurrentTenant>
  /** What is known of its items, and whether more of them can come. */
  readonly judged: (batch_id: string) => Effect.Effect<
    { readonly closed: boolean; readonly items: ReadonlyMap<number, JudgedItem> },
    never,
    CurrentTenant
  >
  /** No item comes to it any more: it is completed with its last job, or now where none is at work. */
  readonly close: (batch_id: string) => Effect.Effect<void>
  readonly get: (id: string) => Effect.Effect<BatchDetails, BatchNotFound, CurrentTenant>
  /** Newest first. */
  readonly list: (page: PageOf) => Effect.Effect<
    { readonly data: ReadonlyArray<BatchRecord>; readonly next_cursor: string | null },
    never,
    CurrentTenant
  >
}>()("footnote/jobs/Batches") {
  static readonly layer = Layer.effect(Batches, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const { inTenant, sql } = yield* TenantSql
  const ends = yield* BatchEnds

  const rows = Effect.fnUntraced(
    function*(where: { readonly id?: string; readonly before?: string | undefined }, limit: number) {
      const { tenant_id } = yield* CurrentTenant
      const { before, id } = where
      return yield* tenantRowsOf(BatchRow)(
        inTenant(tenant_id)(sql`
      SELECT ${sql.literal(batchColumns)} FROM (
        SELECT * FROM footnote.batches WHERE ${
          sql.and([
            sql`tenant_id = ${tenant_id}`,
            ...(id === undefined ? [] : [sql`id = ${id}`]),
            ...(before === undefined ? [] : [sql`id < ${before}`])
          ])
        } ORDER BY id DESC LIMIT ${limit}) b ${sql.literal(batchItems)}
      GROUP BY ${sql.literal(batchGroup)} ORDER BY b.id DESC`)
      )
    }
  )

  const itemsOf = Effect.fnUntraced(function*(batch_id: string, item?: number) {
    const { tenant_id } = yield* CurrentTenant
    const which = item === undefined ? sql`` : sql`AND item = ${item}`
    return yield* tenantRowsOf(JudgedItem)(
      inTenant(tenant_id)(sql`
      SELECT item, job_id, refusal FROM footnote.batch_items
      WHERE batch_id = ${batch_id} AND tenant_id = ${tenant_id} ${which} ORDER BY item`)
    )
  })

  const known = Effect.fnUntraced(function*(batch_id: string, item: number) {
    const [judged] = yield* itemsOf(batch_id, item)
    return judged ?? (yield* Effect.die(new Error(`Nobody has judged item ${item} of ${batch_id}`)))
  })

  return Batches.of({
    open: Effect.fn("Batches.open")(function*(size) {
      const { tenant_id } = yield* CurrentTenant
      const id = yield* newId("bat")
      return yield* inTenant(tenant_id)(remembered(
        sql,
        Effect.as(sql`INSERT INTO footnote.batches (id, tenant_id, size) VALUES (${id}, ${tenant_id}, ${size})`, { id })
      ))
    }),
    judge: Effect.fn("Batches.judge")(function*(batch_id, { item, job_id, refusal }) {
      const { tenant_id } = yield* CurrentTenant
      const kept = yield* inTenant(tenant_id)(sql`
        INSERT INTO footnote.batch_items (batch_id, item, tenant_id, job_id, refusal)
        VALUES (${batch_id}, ${item}, ${tenant_id}, ${job_id}, ${refusal && JSON.stringify(refusal)}::json)
        ON CONFLICT (batch_id, item) DO NOTHING RETURNING item`)
      return kept.length > 0 ? undefined : yield* known(batch_id, item)
    }),
    known: Effect.fn("Batches.known")(known),
    judged: Effect.fn("Batches.judged")(function*(batch_id) {
      const { tenant_id } = yield* CurrentTenant
      const [batch] = yield* tenantRowsOf(ClosedRow)(
        inTenant(tenant_id)(sql`
        SELECT closed_at IS NOT NULL AS closed FROM footnote.batches WHERE id = ${batch_id} AND tenant_id = ${tenant_id}`)
      )
      return {
        closed: batch?.closed === true,
        items: new Map((yield* itemsOf(batch_id)).map((judged) => [judged.item, judged]))
      }
    }),
    close: (batch_id) => dieOnSqlError(ends.close(batch_id)),
    get: Effect.fn("Batches.get")(function*(id) {
      const [row] = isId("bat", id) ? yield* rows({ id }, 1) : []
      if (row === undefined) return yield* new BatchNotFound()
      const items = (yield* itemsOf(id)).map(({ item, job_id, refusal }) => ({
        item,
        job_id,
        error: refusal?.error ?? null
      }))
      return { ...toBatch(row), items }
    }),
    list: Effect.fn("Batches.list")(function*({ cursor, limit }) {
      return toPage((yield* rows({ before: cursor }, limit + 1)).map(toBatch), limit)
    })
  })
})
