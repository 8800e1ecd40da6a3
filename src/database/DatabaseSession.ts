import { PgClient, type PgPool } from "@effect/sql-pg"
import { Context, Effect, Redacted, Schema } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import * as net from "node:net"
import type { Duplex } from "node:stream"
import { roles } from "./Roles.ts"

export interface SessionLimit {
  /** The server ends a statement that takes longer. */
  readonly statement_seconds: number
  /** A session on which nothing moves for so long is cut. Longer than a statement may take, and than an idle session is kept. */
  readonly silence_seconds: number
}

/** Of the two kinds of sessions. What moves jobs has long sweeps; for what answers a tenant somebody waits. */
export const SessionLimits = Context.Reference<{ readonly engine: SessionLimit; readonly tenant: SessionLimit }>(
  "footnote/database/DatabaseSession/SessionLimits",
  {
    defaultValue: () => ({
      engine: { statement_seconds: 30, silence_seconds: 40 },
      tenant: { statement_seconds: 10, silence_seconds: 20 }
    })
  }
)

/**
 * What the server is told of each session. Without it the backend of a client whose machine lost power keeps its row locks
 * and advisory locks until the kernel gives up: two hours idle, 15 minutes with an unread answer. With it a silent peer is
 * found after 5 s, given up after three questions 2 s apart, and a running statement looks once a second. A transaction
 * in which nobody says anything for 10 s belongs to a process that was stopped. On a Unix socket those of TCP mean nothing.
 */
export const sessionSettings = (
  role: string,
  { statement_seconds }: SessionLimit
): Readonly<Record<string, string>> => ({
  role,
  statement_timeout: `${statement_seconds * 1000}ms`,
  idle_in_transaction_session_timeout: "10s",
  client_connection_check_interval: "1s",
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "2",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "10s"
})

const text = (value: string | null) => value === null || value === "" ? undefined : value

/** Where the address leads, as libpq reads it: a host that begins with a slash is the folder of a Unix socket. */
const placeOf = (url: Redacted.Redacted): net.NetConnectOpts => {
  const { hostname, port: written, searchParams } = new URL(Redacted.value(url))
  const host = text(searchParams.get("host"))
    ?? (hostname.startsWith("[") ? hostname.slice(1, -1) : text(decodeURIComponent(hostname)))
    ?? "localhost"
  const port = Number(text(searchParams.get("port")) ?? text(written) ?? 5432)
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 5000
  }
}

/**
 * A session that fails with a connection error instead of waiting for ever: for a server that accepts and never answers,
 * answers half, or is gone without a word. The pool drops idle sessions first, so only one that waits for an answer, or a
 * listener that hears nothing, is cut. The address has to be one that the client itself can read.
 */
const openStream = (url: Redacted.Redacted, { silence_seconds }: SessionLimit) => (): Duplex => {
  const socket = net.connect(placeOf(url))
  socket.setTimeout(
    silence_seconds * 1000,
    () => socket.destroy(new Error(`The database has said nothing for ${silence_seconds} s`))
  )
  return socket
}

/** What a pool opens its sessions with, in this role and within this limit. It drops those that nobody used in 8 to 16 s. */
export const sessionConfig = (url: Redacted.Redacted, role: string, limit: SessionLimit) =>
  ({
    url,
    stream: openStream(url, limit),
    startupParameters: sessionSettings(role, limit),
    idleTimeout: "8 seconds"
  }) satisfies PgPool.Config

/** What is behind the address is no PostgreSQL of this process's own; `message` says how that shows and what to do. */
class DatabasePooled extends Schema.TaggedError<DatabasePooled>()("DatabasePooled", {
  message: Schema.String
}) {}

const pooled = (how: string) =>
  new DatabasePooled({
    message: `DATABASE_URL leads to a pooler that ${how}. The service needs sessions of its own: roles, LISTEN and `
      + "advisory locks live in them. Give DATABASE_URL the address of PostgreSQL itself, not of PgBouncer; each process "
      + "has a pool of its own (docs/deployment.md, \"PostgreSQL\")."
  })

/** What PgBouncer says of the first setting that it would have to pass on. */
const refusal = /unsupported startup parameter/u

const words = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${words(error.cause)}` : JSON.stringify(error) ?? ""

const look = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const [first, second] = yield* Effect.all([sql.reserve, sql.reserve])
  const text = "SELECT pg_backend_pid(), current_user::text"
  const [[one], [two]] = [yield* first.executeValues(text, []), yield* second.executeValues(text, [])]
  if (one![0] === two![0]) return yield* pooled("hands one session of the server to several clients (transaction mode)")
  if (one![1] !== roles.engine) return yield* pooled("drops the settings that a session begins with (role)")
}).pipe(Effect.scoped)

/**
 * Fails where two sessions of this process are one of the server's, or a session is not what it was opened as. Whatever else
 * keeps it from looking, such as a role or a server that is not there, is the next check's to tell.
 */
export const checkPooling = (url: Redacted.Redacted) =>
  look.pipe(
    Effect.provide(PgClient.layer({
      url,
      applicationName: "footnote pooling check",
      maxConnections: 2,
      keepAlive: "10 seconds",
      startupParameters: { role: roles.engine }
    })),
    Effect.catchIf(isSqlError, (error) =>
      refusal.test(words(error)) ? pooled("refuses the settings that a session begins with (role)") : Effect.void)
  )
