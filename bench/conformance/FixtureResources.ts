import { Context, Effect, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { png, text, tool } from "./FixtureTools.ts"

const described = (description: string) => Schema.String.annotate({ description })

/** Resources, prompts and the tools that change what is listed, as the suite's scenarios describe them. */
export const fixtureResources = Effect.gen(function*() {
  const server = yield* McpServer.McpServer

  for (
    const [name, mimeType, content] of [
      ["static-text", "text/plain", { text: "This is the content of the static text resource." }],
      ["static-binary", "image/png", { blob: png }],
      ["watched-resource", "text/plain", { text: "watched" }]
    ] as const
  ) {
    const uri = `test://${name}`
    yield* server.addResource({
      resource: McpSchema.Resource.make({ uri, name, description: `Fixture ${name}`, mimeType }),
      annotations: Context.empty(),
      handle: Effect.succeed(
        McpSchema.ReadResourceResult.make({ contents: [{ uri, mimeType, ...content }] })
      )
    })
  }
  yield* McpServer.registerResource`test://template/${McpSchema.param("id", Schema.String)}/data`({
    name: "template",
    description: "Fixture template",
    mimeType: "application/json",
    content: (uri, id) => {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return Effect.succeed(
        McpSchema.ReadResourceResult.make({ contents: [{ uri, mimeType: "application/json", text: data }] })
      )
    }
  })

  const simplePrompt = McpServer.registerPrompt({
    name: "test_simple_prompt",
    description: "Fixture without arguments",
    content: () => Effect.succeed("This is a simple prompt for testing.")
  })
  yield* simplePrompt
  yield* McpServer.registerPrompt({
    name: "test_prompt_with_arguments",
    description: "Fixture with arguments",
    parameters: { arg1: described("First test argument"), arg2: described("Second test argument") },
    completion: { arg1: () => Effect.succeed(["paris", "park", "party"]) },
    content: ({ arg1, arg2 }) => Effect.succeed(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)
  })
  yield* McpServer.registerPrompt({
    name: "test_prompt_with_embedded_resource",
    description: "Fixture with a resource",
    parameters: { resourceUri: described("URI of the resource to embed") },
    content: ({ resourceUri: uri }) =>
      Effect.succeed([
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." }
          }
        },
        { role: "user", content: text("Please process the embedded resource above.") }
      ] as never)
  })
  yield* McpServer.registerPrompt({
    name: "test_prompt_with_image",
    description: "Fixture with an image",
    content: () =>
      Effect.succeed([
        { role: "user", content: { type: "image", data: png, mimeType: "image/png" } },
        { role: "user", content: text("Please analyze the image above.") }
      ] as never)
  })

  // Registered anew: the list has changed, as far as anyone is told.
  const another = tool("test_changing_tool", () => Effect.succeed([text("changed")]))
  yield* another
  yield* tool(
    "test_trigger_tool_change",
    () => Effect.as(Effect.provideService(another, McpServer.McpServer, server), [text("Changed")])
  )
  yield* tool("test_trigger_prompt_change", () =>
    Effect.as(
      Effect.provideService(
        simplePrompt as Effect.Effect<void, never, McpServer.McpServer>,
        McpServer.McpServer,
        server
      ),
      [text("Changed")]
    ))
})
