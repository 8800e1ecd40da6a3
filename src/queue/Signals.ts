import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, PubSub, Queue, Random, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { SessionLimits } from "../database/DatabaseSession.ts"
import type { JobId } from "../identity/Id.ts"
import { tolerated } from "../observability/Tolerated.ts"
import { type Pool, pools } from "../processes/Pools.ts"
import { listenerRetries } from "../retries/RetryPolicy.ts"

/** What processes tell one another. `reconnected`: anything may have been missed, look again. */
export type Signal =
  | { readonly kind: "tasks"; readonly pools: ReadonlyArray<Pool> }
  | { readonly kind: "stop"; readonly job_id: JobId }
  | { readonly kind: "changed"; readonly job_ids: ReadonlySet<string> }
  | { readonly kind: "reconnected" }

/**
 * Wakes waiting processes over one NOTIFY channel. A signal is a hint: it may be lost with a connection, so whoever
 * waits for one also looks once a second.
 */
export class Signals extends Context.Service<Signals, {
  /** Tasks were added. Sent after the surrounding transaction commits, together with those of the same 4 ms. */
  readonly tasks: (pool: Pool) => Effect.Effect<void>
  /** A job changed; as `tasks`. */
  readonly changed: (job_id: JobId) => Effect.Effect<void>
  /** Work on this job has to stop. Rare enough to be part of the transaction. */
  readonly stop: (job_id: JobId) => Effect.Effect<void, SqlError>
  readonly subscribe: Effect.Effect<PubSub.Subscription<Signal>, never, Scope.Scope>
}>()("footnote/queue/Signals") {
  static readonly layer = Layer.effect(Signals, Effect.suspend(() => make))
}

const channel = "footnote"
/** Of no meaning but that it is heard; what an earlier version takes for a reason to look again. */
const quiet = "q:"
/** PostgreSQL takes 8,000 bytes per message; a job id has 30. */
const idsPerMessage = 200

const make = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const heard = yield* PubSub.unbounded<Signal>()
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const { engine } = yield* SessionLimits

  // A NOTIFY inside a writing transaction takes a database-wide lock until the commit: 4,200 → 990 commits/s at 8
  // clients. Sent afterwards and for several transactions at once it costs nothing.
  const awake = new Set<Pool>()
  const jobs = new Set<string>()
  let armed = false
  const flush = Effect.gen(function*() {
    yield* Effect.sleep("4 millis")
    armed = false
    const ids = [...jobs]
    const messages = awake.size === 0 ? [] : [`w:${[...awake].join(",")}`]
    for (let at = 0; at < ids.length; at += idsPerMessage) {
      messages.push(`j:${ids.slice(at, at + idsPerMessage).join(",")}`)
    }
    awake.clear()
    jobs.clear()
    yield* Effect.forEach(messages, (message) => sql.notify(channel, message), { discard: true })
  }).pipe(tolerated("Waking workers and watchers", "they look by themselves within a second"))
  const arm = () => {
    if (armed) return
    armed = true
    fork(flush)
  }

  // A session on which nothing moves is cut, and in a deployment without work no listener hears anything. Whoever has heard
  // nothing for the longest says so, and that is heard by all.
  const quietMillis = engine.silence_seconds * 1000 * (yield* Random.nextBetween(0.3, 0.6))
  const listen = Effect.scoped(Effect.gen(function*() {
    const inbox = yield* sql.listen(channel)
    yield* PubSub.publish(heard, { kind: "reconnected" })
    const hear = Queue.take(inbox).pipe(
      Effect.timeoutOption(quietMillis),
      Effect.flatMap(Option.match({
        onNone: () => sql.notify(channel, quiet),
        onSome: ({ payload }) => payload === quiet ? Effect.void : PubSub.publish(heard, parse(payload))
      }))
    )
    return yield* Effect.forever(hear)
  }))
  yield* Effect.forkScoped(
    listen.pipe(
      tolerated("Listening for signals", `connected again in ${listenerRetries.every_ms} ms`),
      Effect.repeat(Schedule.spaced(`${listenerRetries.every_ms} millis`))
    )
  )

  return Signals.of({
    tasks: (pool) =>
      sql.afterCommit(Effect.sync(() => {
        awake.add(pool)
        arm()
      })),
    changed: (job_id) =>
      sql.afterCommit(Effect.sync(() => {
        jobs.add(job_id)
        arm()
      })),
    stop: (job_id) => Effect.asVoid(sql`SELECT pg_notify(${channel}, ${`c:${job_id}`})`.unprepared),
    subscribe: PubSub.subscribe(heard)
  })
})

const parse = (payload: string): Signal => {
  const words = payload.slice(2).split(",")
  switch (payload.slice(0, 2)) {
    case "w:":
      return { kind: "tasks", pools: pools.filter((pool) => words.includes(pool)) }
    case "c:":
      return { kind: "stop", job_id: words[0]! as JobId }
    case "j:":
      return { kind: "changed", job_ids: new Set(words) }
    default:
      return { kind: "reconnected" }
  }
}
