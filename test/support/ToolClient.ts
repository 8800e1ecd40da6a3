import { Effect } from "effect"
import { type Answer, TestServer } from "./TestServer.ts"

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

/** A request of the protocol without sessions. */
export const request = (
  token: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<Answer, never, TestServer> =>
  Effect.flatMap(TestServer, ({ send }) => send("POST", "/mcp", { key: token, ...message(method, params, headers) }))

/** What is sent for such a request: the protocol wants its method and what it is about in headers too. */
export const message = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {}
) => {
  const named = params["name"] ?? params["uri"]
  return {
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof named === "string" ? { "mcp-name": named } : {}),
      ...headers
    },
    json: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...meta, ...(params["_meta"] as object) } } }
  }
}

export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  readonly structured: any
}

/** One call of a tool; `headers` such as `x-request-id` go with it. */
export const callTool = (
  token: string,
  name: string,
  args: unknown,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<ToolResult, never, TestServer> =>
  Effect.map(request(token, "tools/call", { name, arguments: args }, headers), ({ json, text }) => {
    const result = json?.result
    if (result === undefined) throw new Error(`${name}: ${text}`)
    return { isError: result.isError === true, text: result.content[0].text, structured: result.structuredContent }
  })
