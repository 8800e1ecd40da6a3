import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, Schedule, Schema } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Ownership from "./Ownership.ts"
import * as Logins from "./PostgresLogins.ts"
import * as Postmaster from "./Postmaster.ts"

/** The private PostgreSQL cannot run here; `message` says what to do about it. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  message: Schema.String
}) {}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** For tests: no fsync, and the folder is removed when the server stops. */
  readonly ephemeral?: boolean
  /** 200 unless told. */
  readonly max_connections?: number
}

/**
 * A private PostgreSQL in a folder, reached over a Unix socket only. The first process that asks starts it and stops it;
 * further ones join, and one of them takes over when the owner is gone. It never outlives its owner by two seconds: after
 * `kill -9` of the owner the kernel and a guard process shut it down. Killed itself, it is started again within a second.
 */
export class EmbeddedPostgres extends Context.Service<EmbeddedPostgres, {
  /**
   * libpq form, `postgres:///db?host=/socket/folder&user=…&password=…`: what `DATABASE_URL` of another process may hold. The
   * login of the service, which can do nothing but take on its roles.
   */
  readonly url: Redacted.Redacted
  /** The login that owns the tables, for `DATABASE_OWNER_URL`. */
  readonly owner_url: Redacted.Redacted
  readonly started: "initialised" | "started" | "adopted" | "joined"
}>()("footnote/database/EmbeddedPostgres") {
  static readonly layer = (options: EmbeddedPostgresOptions) => Layer.effect(EmbeddedPostgres, make(options))
}

/**
 * How long a start goes on where nobody runs a server. After a kill on a busy disk PostgreSQL synced its files for 59 s before
 * it recovered; a limit for the whole start made 2 of 233 fail.
 */
const SECONDS_WITHOUT_A_SERVER = 60

/**
 * How long a server may take to shut down, or neither recover nor serve, before its owner makes it stop at once, which costs the next
 * start a recovery and loses nothing. PostgreSQL 18.4 that is told to shut down while it recovers from a killed session waits for ever, and
 * so does one whose recovering process is killed: seen after some 470 random kills, for 90 minutes, until this was mended.
 */
const SECONDS_TO_HANG = 10

/** Whoever started the server before has not made its logins yet, or was of a version that makes none. */
class LoginsMissing extends Schema.TaggedError<LoginsMissing>()("LoginsMissing", {}) {}

const refuse = (error: unknown) =>
  new EmbeddedPostgresError({ message: error instanceof Error ? error.message : String(error) })

const make = Effect.fnUntraced(function*(options: EmbeddedPostgresOptions) {
  const { ephemeral = false, max_connections } = options
  const dataDir = path.resolve(options.dataDir)
  const server = yield* Effect.tryPromise({
    try: () => Postmaster.locate(dataDir, ephemeral, max_connections),
    catch: refuse
  })

  const url = Effect.fnUntraced(function*(login: "app" | "owner") {
    const url = Logins.made(server) ? Logins.urlOf(server, login) : undefined
    return url === undefined ? yield* new LoginsMissing() : Redacted.make(url)
  })
  fs.mkdirSync(path.dirname(dataDir), { recursive: true, mode: 0o700 })

  /** Answers queries, not only the socket: recovery after a crash may take a while. */
  const ready = Effect.scoped(Effect.gen(function*() {
    const connection = yield* PgConnection.make({ url: yield* url("app"), connectTimeout: "2 seconds" })
    yield* connection.query("select 1", [])
  }))

  let owner = false
  let started: "initialised" | "started" | "adopted" | "joined" = "joined"
  let pid: number | undefined
  let endGuard: (() => void) | undefined

  const start = Effect.gen(function*() {
    endGuard?.()
    pid = yield* Effect.try({ try: () => Postmaster.start(server), catch: refuse })
    endGuard = Postmaster.guard(server, pid)
  })

  // Registered before anything is started, so that an interrupted start is cleaned up as well.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      if (!owner) return
      endGuard?.()
      if (pid !== undefined) yield* Effect.promise(() => Postmaster.stop(pid!))
      Ownership.release(dataDir)
      if (ephemeral) Postmaster.remove(server)
    })
  )

  const takeOver = Effect.gen(function*() {
    pid = yield* Effect.tryPromise({ try: () => Postmaster.running(server), catch: refuse })
    // Of an earlier version, which lets everybody in.
    if (pid !== undefined && !Logins.made(server)) {
      yield* Effect.promise(() => Postmaster.stop(pid!))
      pid = undefined
    }
    if (pid !== undefined) {
      started = "adopted"
      endGuard = Postmaster.guard(server, pid)
      return
    }
    started = fs.existsSync(path.join(dataDir, "PG_VERSION")) ? "started" : "initialised"
    if (started === "initialised") {
      yield* Effect.tryPromise({ try: () => Postmaster.initialise(server), catch: refuse })
    }
    if (!Logins.made(server)) yield* Effect.tryPromise({ try: () => Logins.make(server), catch: refuse })
    yield* start
  })

  const attempt = Effect.gen(function*() {
    owner ||= Ownership.claim(dataDir)
    if (owner && pid === undefined) yield* takeOver
    if (pid !== undefined && !Postmaster.alive(pid)) {
      // The guard of the owner before may have been on its way to shut it down, or its sessions to end.
      if (started === "adopted" || Postmaster.wasInTheWay(server)) {
        yield* Effect.promise(() => Postmaster.running(server))
        yield* start
      } else {
        return yield* new EmbeddedPostgresError({
          message: `PostgreSQL ended at once: ${Postmaster.lastWords(server)}`
        })
      }
    }
    yield* ready
  })

  const hungIn = (running: number): string | undefined =>
    Postmaster.isStopping(server)
      ? "has been shutting down"
      : Postmaster.hasStalled(running)
      ? "has neither recovered nor served"
      : undefined

  const endHung = Effect.gen(function*() {
    for (let hanging = 0;;) {
      yield* Effect.sleep("1 second")
      const running = owner ? Postmaster.present(server) : undefined
      const hung = running === undefined ? undefined : hungIn(running)
      hanging = hung === undefined ? 0 : hanging + 1
      if (running === undefined || hanging < SECONDS_TO_HANG) continue
      yield* Effect.logWarning(
        `PostgreSQL (pid ${running}) ${hung} for ${hanging} s; it is stopped at once and started again`
      )
      Postmaster.stopAtOnce(running)
      hanging = 0
    }
  })
  yield* Effect.forkScoped(endHung)

  /** Counts only the seconds in which no server of the folder runs: one that recovers needs as long as the disk does. */
  const givenUp = Effect.gen(function*() {
    let without = 0
    for (let waited = 1; without < SECONDS_WITHOUT_A_SERVER; waited++) {
      yield* Effect.sleep("1 second")
      without = Logins.made(server) && Postmaster.present(server) !== undefined ? 0 : without + 1
      if (without === 0 && waited % 30 === 0) {
        yield* Effect.logWarning(
          `PostgreSQL runs and has taken no query for ${waited} s, as while it recovers or shuts down; this waits until it does. See ${server.log}`
        )
      }
    }
    return yield* new EmbeddedPostgresError({
      message: `PostgreSQL did not start, or a process of an earlier version still runs it; see ${server.log}`
    })
  })

  yield* attempt.pipe(
    Effect.retry({ schedule: Schedule.spaced("25 millis"), while: (error) => error._tag !== "EmbeddedPostgresError" }),
    Effect.catchTags({ SqlError: refuse, LoginsMissing: refuse }),
    Effect.raceFirst(givenUp)
  )

  /** A server that was killed is started again; until it has recovered, everyone who asks it tries again anyway. */
  const revive = Effect.gen(function*() {
    if (pid !== undefined && Postmaster.alive(pid)) return
    if (pid === undefined) {
      owner ||= Ownership.claim(dataDir)
      if (!owner) return
      yield* Effect.logWarning("The process that ran PostgreSQL is gone; this one runs it from now on")
      return yield* takeOver
    }
    yield* Effect.logWarning("PostgreSQL is gone and is started again")
    yield* Effect.promise(() => Postmaster.running(server))
    yield* start
  }).pipe(Effect.ignore)
  yield* Effect.forkScoped(Effect.repeat(revive, Schedule.spaced("500 millis")))
  return EmbeddedPostgres.of({
    url: yield* Effect.mapError(url("app"), refuse),
    owner_url: yield* Effect.mapError(url("owner"), refuse),
    started
  })
})
