import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "../../errors/RequestErrors.ts"
import { requestLimits } from "./RequestLimits.ts"

/** A body that is read as a whole is at most 1 MiB: who needs longer for it holds a connection, and nothing else, for its own sake. */
const bodySeconds = 30
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/iu
const utf8 = new TextDecoder("utf-8", { fatal: true })

const invalid = (message: string, headers: Readonly<Record<string, string>> = {}) =>
  new InvalidRequest({ details: [{ path: "", message }], headers })

/** Of a body that is read as a whole. */
export const bodyTooLarge = (headers: Readonly<Record<string, string>> = {}) =>
  new PayloadTooLarge({
    message: `The request body holds more than ${requestLimits.json_body_bytes} bytes; nothing was kept.`,
    headers
  })

/**
 * The body as text: UTF-8 and nothing else, which `request.text` would mend in silence, and here within 30 s, or the sender is
 * refused and its connection ended. A body over the limit is a defect that answers 413.
 */
export const bodyText = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const bytes = yield* Effect.orDie(request.arrayBuffer).pipe(
    Effect.timeoutOrElse({
      duration: `${bodySeconds} seconds`,
      orElse: () => Effect.fail(invalid(`The body did not arrive within ${bodySeconds} s`, { connection: "close" }))
    })
  )
  return yield* Effect.try({ try: () => utf8.decode(bytes), catch: () => invalid("The body is not UTF-8") })
})

/** Fails for a body that is compressed. */
export const requirePlain = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
    ? Effect.void
    : Effect.fail(new UnsupportedMediaType({ message: "Send the body without Content-Encoding." }))

/** The text of a body of JSON, not compressed and in UTF-8 by its own account too; `textProblems` says what is wrong in it. */
export const jsonText = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  yield* requirePlain(request)
  const named = charset.exec(request.headers["content-type"] ?? "")?.[1]?.toLowerCase() ?? "utf-8"
  if (named !== "utf-8" && named !== "utf8") return yield* new UnsupportedMediaType({ message: "Send JSON in UTF-8." })
  return yield* bodyText(request)
})
