import { Cause, Context, Effect, Layer, Metric, Option } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import type { ApiErrorInstance } from "../errors/ApiError.ts"
import type { ErrorCode } from "../errors/ErrorCatalog.ts"
import { Internal, ServiceUnavailable } from "../errors/RequestErrors.ts"
import { missingIn } from "../errors/ServiceAway.ts"
import type { RateLimits } from "../rate-limits/RateLimits.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import type { Tool } from "./Tool.ts"

/** A result in full: once for machines, once as the text that a model reads. */
const succeeded = (result: object) =>
  new McpSchema.CallToolResult({
    structuredContent: result,
    content: [{ type: "text", text: JSON.stringify(result) }]
  })

/** The envelope of the REST API. It is no structured content, which would have to fit the tool's output schema. */
const failed = (error: ApiErrorInstance<ErrorCode>) =>
  Effect.map(
    error.envelope,
    (envelope) =>
      new McpSchema.CallToolResult({ isError: true, content: [{ type: "text", text: JSON.stringify(envelope) }] })
  )

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
        ? Effect.andThen(Effect.logError(`Tool ${tool.name} failed`, defect), Effect.fail(new Internal()))
        : Effect.andThen(Effect.logWarning(`${missing} is away`, defect), Effect.fail(new ServiceUnavailable()))
    }),
    Effect.catch((error) => Effect.andThen(count(error._tag), failed(error))),
    Effect.withSpan(`tools/${tool.name}`)
  )
}

/** Whose call it is comes with the request, where the guard in front of the server has put it. */
const asCaller = <A>(call: Effect.Effect<A, never, CurrentTenant>): Effect.Effect<A> =>
  Effect.flatMap(Effect.serviceOption(CurrentTenant), (tenant) =>
    Option.isNone(tenant)
      ? Effect.die(new Error("A tool was called past the guard"))
      : Effect.provideService(call, CurrentTenant, tenant.value))

/** Makes these tools known to the MCP server. */
export const layerTools = (tools: ReadonlyArray<Tool>, limits: RateLimits["Service"]) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const server = yield* McpServer.McpServer
    for (const tool of tools) {
      const { description, hints, inputSchema, name, outputSchema, title } = tool
      yield* server.addTool({
        tool: McpSchema.Tool.make({
          name,
          title,
          description,
          inputSchema: inputSchema as McpSchema.ToolJson,
          outputSchema,
          annotations: { title, ...hints }
        }),
        annotations: Context.empty(),
        handle: (args) => asCaller(answer(tool, args, limits))
      })
    }
  }))
