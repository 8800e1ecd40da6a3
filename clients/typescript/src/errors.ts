import type { ErrorCode, ErrorDetail, ErrorEnvelope } from "./generated/types.ts"

/** Everything that this client throws by itself. */
export abstract class FootnoteError extends Error {}

const detailsText = (details: ReadonlyArray<ErrorDetail>): string =>
  details.length === 0 ? "" : ` (${details.map(({ message, path }) => `${path}: ${message}`).join("; ")})`

/** The service refused: its status, its code and the id under which the operator finds the request. */
export class ApiError extends FootnoteError {
  override readonly name: string = "ApiError"
  readonly status: number
  /** One of the service's codes; `UNKNOWN` where something between answered in its place. */
  readonly code: ErrorCode | "UNKNOWN"
  readonly details: ReadonlyArray<ErrorDetail>
  readonly request_id: string | undefined
  /** Seconds that the service asked to wait, where it did. */
  readonly retry_after: number | undefined

  constructor(answer: {
    readonly status: number
    readonly code: ErrorCode | "UNKNOWN"
    readonly message: string
    readonly details?: ReadonlyArray<ErrorDetail>
    readonly request_id?: string | undefined
    readonly retry_after?: number | undefined
  }) {
    const { code, details = [], message, request_id, retry_after, status } = answer
    const asked = request_id === undefined ? "" : ` [request ${request_id}]`
    super(`${status} ${code}: ${message}${detailsText(details)}${asked}`)
    this.status = status
    this.code = code
    this.details = details
    this.request_id = request_id
    this.retry_after = retry_after
  }
}

/** No whole answer came: the service could not be reached, or the connection broke off. `cause` is what `fetch` threw. */
export class ConnectionError extends FootnoteError {
  override readonly name: string = "ConnectionError"
}

/** Nothing came, or the job did not end, within the time that was given. What was begun at the service goes on. */
export class TimeoutError extends FootnoteError {
  override readonly name: string = "TimeoutError"
}

/** A webhook that is not proven to be the service's, or not fresh: do not act on it, answer 400. */
export class WebhookVerificationError extends FootnoteError {
  override readonly name: string = "WebhookVerificationError"
}

/** Seconds of a `Retry-After`, which is a number or a date. */
export const secondsOf = (header: string | null, now: number): number | undefined => {
  if (header === null || header.trim() === "") return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}

const isEnvelope = (value: unknown): value is ErrorEnvelope =>
  typeof value === "object" && value !== null && "error" in value && typeof value.error === "object"
  && value.error !== null && "code" in value.error && typeof value.error.code === "string"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error that an answer means; of one that is no envelope, as a proxy sends it, the beginning is the message. */
export const errorOf = (response: Response, text: string): ApiError => {
  const answered = {
    status: response.status,
    retry_after: secondsOf(response.headers.get("retry-after"), Date.now())
  }
  const request_id = response.headers.get("x-request-id") ?? undefined
  const body = parsed(text)
  if (isEnvelope(body)) return new ApiError({ ...body.error, ...answered })
  const message = text.trim().slice(0, 200) || response.statusText || "No text"
  return new ApiError({ ...answered, request_id, code: "UNKNOWN", message })
}
