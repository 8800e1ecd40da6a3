import { Deferred, Effect, Exit, PubSub, RcMap, Schema, Stream } from "effect"
import { toInstant } from "../database/Instant.ts"
import { tenantRowsOf } from "../database/Rows.ts"
import type { TenantSql } from "../database/TenantSql.ts"
import { type TenantId } from "../identity/Id.ts"
import type { Signals } from "../queue/Signals.ts"
import { isTerminal, JobEvent, JobStatus } from "./model/Job.ts"

/** An event of the job beside its status; none where there is no later one. */
const EventRow = Schema.Union([
  Schema.Struct({ status: JobStatus, seq: Schema.Null, type: Schema.Null, at: Schema.Null, data: Schema.Null }),
  Schema.Struct({
    status: JobStatus,
    seq: Schema.Int,
    type: JobEvent.fields.type,
    at: Schema.Date,
    data: Schema.Struct({ status: JobEvent.fields.status, progress: JobEvent.fields.progress })
  })
])

/** A job as this process sees it for all who follow it here. */
interface Followed {
  /** Every event so far, by its id. */
  readonly events: Array<JobEvent>
  /** Nothing more will happen: the job is terminal, or gone. */
  over: boolean
  /** Done with the next look that found something; fails with one that could not look. */
  news: Deferred.Deferred<void>
}

/** A page; what is beyond it is read by the look that follows at once. */
const most = 500

/**
 * Follows jobs with one look at the database for each, however many streams and waits of this process follow it: upon its
 * signal, after a second at the latest. A look that fails is a defect of all who wait, and the next is made for whoever comes.
 */
export const makeJobWatch = Effect.fnUntraced(function*(
  { inTenant, sql }: TenantSql["Service"],
  signals: Signals["Service"]
) {
  const rowsAfter = (tenant_id: TenantId, id: string, after: number) =>
    tenantRowsOf(EventRow)(
      inTenant(tenant_id)(sql`
      SELECT j.status, e.seq, e.type, e.at, e.data FROM footnote.jobs j
      LEFT JOIN footnote.job_events e ON e.job_id = j.id AND e.seq > ${after}
      WHERE j.id = ${id} AND j.tenant_id = ${tenant_id} AND j.deleted_at IS NULL ORDER BY e.seq LIMIT ${most}`)
    )

  const follow = Effect.fnUntraced(function*(key: string) {
    const [tenant_id, id] = key.split(" ") as [TenantId, string]
    const heard = yield* signals.subscribe
    const changed = PubSub.take(heard).pipe(
      Effect.repeat({
        until: (signal) => signal.kind === "reconnected" || (signal.kind === "changed" && signal.job_ids.has(id))
      }),
      Effect.timeoutOption("1 second")
    )
    const followed: Followed = { events: [], over: false, news: Deferred.makeUnsafe() }
    const tell = (exit: Exit.Exit<void>) => {
      const { news } = followed
      followed.news = Deferred.makeUnsafe()
      Deferred.doneUnsafe(news, exit)
    }
    const look = Effect.gen(function*() {
      const rows = yield* rowsAfter(tenant_id, id, followed.events.at(-1)?.id ?? 0)
      const events = rows.flatMap(({ at, data, seq, type }): ReadonlyArray<JobEvent> =>
        seq === null ? [] : [{ id: seq, type, at: toInstant(at), status: data.status, progress: data.progress }]
      )
      followed.events.push(...events)
      const [row] = rows
      // Its last event was written in the transaction that made it terminal, so it is among these.
      followed.over = row === undefined || (isTerminal(row.status) && events.length < most)
      if (events.length > 0 || followed.over) tell(Exit.void)
      if (events.length < most && !followed.over) yield* changed
    })
    yield* Effect.forkScoped(
      look.pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.sync(() => tell(Exit.failCause(cause))), Effect.sleep("1 second"))
        ),
        Effect.repeat({ until: () => followed.over })
      )
    )
    return followed
  })

  const jobs = yield* RcMap.make({ lookup: follow })
  const of = (tenant_id: TenantId, id: string) => RcMap.get(jobs, `${tenant_id} ${id}`)

  return {
    /** Ends once the job is terminal or gone. */
    ended: (tenant_id: TenantId, id: string): Effect.Effect<void> =>
      Effect.scoped(Effect.gen(function*() {
        const followed = yield* of(tenant_id, id)
        while (!followed.over) yield* Deferred.await(followed.news)
      })),
    /** Every event after `after`, then new ones as they happen; ends with the last. */
    events: (tenant_id: TenantId, id: string, after: number): Stream.Stream<JobEvent> =>
      Stream.unwrap(Effect.map(of(tenant_id, id), (followed) => {
        let last = after
        return Stream.fromEffectRepeat(Effect.gen(function*() {
          for (;;) {
            const { news, over } = followed
            const events = followed.events.filter((event) => event.id > last)
            if (events.length > 0 || over) {
              last = events.at(-1)?.id ?? last
              return { events, over }
            }
            yield* Deferred.await(news)
          }
        })).pipe(
          Stream.takeUntil((page) => page.over),
          Stream.flatMap((page) => Stream.fromIterable(page.events))
        )
      }))
  }
})
