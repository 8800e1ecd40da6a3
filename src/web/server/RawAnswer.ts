import { randomUUID } from "node:crypto"
import { ErrorCatalog, type ErrorCode } from "../../errors/ErrorCatalog.ts"
import { securityHeaders } from "./SecurityHeaders.ts"

export interface RawAnswer {
  readonly request_id: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The error envelope for what never became a request: no router and no service has seen it. The connection ends. */
export const rawAnswer = (
  code: ErrorCode,
  message: string,
  https: boolean,
  more: Readonly<Record<string, string>> = {}
): RawAnswer => {
  const request_id = `req_${randomUUID()}`
  const body = JSON.stringify({ error: { code, message, request_id } })
  return {
    request_id,
    status: ErrorCatalog[code].status,
    headers: {
      ...securityHeaders(https),
      ...more,
      "x-request-id": request_id,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      connection: "close"
    },
    body
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout"
}

/** The bytes of an answer, for a socket whose parser has given up. */
export const rawBytes = ({ body, headers, status }: RawAnswer): string =>
  [
    `HTTP/1.1 ${status} ${reasons[status] ?? "Error"}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    body
  ].join("\r\n")
