import { Context, Effect, Option, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"

// 1 × 1 red pixel, and a WAV file without samples.
export const png = Uint8Array.from(Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64"
))
const wav = Uint8Array.from(Buffer.from("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=", "base64"))

export const text = (text: string) => ({ type: "text" as const, text })

export type Content =
  | Array<unknown>
  | { readonly isError: true; readonly content: Array<unknown> }
  | McpSchema.InputRequired
type Answer = Effect.Effect<Content, McpSchema.InvalidParams | McpSchema.InternalError, McpSchema.McpRequestContext>

const noArguments = { type: "object", properties: {} } as const

/** A tool as the suite wants it, past everything that our own tools go through. */
export const tool = Effect.fnUntraced(function*(
  name: string,
  answer: (args: Readonly<Record<string, any>>) => Answer,
  inputSchema: McpSchema.ToolJson = noArguments
) {
  const server = yield* McpServer.McpServer
  yield* server.addTool({
    tool: McpSchema.Tool.make({ name, description: `Fixture ${name}`, inputSchema }),
    annotations: Context.empty(),
    handle: (args) =>
      Effect.map(answer(args), (content) =>
        content instanceof McpSchema.InputRequired
          ? content
          : new McpSchema.CallToolResult((Array.isArray(content) ? { content } : content) as never))
  })
})

/** The client of a session, to ask it something; none where there are no sessions. */
const client = Effect.flatMap(Effect.serviceOption(McpSchema.McpServerClient), (found) =>
  Option.isNone(found)
    ? Effect.fail(new McpSchema.InternalError({ message: "No session" }))
    : found.value.getClient)

const failed = (cause: unknown) => Effect.succeed({ isError: true as const, content: [text(String(cause))] })

const elicit = (message: string, requestedSchema: Readonly<Record<string, unknown>>, done: string) =>
  Effect.gen(function*() {
    const { elicit } = yield* client
    const answer = yield* elicit(
      yield* Schema.decodeUnknownEffect(McpSchema.ElicitRequestFormParams)({ message, requestedSchema })
    )
    const content = "content" in answer ? answer.content : {}
    return [text(`${done}: action=${answer.action}, content=${JSON.stringify(content)}`)] as Content
  }).pipe(Effect.scoped, Effect.catchCause(failed))

const object = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required })
})

const options = (key: string, names: ReadonlyArray<readonly [string, string]>) => ({
  [key]: names.map(([value, title]) => ({ const: value, title }))
})

const three = ["option1", "option2", "option3"]
const titled = [["value1", "First Option"], ["value2", "Second Option"], ["value3", "Third Option"]] as const
const choices = [["value1", "First Choice"], ["value2", "Second Choice"], ["value3", "Third Choice"]] as const

const enumVariants = object({
  untitledSingle: { type: "string", enum: three },
  titledSingle: { type: "string", ...options("oneOf", titled) },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"]
  },
  untitledMulti: { type: "array", items: { type: "string", enum: three } },
  titledMulti: { type: "array", items: options("anyOf", choices) }
})

const defaults = object({
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true }
})

const person = object({
  username: { type: "string", description: "User's response" },
  email: { type: "string", description: "User's email address" }
}, ["username", "email"])

const mixed = {
  type: "resource",
  resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: `{"test":"data","value":123}` }
}
const embedded = {
  type: "resource",
  resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." }
}
const image = { type: "image", data: png, mimeType: "image/png" }

const pause = Effect.sleep("50 millis")

/** The tools that the suite calls, named and answering as its scenarios describe them. */
export const fixtureTools = Effect.gen(function*() {
  const { notifications } = yield* McpServer.McpServer

  yield* tool("test_simple_text", () => Effect.succeed([text("This is a simple text response for testing.")]))
  yield* tool("test_image_content", () => Effect.succeed([image]))
  yield* tool("test_audio_content", () => Effect.succeed([{ type: "audio", data: wav, mimeType: "audio/wav" }]))
  yield* tool("test_embedded_resource", () => Effect.succeed([embedded]))
  yield* tool("test_multiple_content_types", () => Effect.succeed([text("Multiple content types test:"), image, mixed]))
  yield* tool(
    "test_error_handling",
    () => Effect.succeed({ isError: true, content: [text("This tool intentionally returns an error for testing")] })
  )
  const logs = Effect.gen(function*() {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      yield* Effect.ignore(notifications["notifications/message"]({ level: "info", data }))
      yield* pause
    }
    return [text("Logged")] as Content
  })
  yield* tool("test_tool_with_logging", () => logs)
  // The suite looks at it for half a second.
  yield* tool(
    "test_logging_tool",
    () =>
      Effect.as(Effect.ignore(notifications["notifications/message"]({ level: "info", data: "Called" })), [
        text("Logged")
      ])
  )
  yield* tool("test_tool_with_progress", () =>
    Effect.gen(function*() {
      const { requestMetadata } = yield* McpSchema.McpRequestContext
      const progressToken = (requestMetadata as { progressToken?: string | number } | undefined)?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          yield* Effect.ignore(notifications["notifications/progress"]({ progressToken, progress, total: 100 }))
        }
        yield* pause
      }
      return [text("Done")] as Content
    }))
  yield* tool("test_sampling", ({ prompt }) =>
    Effect.gen(function*() {
      const { createMessage } = yield* client
      const messages = [{ role: "user", content: text(prompt) }]
      const answer = yield* createMessage({ messages, maxTokens: 100 } as never)
      return [text(`LLM response: ${(answer.content as { text?: string }).text}`)] as Content
    }).pipe(Effect.scoped, Effect.catchCause(failed)), {
    type: "object",
    properties: { prompt: { type: "string" } },
    required: ["prompt"]
  })
  yield* tool("test_elicitation", ({ message }) => elicit(message, person, "User response"), {
    type: "object",
    properties: { message: { type: "string" } },
    required: ["message"]
  })
  yield* tool("test_elicitation_sep1034_defaults", () => elicit("Defaults", defaults, "Elicitation completed"))
  yield* tool("test_elicitation_sep1330_enums", () => elicit("Enums", enumVariants, "Elicitation completed"))
  yield* tool("json_schema_2020_12_tool", () => Effect.succeed([text("ok")]), {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } }
      }
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" }
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema calls it so.
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false
  })
})
