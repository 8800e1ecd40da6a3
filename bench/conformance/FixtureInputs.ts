import { Context, Effect } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { createHmac, randomBytes } from "node:crypto"
import { type Content, text, tool } from "./FixtureTools.ts"

const { InputRequired, InvalidParams, McpRequestContext } = McpSchema

const secret = randomBytes(32)
const sign = (state: string) => `${state}.${createHmac("sha256", secret).update(state).digest("base64url")}`

/** What a signed state says; a state that was not ours, or was changed, is refused. */
const opened = Effect.fnUntraced(function*(state: string | undefined) {
  const said = (state ?? "").split(".")[0]!
  if (state !== sign(said)) return yield* new InvalidParams({ message: "The request state is not one of ours" })
  return said
})

const form = (message: string, name: string, type = "string") => ({
  method: "elicitation/create" as const,
  params: {
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] }
  }
})

const sampling = (prompt: string, maxTokens: number) => ({
  method: "sampling/createMessage" as const,
  params: { messages: [{ role: "user", content: text(prompt) }], maxTokens }
})

const roots = { method: "roots/list" as const, params: {} }

/** What a person filled in for this field, or undefined where it is no such answer. */
const filled = (answer: McpSchema.McpInputResponse | undefined, name: string): string | undefined => {
  const content = typeof answer === "object" && answer !== null && answer["action"] === "accept"
    ? answer["content"]
    : {}
  const value = (content as Readonly<Record<string, unknown>> | undefined)?.[name]
  return value === undefined ? undefined : String(value)
}

const context = McpRequestContext

const askName = new InputRequired({ inputRequests: { user_name: form("What is your name?", "name") } })

/** Tools and a prompt that need something from the client first (protocol 2026-07-28). */
export const fixtureInputs = Effect.gen(function*() {
  const server = yield* McpServer.McpServer

  yield* tool("test_input_required_result_elicitation", () =>
    Effect.map(context, ({ inputResponses }) => {
      const name = filled(inputResponses?.["user_name"], "name")
      return name === undefined ? askName : [text(`Hello, ${name}!`)]
    }))
  yield* tool(
    "test_streaming_elicitation",
    () => Effect.map(context, ({ inputResponses }) => inputResponses === undefined ? askName : [text("Done")])
  )
  yield* tool("test_input_required_result_sampling", () =>
    Effect.map(context, ({ inputResponses }) => {
      const answer = inputResponses?.["capital_question"]
      return answer === undefined
        ? new InputRequired({ inputRequests: { capital_question: sampling("What is the capital of France?", 100) } })
        : [text(`Answer: ${(answer["content"] as { text?: string } | undefined)?.text}`)]
    }))
  yield* tool("test_input_required_result_list_roots", () =>
    Effect.map(context, ({ inputResponses }) => {
      const answer = inputResponses?.["client_roots"]
      return answer === undefined
        ? new InputRequired({ inputRequests: { client_roots: roots } })
        : [text(`Roots: ${JSON.stringify(answer["roots"])}`)]
    }))
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    yield* tool(
      name,
      () =>
        Effect.gen(function*(): Effect.fn.Return<Content, McpSchema.InvalidParams, McpSchema.McpRequestContext> {
          const { inputResponses, requestState } = yield* context
          if (inputResponses !== undefined) return yield* Effect.as(opened(requestState), [text("state-ok")])
          return new InputRequired({
            inputRequests: { confirm: form("Please confirm", "ok", "boolean") },
            requestState: sign("confirm")
          })
        })
    )
  }
  yield* tool(
    "test_input_required_result_multiple_inputs",
    () =>
      Effect.gen(function*(): Effect.fn.Return<Content, McpSchema.InvalidParams, McpSchema.McpRequestContext> {
        const { inputResponses, requestState } = yield* context
        const inputRequests = {
          user_name: form("What is your name?", "name"),
          greeting: sampling("Generate a greeting", 50),
          client_roots: roots
        }
        if (Object.keys(inputRequests).some((name) => inputResponses?.[name] === undefined)) {
          return new InputRequired({ inputRequests, requestState: sign("multiple") })
        }
        return yield* Effect.as(opened(requestState), [text("All inputs are here")])
      })
  )
  yield* tool("test_input_required_result_multi_round", () =>
    Effect.gen(function*() {
      const { inputResponses, requestState } = yield* context
      if (requestState === undefined) {
        return new InputRequired({
          inputRequests: { step1: form("Step 1: What is your name?", "name") },
          requestState: sign("round-1")
        })
      }
      const round = yield* opened(requestState)
      if (round === "round-1") {
        return new InputRequired({
          inputRequests: { step2: form("Step 2: What is your favorite color?", "color") },
          requestState: sign("round-2")
        })
      }
      return [text(`Colour: ${filled(inputResponses?.["step2"], "color")}`)]
    }))
  yield* tool(
    "test_input_required_result_capabilities",
    () =>
      Effect.map(context, ({ clientCapabilities }) =>
        new InputRequired({
          inputRequests: {
            ...(clientCapabilities.sampling === undefined ? {} : { question: sampling("Say something", 10) }),
            ...(clientCapabilities.elicitation === undefined ? {} : { user_name: form("What is your name?", "name") })
          }
        }))
  )
  // Asks for what the client did not declare: the server has to refuse that for us.
  yield* tool("test_missing_capability", () =>
    Effect.map(context, ({ inputResponses }) =>
      inputResponses === undefined
        ? new InputRequired({ inputRequests: { question: sampling("Say something", 10) } })
        : [text("Done")]))

  yield* server.addPrompt({
    prompt: McpSchema.Prompt.make({
      name: "test_input_required_result_prompt",
      description: "Fixture that needs input",
      arguments: []
    }),
    annotations: Context.empty(),
    completions: {},
    handle: () =>
      Effect.map(context, ({ inputResponses }) => {
        const answer = filled(inputResponses?.["user_context"], "context")
        return answer === undefined
          ? new InputRequired({
            inputRequests: { user_context: form("What context should the prompt use?", "context") }
          })
          : new McpSchema.GetPromptResult({
            description: "Fixture that needs input",
            messages: [{ role: "user", content: text(`Context: ${answer}`) }]
          })
      })
  })
})
