import { Effect } from "effect"
import { type Dispatcher, request } from "undici"
import { type Deadlines, isAddressBlocked, makeGuardedAgent, type Resolver } from "./GuardedAgent.ts"
import type { SourcePolicy } from "./SourcePolicy.ts"
import { forbiddenUrl } from "./SourceUri.ts"

/** Why a small document was not read: `blocked` for a place that may not be reached, else what the network said. */
class GuardedGetFailed extends Error {
  override readonly name = "GuardedGetFailed"
  readonly blocked: boolean
  constructor(message: string, blocked = false) {
    super(message)
    this.blocked = blocked
  }
}

export interface GuardedGetOptions {
  readonly policy: SourcePolicy
  /** A longer document is not read. */
  readonly max_bytes: number
  readonly accept?: string
  /** Until the whole document is here. Default 10,000. */
  readonly timeout_ms?: number
  /** The resolver, where it is not the system's. */
  readonly resolve?: Resolver
}

export interface GuardedDocument {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

const refusal = (error: unknown): GuardedGetFailed => {
  if (error instanceof GuardedGetFailed) return error
  if (isAddressBlocked(error)) return new GuardedGetFailed("The address is not a public one.", true)
  // The system's short code: a message could carry the URL with its secrets.
  const code = error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "no connection"
  return new GuardedGetFailed(`The document could not be read: ${code}.`)
}

const textOf = async (body: Dispatcher.ResponseData["body"], max_bytes: number): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > max_bytes) throw new GuardedGetFailed(`The document has more than ${max_bytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/**
 * Reads a small document that somebody else's data names (client metadata, key sets) without reaching any address outside
 * of the policy; no redirect is followed, so a 3xx is an answer like any other. Fails with `GuardedGetFailed` for a
 * forbidden URL or address, network trouble, a document over the limit or past the deadline.
 */
export const guardedGet = Effect.fn("GuardedGet")(function*(text: string, options: GuardedGetOptions) {
  const { max_bytes, policy, timeout_ms = 10_000 } = options
  const url = URL.parse(text)
  const forbidden = url === null ? "Not a URL." : forbiddenUrl(url, policy)
  if (url === null || forbidden !== undefined) return yield* Effect.fail(new GuardedGetFailed(forbidden ?? "", true))
  const deadlines: Deadlines = { connect_ms: timeout_ms, headers_ms: timeout_ms, body_ms: timeout_ms }
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => makeGuardedAgent(policy, deadlines, options.resolve)),
    (agent) => Effect.promise(() => agent.destroy())
  )
  return yield* Effect.tryPromise({
    try: async (signal): Promise<GuardedDocument> => {
      const response = await request(url, {
        dispatcher: agent,
        headers: {
          accept: options.accept ?? "application/json",
          "accept-encoding": "identity",
          "user-agent": "footnote/0.1"
        },
        signal
      })
      return { status: response.statusCode, headers: response.headers, text: await textOf(response.body, max_bytes) }
    },
    catch: refusal
  }).pipe(Effect.timeoutOrElse({
    duration: timeout_ms,
    orElse: () => Effect.fail(new GuardedGetFailed(`The document was not read within ${timeout_ms} ms.`))
  }))
}, Effect.scoped)
