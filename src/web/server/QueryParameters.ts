import { Effect } from "effect"
import { HttpServerRequest, HttpServerRespondable, type HttpServerResponse } from "effect/http"
import type { ErrorDetail } from "../../errors/ApiError.ts"
import { InvalidRequest } from "../../errors/RequestErrors.ts"
import { parametersOf } from "./RequestTarget.ts"

/** The `name` of a parameter that is written `name[key]`. By hand: a pattern took 0.2 s for 15,900 brackets, before anybody is known. */
const pairName = (parameter: string): string | undefined => {
  const bracket = parameter.indexOf("[", 1)
  return bracket > 0 && parameter.endsWith("]") && parameter.length > bracket + 2
    ? parameter.slice(0, bracket)
    : undefined
}

/** What a query has that is none of these parameters; `pairs` are those that are written `name[key]=value`. */
export const unknownParameters = (
  url: string,
  known: ReadonlyArray<string>,
  pairs: ReadonlyArray<string> = []
): ReadonlyArray<ErrorDetail> => {
  const sent = new Set(parametersOf(url).keys())
  const unknown = [...sent].filter((name) => !known.includes(name) && !pairs.includes(pairName(name) ?? ""))
  const message = known.length === 0
    ? "This route has no query parameters"
    : `Is not a parameter of this route, which has ${[...known, ...pairs.map((name) => `${name}[…]`)].join(", ")}`
  return unknown.slice(0, 100).map((path) => ({ path, message }))
}

/** The page beside the API that answers so: it has no query parameters, and refuses each by its name as the API does. */
export const withoutParameters = <E, R>(page: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const details = unknownParameters(url, [])
    return details.length === 0 ? page : HttpServerRespondable.toResponse(new InvalidRequest({ details }))
  })
