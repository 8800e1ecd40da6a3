import { PgClient } from "@effect/sql-pg"
import { Effect, Option, Schedule, Schema, Semaphore } from "effect"
import {
  Headers,
  HttpEffect,
  type HttpRouter,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse
} from "effect/http"
import { randomBytes } from "node:crypto"
import { isDatabaseAway } from "../database/DatabaseAway.ts"
import { Internal, InvalidRequest, ServiceUnavailable } from "../errors/RequestErrors.ts"
import type { TenantId } from "../identity/Id.ts"
import { tolerated } from "../observability/Tolerated.ts"
import { retrySoon } from "../web/server/RequestErrors.ts"
import { messageText, withArguments } from "./ToolMessage.ts"

/** A session that nobody used for this long is over; its client begins a new one. */
const idleHours = 24
/** The least recently used ones of a tenant beyond this go. */
const mostOfTenant = 200
/** Sessions that this process holds at once; one that it dropped is made again when it is used. */
const mostHeld = 5000

/** What a client says of itself when it begins one is held in memory as long as the session is. */
const mostInitializeBytes = 16 * 1024

const header = "mcp-session-id"

const Initialize = Schema.fromJsonString(
  Schema.Struct({ method: Schema.Literal("initialize"), params: Schema.Record(Schema.String, Schema.Json) })
)

/**
 * The sessions of protocols before 2026-07-28, which the framework keeps for ever in the memory of one process. Here they
 * are rows: they expire, a tenant has so many, only the tenant that began one can go on with it, and any replica serves it
 * by beginning one of its own with what the client had said. A session that is unknown, over or another tenant's is 404,
 * upon which a client begins a new one.
 */
export const makeToolSessions = Effect.fnUntraced(function*(router: HttpRouter.HttpRouter) {
  // What it fails with is no answer of ours: a defect.
  // @effect-diagnostics-next-line anyUnknownInErrorContext:off
  const transport = Effect.orDie(router.asHttpEffect())
  const sql = yield* PgClient.PgClient
  /** Session → the framework's own in this process, least recently used first. */
  const held = new Map<string, string>()
  /** Of requests that find a session not held, one begins it: the others' would stay with the framework for ever. */
  const reopening = Semaphore.makeUnsafe(1)

  /** A request of our own to the framework; answers the session that it named. */
  const send = Effect.fnUntraced(function*(method: "POST" | "DELETE", headers: Record<string, string>, body?: string) {
    const request = new Request("http://localhost/mcp", {
      method,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      ...(body === undefined ? {} : { body })
    })
    let session: string | undefined
    yield* HttpEffect.toHandled(transport, (_, response) =>
      Effect.sync(() => {
        session = response.headers[header]
      })).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)))
    return session
  })

  const hold = Effect.fnUntraced(function*(session: string, own: string) {
    held.delete(session)
    held.set(session, own)
    const [oldest] = held
    if (held.size <= mostHeld || oldest === undefined) return
    held.delete(oldest[0])
    yield* send("DELETE", { [header]: oldest[1] })
  })

  /** Of a session that is over: the framework forgets it as well, where this process has one of it. */
  const drop = Effect.fnUntraced(function*(session: string) {
    const own = held.get(session)
    held.delete(session)
    if (own !== undefined) yield* send("DELETE", { [header]: own })
  })

  const begin = Effect.fnUntraced(function*(tenant_id: TenantId, params: Schema.Json, own: string) {
    const session = randomBytes(24).toString("base64url")
    yield* sql`INSERT INTO footnote.tool_sessions (id, tenant_id, initialize)
      VALUES (${session}, ${tenant_id}, ${sql.json(params)})`
    const over = yield* sql<
      { readonly id: string }
    >`DELETE FROM footnote.tool_sessions WHERE tenant_id = ${tenant_id} AND id IN (
      SELECT id FROM footnote.tool_sessions WHERE tenant_id = ${tenant_id} ORDER BY seen_at DESC OFFSET ${mostOfTenant})
      RETURNING id`
    for (const { id } of over) yield* drop(id)
    yield* hold(session, own)
    return session
  }, (effect) => Effect.orDie(effect))

  /** The framework's session of this process for a row that is alive. */
  const own = Effect.fnUntraced(function*(tenant_id: TenantId, session: string) {
    const [row] = yield* sql<{ initialize: Schema.Json; stale: boolean }>`
      SELECT initialize, seen_at < now() - interval '1 minute' AS stale FROM footnote.tool_sessions
      WHERE id = ${session} AND tenant_id = ${tenant_id} AND seen_at > now() - make_interval(hours => ${idleHours})`
    if (row === undefined) return undefined
    if (row.stale) yield* sql`UPDATE footnote.tool_sessions SET seen_at = now() WHERE id = ${session}`
    const again = Effect.suspend(() => {
      const other = held.get(session)
      const message = { jsonrpc: "2.0", id: 0, method: "initialize", params: row.initialize }
      return other === undefined ? send("POST", {}, JSON.stringify(message)) : Effect.succeed(other)
    })
    const reopened = Effect.tap(again, (mine) => mine === undefined ? Effect.void : hold(session, mine))
    const mine = held.get(session)
    if (mine === undefined) return yield* reopening.withPermits(1)(reopened)
    yield* hold(session, mine)
    return mine
  }, (effect) => Effect.orDie(effect))

  const end = (session: string) => {
    held.delete(session)
    return Effect.orDie(sql`DELETE FROM footnote.tool_sessions WHERE id = ${session}`)
  }

  /** What clients of these protocols know as the end of a session. */
  const unknown = HttpServerResponse.jsonUnsafe(
    { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found; begin a new one" } },
    { status: 404 }
  )

  const sweep = sql`DELETE FROM footnote.tool_sessions WHERE seen_at < now() - make_interval(hours => ${idleHours})`
  yield* Effect.forkScoped(
    sweep.pipe(
      tolerated("The sweep of idle tool sessions", "tried again in an hour"),
      Effect.repeat(Schedule.spaced("1 hour"))
    )
  )

  /** A session that could not be kept is none: its client is told to come again, and what the framework has of it goes. */
  const kept = (begun: Effect.Effect<string>, own: string) => (response: HttpServerResponse.HttpServerResponse) =>
    begun.pipe(
      Effect.map((session) => HttpServerResponse.setHeader(response, header, session)),
      Effect.catchCause((cause) =>
        Effect.gen(function*() {
          const away = isDatabaseAway(cause)
          yield* away ?
            Effect.logWarning("The database is away; the tool session is refused with 503", cause)
            : Effect.logError("A tool session could not be kept; it is refused with 500", cause)
          yield* send("DELETE", { [header]: own }).pipe(
            tolerated("Ending a tool session that could not be kept", "it ends with this process")
          )
          return yield* HttpServerRespondable.toResponse(
            away ? new ServiceUnavailable({ headers: retrySoon }) : new Internal()
          )
        })
      )
    )

  const provided = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.provideService(transport, HttpServerRequest.HttpServerRequest, request)

  /** Answers a request that has a session, or none yet. */
  return Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, tenant_id: TenantId) {
    const session = request.headers[header]
    if (session === undefined) {
      const text = request.method === "POST" ? yield* messageText(request) : ""
      const said = Schema.decodeOption(Initialize)(text)
      if (Option.isSome(said) && Buffer.byteLength(text) > mostInitializeBytes) {
        return yield* new InvalidRequest({
          details: [{
            path: "/params",
            message: `Expected ${mostInitializeBytes} bytes at most to begin a session with`
          }]
        })
      }
      const response = yield* provided(withArguments(request, text))
      // The framework names its session in a handler of this kind, so ours comes after it.
      yield* HttpEffect.appendPreResponseHandler((_, response) => {
        const mine = response.headers[header]
        return mine === undefined || Option.isNone(said)
          ? Effect.succeed(response)
          : kept(begin(tenant_id, said.value.params, mine), mine)(response)
      })
      return response
    }
    const mine = yield* own(tenant_id, session)
    if (mine === undefined) return unknown
    const inner = request.modify({ headers: Headers.set(request.headers, header, mine) })
    const text = request.method === "POST" ? yield* messageText(inner) : ""
    const response = yield* provided(withArguments(inner, text))
    if (request.method === "DELETE" && response.status === 204) yield* end(session)
    return response
  })
})
