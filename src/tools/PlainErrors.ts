import { Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** JSON-RPC knows code, message and data of an error (2.0, section 5.1); how the framework tells errors apart is its own affair. */
const plain = (message: unknown): unknown => {
  if (Array.isArray(message)) return message.map(plain)
  if (!isObject(message) || !isObject(message["error"])) return message
  const { _tag: _, ...error } = message["error"]
  return { ...message, error }
}

const plainJson = (json: string): string => {
  if (!json.includes(`"_tag"`)) return json
  try {
    return JSON.stringify(plain(JSON.parse(json)))
  } catch {
    // No whole message: an event that goes on in the next piece.
    return json
  }
}

/** JSON-RPC's errors about what is no JSON, and what is no request. */
const notTaken: ReadonlySet<unknown> = new Set([-32700, -32600])

const isNotTaken = (json: string): boolean => {
  const message: unknown = JSON.parse(json)
  return isObject(message) && isObject(message["error"]) && notTaken.has(message["error"]["code"])
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const plainEvents = (piece: Uint8Array): Uint8Array => {
  const text = decoder.decode(piece)
  return text.includes(`"_tag"`)
    ? encoder.encode(
      text.replaceAll(/^(data: ?)(\{.*\})$/gmu, (_, field: string, json: string) => field + plainJson(json))
    )
    : piece
}

/** The answer with errors as JSON-RPC has them, whether it is one message, several or a stream of events. Anything else stays as it is. */
export const plainErrors = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag === "Stream") {
    return HttpServerResponse.setBody(response, HttpBody.stream(Stream.map(body.stream, plainEvents), body.contentType))
  }
  if (body._tag !== "Uint8Array" || !body.contentType.startsWith("application/json")) return response
  const before = decoder.decode(body.body)
  const after = plainJson(before)
  if (after === before) return response
  const answer = HttpServerResponse.setBody(response, HttpBody.text(after, body.contentType))
  // Input that is not accepted wants an HTTP status (MCP 2025-11-25, "Sending Messages to the Server").
  return response.status === 200 && isNotTaken(after) ? HttpServerResponse.setStatus(answer, 400) : answer
}
