import { Cause, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { type Db, PgBoss } from "pg-boss"
import { type SessionLimit, SessionLimits, sessionSettings } from "../database/DatabaseSession.ts"
import { roles } from "../database/Roles.ts"
import { foreignError } from "../observability/ForeignError.ts"
import { engineStart } from "../retries/RetryPolicy.ts"

/**
 * pg-boss on the application's own client: no second pool, and every call joins the transaction that surrounds it. A
 * failure is the `SqlError` that the statement met; anything else pg-boss rejects with is a defect. Calls are not
 * interruptible, because pg-boss would go on sending statements after the transaction was rolled back.
 */
export class Boss extends Context.Service<Boss, {
  readonly use: <A>(work: (boss: PgBoss, db: Db) => Promise<A>) => Effect.Effect<A, SqlError>
}>()("footnote/queue/Boss") {
  static readonly layer = Layer.effect(
    Boss,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // Never prepared: a generic plan cached while a queue was empty made a fetch 65 ms instead of 2.4 ms.
      const dbFor = (run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>): Db => ({
        executeSql: (text, values) =>
          run(Effect.map(
            sql.unsafe(text, values?.map(encode)).unprepared,
            (rows) => ({ rows: rows as Array<unknown> })
          ))
      })
      const boss = yield* open(new PgBoss({ db: dbFor(Effect.runPromise), ...passive }))
      return Boss.of({
        use: (work) =>
          Effect.contextWith((context: Context.Context<never>) =>
            Effect.promise(() => work(boss, dbFor(Effect.runPromiseWith(context)))).pipe(
              Effect.catchDefect((defect) => isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)),
              Effect.uninterruptible
            )
          )
      })
    })
  )

  /**
   * pg-boss's own maintenance: expires leases without a heartbeat, retires old rows. It sends several statements in one
   * message, which only node-postgres does, hence two connections of its own. pg-boss elects one supervisor at a time.
   */
  static readonly layerSupervisor = (url: Redacted.Redacted) =>
    Layer.effectDiscard(Effect.flatMap(SessionLimits, ({ engine }) =>
      open(
        new PgBoss({
          ...passive,
          connectionString: asEngine(Redacted.value(url), engine),
          application_name: "footnote queue supervisor",
          supervise: true,
          max: 2,
          // Of a server that accepts and never answers; the session's own limits are in its address.
          ...unanswered(engine),
          superviseIntervalSeconds: 1,
          monitorIntervalSeconds: 2
        })
      )))
}

/** The sessions of this package's own driver are the engine's as well, whatever options the address has already. */
const asEngine = (address: string, limit: SessionLimit): string => {
  const url = new URL(address)
  const settings = Object.entries(sessionSettings(roles.engine, limit)).map(([name, value]) => `-c ${name}=${value}`)
  url.searchParams.set("options", [url.searchParams.get("options") ?? "", ...settings].join(" ").trim())
  return url.href
}

/** For the driver itself; pg-boss hands it on, though its own types do not name it. */
const unanswered = ({ silence_seconds }: SessionLimit) => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
  query_timeout: silence_seconds * 1000
})

const passive = { migrate: false, schedule: false, supervise: false } as const

const open = (boss: PgBoss) =>
  Effect.acquireRelease(
    Effect.gen(function*() {
      const log = Effect.runForkWith(yield* Effect.context<never>())
      // Without a listener an `error` event would end the process; swallowed, leases would silently never expire.
      boss.on("error", (error) =>
        log(
          Effect.logWarning(
            "The queue engine (pg-boss) met an error; its next run tries again",
            Cause.fail(foreignError(error))
          )
        ))
      yield* Effect.promise(() => boss.start({ attempts: engineStart.attempts }))
      return boss
    }),
    () => Effect.promise(() => boss.stop({ graceful: false }))
  )

/** The client encodes scalars and arrays; an object has to be JSON already. */
const encode = (value: unknown) =>
  value === undefined
    ? null
    : typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? JSON.stringify(value)
    : value
