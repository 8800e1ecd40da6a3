import { Cause, Context, Effect, Layer, Metric, Option, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import type { ApiErrorInstance } from "../errors/ApiError.ts"
import type { ErrorCode } from "../errors/ErrorCatalog.ts"
import { Internal, ServiceUnavailable } from "../errors/RequestErrors.ts"
import { missingIn } from "../errors/ServiceAway.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import type { RateLimits } from "../rate-limits/RateLimits.ts"
import type { Answer, Tool } from "./Tool.ts"
import { ToolProgress } from "./ToolProgress.ts"

/** A result in full: once for machines, once as the text that a model reads; then links to what it may read beside it. */
const succeeded = ({ links, result }: Answer) =>
  new McpSchema.CallToolResult({
    structuredContent: result,
    content: [
      { type: "text", text: JSON.stringify(result) },
      ...links.map((link) => McpSchema.ResourceLink.make({ type: "resource_link", ...link }))
    ]
  })

/** The envelope of the REST API. It is no structured content, which would have to fit the tool's output schema. */
const failed = (error: ApiErrorInstance<ErrorCode>) =>
  Effect.map(
    error.envelope,
    (envelope) =>
      new McpSchema.CallToolResult({ isError: true, content: [{ type: "text", text: JSON.stringify(envelope) }] })
  )

const decodeProgress = Schema.decodeUnknownEffect(
  Schema.Struct({ progressToken: Schema.optional(Schema.Union([Schema.String, Schema.Finite])) })
)
const noProgress = { progressToken: undefined }

const calls = Metric.counter("footnote_tool_calls_total", {
  description: "Calls of tools by tool and outcome: ok or the code of the error.",
  incremental: true
})

/** What a tool changes counts as a request of the REST API that changes something; a look was counted by the guard. */
const admitted = Effect.fnUntraced(function*({ hints }: Tool, limits: RateLimits["Service"]) {
  const { tenant_id } = yield* CurrentTenant
  if (!hints.readOnlyHint) yield* limits.take(tenant_id, "writes")
})

/**
 * One call, whatever becomes of it: every failure is a result with `isError` and the envelope, which a model can read and
 * act on. A defect is logged with the id of the request, and nothing of it is shown.
 */
const answer = (tool: Tool, args: unknown, limits: RateLimits["Service"]) => {
  const count = (outcome: string) => Metric.update(Metric.withAttributes(calls, { tool: tool.name, outcome }), 1)
  return Effect.andThen(admitted(tool, limits), Effect.suspend(() => tool.call(args))).pipe(
    Effect.map(succeeded),
    Effect.tap(() => count("ok")),
    Effect.catchDefect((defect): Effect.Effect<never, Internal | ServiceUnavailable> => {
      const missing = missingIn(Cause.die(defect))
      return missing === undefined
        ? Effect.andThen(
          Effect.logError(`Tool ${tool.name} failed; the call is answered INTERNAL`, defect),
          Effect.fail(new Internal())
        )
        : Effect.andThen(
          Effect.logWarning(`${missing} is away; the call is answered SERVICE_UNAVAILABLE`, defect),
          Effect.fail(new ServiceUnavailable())
        )
    }),
    Effect.catch((error) => Effect.andThen(count(error._tag), failed(error))),
    Effect.withSpan(`tools/${tool.name}`)
  )
}

/** Whose call it is comes with the request, where the guard in front of the server has put it. */
export const asCaller = <A, E>(call: Effect.Effect<A, E, CurrentTenant>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.serviceOption(CurrentTenant), (tenant) =>
    Option.isNone(tenant)
      ? Effect.die(new Error("A tool was called past the guard"))
      : Effect.provideService(call, CurrentTenant, tenant.value))

/**
 * How a call tells its caller how far it is, where the caller asked for that with a progress token. Each notification says
 * more than the one before, as the protocol wants it; one that cannot be delivered is let go.
 */
const progressOf = Effect.fnUntraced(function*({ notifications }: McpServer.McpServer["Service"]) {
  const { requestMetadata } = yield* McpSchema.McpRequestContext
  const { progressToken } = yield* Effect.orElseSucceed(decodeProgress(requestMetadata ?? {}), () => noProgress)
  if (progressToken === undefined) return () => Effect.void
  let told = -1
  return (progress: number, message: string) =>
    Effect.suspend(() => {
      if (progress <= told) return Effect.void
      told = progress
      return Effect.ignore(notifications["notifications/progress"]({ progressToken, progress, total: 1, message }))
    })
})

/**
 * Claude Code shows a longer answer than 50,000 characters as a file, and up to so many, 25,000 tokens, where the tool says so
 * (code.claude.com/docs/en/mcp, "Raise the limit for a specific tool"); other clients let it be.
 */
const shownWhole = { "anthropic/maxResultSizeChars": 100_000 }

/** Makes these tools known to the MCP server. */
export const layerTools = (tools: ReadonlyArray<Tool>, limits: RateLimits["Service"]) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const server = yield* McpServer.McpServer
    for (const tool of tools) {
      const { description, hints, inputSchema, long, name, outputSchema, title } = tool
      yield* server.addTool({
        tool: McpSchema.Tool.make({
          name,
          title,
          description,
          inputSchema: inputSchema as McpSchema.ToolJson,
          outputSchema,
          annotations: hints,
          ...(long ? { _meta: shownWhole } : {})
        }),
        annotations: Context.empty(),
        handle: Effect.fnUntraced(function*(args) {
          const report = yield* progressOf(server)
          return yield* asCaller(answer(tool, args, limits)).pipe(Effect.provideService(ToolProgress, report))
        })
      })
    }
  }))
