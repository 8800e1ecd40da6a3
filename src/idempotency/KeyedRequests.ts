import { Clock, Context, DateTime, Effect, Layer, Option, type Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { canonicalSha256 } from "../crypto/CanonicalJson.ts"
import type { SealedPlace } from "../crypto/SealedEnvelope.ts"
import { Sealing } from "../crypto/Sealing.ts"
import { advisoryLocks } from "../database/AdvisoryLocks.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import type { TenantId } from "../identity/Id.ts"
import {
  IdempotencyKeyConflict,
  IdempotencyKeyInvalid,
  IdempotencyKeyOrphaned,
  isIdempotencyKey,
  type KeyRefusal,
  lifetimeMillis,
  storedKey
} from "./IdempotencyKey.ts"

/** One use of a caller's key. Keys of two operations are two keys. */
export interface KeyedRequest<A, E = never, R = never> {
  readonly operation: string
  /** None: `make` runs as it is. */
  readonly key: string | undefined
  /** What is asked for, the ids of the path included; run once, and after `make` where that runs. */
  readonly asked: Effect.Effect<Schema.Json, E, R>
  /** The id by which `alive` knows what was made. */
  readonly idOf: (answer: A) => string
  /** Whether what an earlier use made is still there. */
  readonly alive: (id: string) => Effect.Effect<boolean, never, CurrentTenant>
}

export interface KeyedAnswer<A> {
  readonly answer: A
  /** An earlier use has made it: this is what was told then. */
  readonly replayed: boolean
}

interface Use {
  readonly tenant_id: TenantId
  readonly key: string
  readonly reserve: (
    answer: unknown
  ) => Effect.Effect<Record<"id" | "made_id", string> & Record<"body_sha256" | "answer", Uint8Array>>
  reserved: boolean
}

/** Another request with the key was first; ends the transaction of this one. */
const UsedMeanwhile = Symbol("footnote/idempotency/KeyedRequests/UsedMeanwhile")

const CurrentUse = Context.Reference<Use | undefined>("footnote/idempotency/KeyedRequests/CurrentUse", {
  defaultValue: () => undefined
})

const placeOf = (tenant_id: TenantId, row_id: string): SealedPlace => ({
  tenant_id,
  table: "idempotency_keys",
  row_id,
  field: "answer"
})

/**
 * What makes something, to be run inside the transaction that makes it: under a key, that transaction also remembers the
 * answer, so that a crash leaves both or neither. Of two uses at one moment the second waits here and makes nothing.
 */
export const remembered = <A, E, R>(sql: SqlClient.SqlClient, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const use = yield* CurrentUse
    if (use === undefined) return yield* work
    const { key, tenant_id } = use
    yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.idempotencyKey}, hashtext(${`${tenant_id} ${key}`}))`
    const now = yield* DateTime.now
    const oldest = DateTime.toDateUtc(DateTime.subtract(now, { milliseconds: lifetimeMillis }))
    const others = yield* sql`SELECT FROM footnote.idempotency_keys
      WHERE tenant_id = ${tenant_id} AND key = ${key} AND created_at > ${oldest}`
    // A defect, because each service between would else name it among its failures; it never leaves `once`.
    if (others.length > 0) return yield* Effect.die(UsedMeanwhile)
    const answer = yield* work
    const row = yield* use.reserve(answer)
    yield* sql`INSERT INTO footnote.idempotency_keys ${
      sql.insert({ ...row, tenant_id, key, created_at: DateTime.toDateUtc(now) })
    }
      ON CONFLICT (tenant_id, key) DO UPDATE SET id = excluded.id, body_sha256 = excluded.body_sha256,
        made_id = excluded.made_id, answer = excluded.answer, created_at = excluded.created_at`
    use.reserved = true
    return answer
  })

interface Row {
  readonly id: string
  readonly body_sha256: Uint8Array
  readonly made_id: string
  readonly answer: Uint8Array
  readonly created_at: Date
}

/**
 * Requests that may be sent again: what one makes under a key, another with the same key, operation and body within 24 hours
 * is told as the first was, secrets included, and makes nothing. Answers are sealed for as long as they are kept.
 */
export class KeyedRequests extends Context.Service<KeyedRequests, {
  /**
   * `make` runs at most once to its end for a key; it must pass through `remembered`, and a failure leaves the key free. A key
   * whose thing is gone is told as orphaned once and is then free.
   */
  readonly once: <A, E, R, E2 = never, R2 = never>(
    request: KeyedRequest<A, E2, R2>,
    make: Effect.Effect<A, E, R>
  ) => Effect.Effect<KeyedAnswer<A>, E | E2 | KeyRefusal, R | R2 | CurrentTenant>
  /**
   * `once` for work that leaves nothing behind, or that may be done twice: its answer is remembered when it has ended, without a
   * transaction around it. Of uses at the same moment each may run it; all are told the answer of one. A failure leaves the key free.
   */
  readonly told: <A, E, R, E2 = never, R2 = never>(
    request: KeyedRequest<A, E2, R2>,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<KeyedAnswer<A>, E | E2 | KeyRefusal, R | R2 | CurrentTenant>
}>()("footnote/idempotency/KeyedRequests") {
  static readonly layer = Layer.effect(KeyedRequests, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const { inTenant, sql } = yield* TenantSql
  const sealing = yield* Sealing

  const find = Effect.fnUntraced(function*(tenant_id: TenantId, key: string) {
    const [row] = yield* inTenant(tenant_id)(sql<Row>`
      SELECT id, body_sha256, made_id, answer, created_at FROM footnote.idempotency_keys
      WHERE tenant_id = ${tenant_id} AND key = ${key}`)
    if (row === undefined) return undefined
    return row.created_at.getTime() + lifetimeMillis > (yield* Clock.currentTimeMillis) ? row : undefined
  })

  const forget = (tenant_id: TenantId, { id }: Row) =>
    Effect.map(
      inTenant(tenant_id)(sql`DELETE FROM footnote.idempotency_keys
        WHERE tenant_id = ${tenant_id} AND id = ${id} RETURNING id`),
      (rows) => rows.length > 0
    )

  const once = Effect.fn("KeyedRequests.once")(function*<A, E, R, E2, R2>(
    { alive, asked, idOf, key: given, operation }: KeyedRequest<A, E2, R2>,
    work: Effect.Effect<A, E, R>
  ) {
    if (given === undefined) return { answer: yield* work, replayed: false }
    if (!isIdempotencyKey(given)) return yield* new IdempotencyKeyInvalid()
    const { tenant_id } = yield* CurrentTenant
    const key = storedKey(operation, given)
    const body_sha256 = yield* Effect.cached(Effect.map(asked, canonicalSha256))
    const context = yield* Effect.context<R2>()
    for (;;) {
      const row = yield* find(tenant_id, key)
      if (row !== undefined) {
        if (Buffer.compare(yield* body_sha256, row.body_sha256) !== 0) return yield* new IdempotencyKeyConflict()
        if (yield* alive(row.made_id)) {
          const text = yield* Effect.orDie(sealing.open(row.answer, placeOf(tenant_id, row.id)))
          return { answer: JSON.parse(text) as A, replayed: true }
        }
        // One request is told; whoever saw the same orphan meanwhile makes it anew.
        if (yield* forget(tenant_id, row)) return yield* new IdempotencyKeyOrphaned()
        continue
      }
      const use: Use = {
        tenant_id,
        key,
        reserved: false,
        reserve: (answer) => {
          const id = randomUUID()
          const sealed = sealing.seal(JSON.stringify(answer), placeOf(tenant_id, id))
          // What was asked for could be read to its end, or nothing would have been made of it.
          return Effect.orDie(body_sha256).pipe(
            Effect.map((body_sha256) => ({ id, body_sha256, made_id: idOf(answer as A), answer: sealed })),
            Effect.provideContext(context)
          )
        }
      }
      const made = yield* Effect.provideService(work, CurrentUse, use).pipe(
        Effect.asSome,
        Effect.catchDefect((defect) => defect === UsedMeanwhile ? Effect.succeedNone : Effect.die(defect))
      )
      if (Option.isNone(made)) continue
      if (!use.reserved) return yield* Effect.die(new Error(`${operation} remembers no answer`))
      return { answer: made.value, replayed: false }
    }
  })

  const told = <A, E, R, E2, R2>(request: KeyedRequest<A, E2, R2>, work: Effect.Effect<A, E, R>) =>
    once(
      request,
      request.key === undefined ? work : Effect.gen(function*() {
        const { tenant_id } = yield* CurrentTenant
        const answer = yield* work
        return yield* inTenant(tenant_id)(remembered(sql, Effect.succeed(answer)))
      })
    )

  return KeyedRequests.of({ once, told })
})
