import { Context, Effect, Layer, type Scope, Stream } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { HttpBody, HttpRouter, type HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { Unauthenticated } from "../api-keys/ApiKey.ts"
import { KeyWatch } from "../api-keys/KeyWatch.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { AccessTokens, scope } from "../oauth/AccessTokens.ts"
import { OpenRequest, OpenStreams } from "../rate-limits/OpenStreams.ts"
import { rateLimitHeaders, RateLimits } from "../rate-limits/RateLimits.ts"
import { PublicAddress } from "../web/server/PublicAddress.ts"
import { RequestInfo } from "../web/server/RequestInfo.ts"
import { jobResources } from "./JobResources.ts"
import { everything, onlyWhatIsUsed } from "./OfferedCapabilities.ts"
import { plainErrors } from "./PlainErrors.ts"
import { layerTools } from "./ToolCalls.ts"
import { invalidMessage } from "./ToolMessage.ts"
import { tools } from "./Tools.ts"
import { makeToolSessions } from "./ToolSessions.ts"

const instructions =
  "Footnote turns a video or sound file into typed JSON in which every value cites the second and the words or pixels that "
  + "it came from. Call extract with a source_uri and a schema, then get_job with wait_seconds until the job has ended; then "
  + "read the result, and get_evidence for where each value comes from. That is usually enough: get_transcript, get_frames, "
  + "get_vision and get_graph are long for long videos, and take a range (from, to) and max_tokens, which says where to go on."

/** What else the server offers: nothing, but where the protocol itself is tested. */
export type Registrations = Layer.Layer<never, never, McpServer.McpServer>

/** The protocol alone, on a router of its own, so that nothing gets to it but what has passed the guard. */
const makeTransport = Effect.fnUntraced(function*(extra: Registrations | undefined) {
  const { origins } = yield* PublicAddress
  // What is registered stays as it is for as long as the process runs, so there is no change to tell of.
  const changes = extra !== undefined
  const offered = changes ? everything : onlyWhatIsUsed
  const router = yield* HttpRouter.make
  yield* Layer.build(
    McpServer.layerHttp({
      name: "footnote",
      version: "1.0.0",
      instructions,
      path: "/mcp",
      // The first one with sessions is what a client gets that asks for none of these.
      protocols: [
        offered(McpProtocol.v2025_11_25),
        offered(McpProtocol.v2026_07_28),
        offered(McpProtocol.v2025_06_18)
      ],
      allowSessionTermination: true,
      allowSubscriptions: changes,
      allowedOrigins: origins,
      cacheHints: {
        discover: { ttl: "1 hour", cacheScope: "private" },
        tools: { ttl: "1 hour", cacheScope: "private" }
      },
      registrations: Layer.mergeAll(
        layerTools(yield* tools, yield* RateLimits),
        yield* jobResources,
        extra ?? Layer.empty
      )
    }).pipe(Layer.provide(Layer.succeed(HttpRouter.HttpRouter, router)))
  )
  return router
})

const bearer = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/iu.exec(headers["authorization"] ?? "")?.[1]

/**
 * The tool server at `/mcp`: asks for an access token on every request, keeps the sessions of protocols that have them, and
 * runs each call as the tenant that the token speaks for. Without a good token it is 401 with where to get one (RFC 6750,
 * RFC 9728), and 403 for one that does not reach as far.
 */
export const layer = (extra?: Registrations) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const tokens = yield* AccessTokens
    const limits = yield* RateLimits
    const openStreams = yield* OpenStreams
    const keyWatch = yield* KeyWatch
    const { calledBy } = yield* PublicAddress
    const serve = yield* makeToolSessions(yield* makeTransport(extra))

    const challenge = (request: HttpServerRequest.HttpServerRequest, status: 401 | 403, error?: string) => {
      const { metadata } = calledBy(request.headers["host"])
      const parts = [`Bearer resource_metadata="${metadata}"`, `scope="${scope}"`]
      return Effect.map(
        HttpServerRespondable.toResponse(
          new Unauthenticated({
            message:
              "Send an access token for this server; WWW-Authenticate names the metadata that says who gives one.",
            headers: {
              "www-authenticate": [...parts, ...(error === undefined ? [] : [`error="${error}"`])].join(", ")
            }
          })
        ),
        (response) => response.status === status ? response : HttpServerResponse.setStatus(response, status)
      )
    }

    yield* router.add("*", "/mcp", (request) =>
      Effect.gen(function*() {
        const token = bearer(request)
        if (token === undefined) return yield* challenge(request, 401)
        const tenant = yield* tokens.verify(token)
        yield* RequestInfo.setTenant(tenant.tenant_id)
        const standing = yield* limits.take(tenant.tenant_id, "reads")
        if (standing !== undefined) yield* RequestInfo.setHeaders(rateLimitHeaders(standing))
        const hold = yield* Effect.cached(
          Effect.provideContext(openStreams.hold(tenant.tenant_id), yield* Effect.context<Scope.Scope>())
        )
        const caller = Context.make(CurrentTenant, tenant).pipe(Context.add(OpenRequest, { hold }))
        const response = plainErrors(yield* Effect.provideContext(serve(request, tenant.tenant_id), caller))
        if (response.body._tag !== "Stream") return response
        yield* hold
        const ended = yield* keyWatch.ended(tenant)
        return HttpServerResponse.setBody(
          response,
          HttpBody.stream(Stream.interruptWhen(response.body.stream, ended), response.body.contentType)
        )
      }).pipe(
        Effect.catchTags({
          TokenRefused: ({ reason }) => challenge(request, reason === "insufficient_scope" ? 403 : 401, reason),
          INVALID_REQUEST: invalidMessage,
          UNSUPPORTED_MEDIA_TYPE: HttpServerRespondable.toResponse,
          RATE_LIMITED: HttpServerRespondable.toResponse
        })
      ))
  }))
