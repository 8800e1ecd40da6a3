import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ErrorDetail } from "../errors/ApiError.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { jsonText } from "../web/json/JsonBody.ts"
import { scanJson } from "../web/json/JsonScan.ts"
import { unstorableStrings } from "../web/json/StorableText.ts"

/** What is wrong in here a tool tells by itself, with the path that its caller knows. */
const ofArguments = /^\/params\/arguments(\/|$)/u

const problemsOf = (json: string): ReadonlyArray<ErrorDetail> => {
  const problem = scanJson(json)
  return problem === undefined ? unstorableStrings(json).filter(({ path }) => !ofArguments.test(path)) : [problem]
}

/**
 * The body of a request to the tool server as text, held to what every body of JSON is held to. Fails with `INVALID_REQUEST` for one
 * that two readers would take differently or the database could not store, and for several messages at once, which the protocol
 * has had in one version alone.
 */
export const messageText = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const text = yield* jsonText(request)
  if (/^\s*\[/u.test(text)) {
    return yield* new InvalidRequest({
      details: [{ path: "", message: "Expected one message: batches are not supported" }]
    })
  }
  const details = problemsOf(text)
  return details.length === 0 ? text : yield* new InvalidRequest({ details })
})

/** A message that was not taken, in the words of JSON-RPC 2.0, section 5.1; `data` is the error of our envelope. */
export const invalidMessage = (error: InvalidRequest) =>
  Effect.map(error.envelope, ({ error: data }) => {
    const [detail] = data.details ?? []
    const at = detail === undefined || detail.path === "" ? "" : `${detail.path}: `
    return HttpServerResponse.jsonUnsafe(
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: detail === undefined ? data.message : `${at}${detail.message}`, data }
      },
      { status: 400, headers: error.headers ?? {} }
    )
  })

type Message = { readonly method?: unknown; readonly params?: { readonly arguments?: unknown } | null } | null

/** Whether a call says that it has no arguments as some models write it: the protocol wants an object, or nothing. */
const saysNull = (message: unknown): boolean =>
  (message as Message)?.method === "tools/call" && (message as Message)?.params?.arguments === null

/**
 * The request with `"arguments": null` of a call left out, which is what it means; every other request as it is. `text` is its
 * body, which has been found to be JSON, or is none.
 */
export const withArguments = (request: HttpServerRequest.HttpServerRequest, text: string) => {
  if (!/"arguments"\s*:\s*null/u.test(text)) return request
  const message: unknown = JSON.parse(text)
  if (!saysNull(message)) return request
  const { params, ...rest } = message as { readonly params: Readonly<Record<string, unknown>> }
  const { arguments: _, ...others } = params
  return HttpServerRequest.fromWeb(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: request.headers,
      body: JSON.stringify({ ...rest, params: others })
    })
  )
}
