import type { PgPool } from "@effect/sql-pg"
import { Context, Redacted } from "effect"
import * as net from "node:net"
import type { Duplex } from "node:stream"

export interface SessionLimit {
  /** The server ends a statement that takes longer. */
  readonly statement_seconds: number
  /** A session on which nothing moves for so long is cut. Longer than a statement may take, and than an idle session is kept. */
  readonly silence_seconds: number
}

/** Of the two kinds of sessions. What moves jobs has long sweeps; for what answers a tenant somebody waits. */
export const SessionLimits = Context.Reference<{ readonly engine: SessionLimit; readonly tenant: SessionLimit }>(
  "footnote/database/Session/SessionLimits",
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
