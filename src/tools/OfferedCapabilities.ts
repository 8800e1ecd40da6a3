import { Effect } from "effect"
import { type McpProtocol, McpSchema } from "effect/ai"

type Handlers = Readonly<
  Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<Answer, McpSchema.MethodNotFound>>
>

interface Answer {
  readonly capabilities: { readonly tools?: unknown; readonly resources?: unknown }
}

interface Target {
  readonly install: (protocol: unknown, rpcs: unknown, handlers: Handlers) => Effect.Effect<void>
}

/** The methods of the protocol's revisions whose answer says what the server can do. */
const declaring = new Set(["initialize", "server/discover"])

/** The methods of capabilities that are not declared, which the framework answers all the same. */
const notOffered = /^(?:logging|completion|prompts)\/|^resources\/(?:un)?subscribe$/u

/** What the protocol wants of a server that has not declared a method's capability, such as logging ("Error Handling", -32601). */
const absent = (method: string) => () =>
  Effect.fail(
    new McpSchema.MethodNotFound({ code: -32601, message: `Method not found: this server does not offer ${method}` })
  )

const onlyUsed = (answer: Answer): Answer => ({
  ...answer,
  capabilities: {
    ...(answer.capabilities.tools === undefined ? {} : { tools: {} }),
    ...(answer.capabilities.resources === undefined ? {} : { resources: {} })
  }
})

/** A protocol as it is. */
export const everything = <P extends McpProtocol.ProtocolAdapter>(protocol: P): P => protocol

/**
 * A protocol that says to clients what is really there: tools and resources. The framework always declares logging, completions
 * and changes of its lists, none of which this server has, and a client would wait for them. A method of what is not declared is not found.
 */
export const onlyWhatIsUsed = <P extends McpProtocol.ProtocolAdapter>(protocol: P): P => ({
  ...protocol,
  installHandlers: (core: unknown, lifecycle: unknown, target: Target) =>
    // What the handlers need is the framework's own affair.
    // @effect-diagnostics-next-line anyUnknownInErrorContext:off
    protocol.installHandlers(core, lifecycle, {
      ...target,
      install: (adapter: unknown, rpcs: unknown, handlers: Handlers) =>
        target.install(
          adapter,
          rpcs,
          Object.fromEntries(
            Object.entries(handlers).map(([method, handle]) => [
              method,
              declaring.has(method)
                ? (...args) => Effect.map(handle(...args), onlyUsed)
                : notOffered.test(method)
                ? absent(method)
                : handle
            ])
          )
        )
    })
})
