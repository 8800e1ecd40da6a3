import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Exit, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { TenantId } from "../identity/Id.ts"

type Session = PgConnection.PgConnection
type Result = PgConnection.Result

/** How the statements of a connection reach the server; `prepare` is whether the server may keep their plans. */
interface Sends {
  readonly query: (text: string, params: ReadonlyArray<unknown>, prepare: boolean) => Effect.Effect<Result, SqlError>
  readonly values: (
    text: string,
    params: ReadonlyArray<unknown>,
    prepare: boolean
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError>
  readonly stream: Connection["executeStream"]
}

const connectionOf = ({ query, stream, values }: Sends): Connection => {
  const rows = (text: string, params: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(query(text, params, prepare), (result) => result.rows)
  return {
    execute: (text, params) => rows(text, params, true),
    executeUnprepared: (text, params) => rows(text, params, false),
    executeRaw: (text, params) => query(text, params, true),
    executeValues: (text, params) => values(text, params, true),
    executeValuesUnprepared: (text, params) => values(text, params, false),
    executeStream: stream
  }
}

const direct = (session: Session): Connection =>
  connectionOf({
    query: session.query,
    values: session.queryValues,
    stream: (text, params) => session.stream(text, params)
  })

const setting = "SELECT set_config('footnote.tenant_id', $1, true)"

/**
 * Writes BEGIN, the tenant, the statement and COMMIT at once and then reads the four answers: the server runs them in this
 * order, and whatever becomes of the reader, COMMIT stands behind BEGIN. A session that did not answer all four is not
 * used again.
 */
const within = <A>(
  session: Session,
  tenant_id: TenantId,
  statement: (prepared: boolean) => Effect.Effect<A, SqlError>
): Effect.Effect<A, SqlError> => {
  // Each of these writes when its fiber starts, and they start one after another before any of them waits.
  const attempt = (prepared: boolean) =>
    Effect.all([
      Effect.exit(session.query("BEGIN", [], false)),
      Effect.exit(session.query(setting, [tenant_id], prepared)),
      Effect.exit(statement(prepared)),
      Effect.exit(session.query("COMMIT", [], false))
    ], { concurrency: "unbounded" })

  return Effect.gen(function*() {
    let [begun, named, answer, ended] = yield* attempt(true)
    // Rolled back, so nothing has happened. A plan that the server no longer has is why it can be worth a second time: the
    // driver plans such a statement anew by itself, but then it stands behind COMMIT, where it is nobody's and sees nothing.
    if (Exit.isSuccess(ended) && ended.value.command === "ROLLBACK") {
      ;[begun, named, answer, ended] = yield* attempt(false)
    }
    yield* begun
    yield* named
    const found = yield* answer
    const { command } = yield* ended
    return command === "COMMIT" ? found : yield* Effect.die(new Error(`A tenant's statement ended in ${command}`))
  })
}

/**
 * The tenants' client, and its connections for one statement each. Sessions are lent to one borrower at a time; within
 * `withTransaction` they work as those of any client.
 */
export const makeTenantClient = Effect.fnUntraced(function*(options: PgPool.Config) {
  // Several statements can be on their way on a session, but they are one borrower's.
  const pool = yield* PgPool.make({ ...options, multiplex: true, multiplexConcurrency: 1 })
  const sql = yield* SqlClient.make({
    driver: "@effect/sql-pg",
    acquirer: Effect.map(pool.get, direct),
    borrower: (use) => pool.use((session) => use(direct(session))),
    transactionAcquirer: Effect.map(pool.reserve, direct),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit: (connection) =>
      Effect.flatMap(
        connection.executeRaw("COMMIT", []) as Effect.Effect<Result, SqlError>,
        ({ command }) =>
          command === "COMMIT" ? Effect.void : Effect.die(new Error(`A tenant's transaction ended in ${command}`))
      ),
    spanAttributes: [["db.system.name", "postgresql"]]
  })

  const lent = <A>(tenant_id: TenantId, send: (session: Session, prepared: boolean) => Effect.Effect<A, SqlError>) =>
    pool.use((session) =>
      within(session, tenant_id, (prepared) => send(session, prepared)).pipe(
        Effect.onExit((exit) => Exit.hasInterrupts(exit) ? pool.invalidate(session) : Effect.void)
      )
    )

  /** Runs every statement in a transaction of its own as this tenant, in one round trip. */
  const once = (tenant_id: TenantId): Connection =>
    connectionOf({
      query: (text, params, prepare) =>
        lent(tenant_id, (session, prepared) => session.query(text, params, prepare && prepared)),
      values: (text, params, prepare) =>
        lent(tenant_id, (session, prepared) => session.queryValues(text, params, prepare && prepared)),
      stream: () => Stream.die(new Error("A stream needs a transaction"))
    })

  return { sql, once }
})
