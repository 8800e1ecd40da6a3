import type { HttpServerRequest } from "effect/http"

type Request = Pick<HttpServerRequest.HttpServerRequest, "headers">

/**
 * Whether a browser says that another site or origin made the request, by `Sec-Fetch-Site` (Fetch Metadata). One that the
 * person made, by typing or a bookmark, is nobody's.
 */
export const isCrossSite = ({ headers }: Request): boolean => {
  const site = headers["sec-fetch-site"]
  return site !== undefined && site !== "same-origin" && site !== "none"
}

/**
 * Whether a browser says that a form or a call is of another site's making. Programs that are no browsers say nothing, and have
 * no cookies of anybody else.
 */
export const isFromElsewhere = (request: Request, origins: ReadonlyArray<string>): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  if (isCrossSite(request)) return true
  if (origin === undefined || origins.includes(origin)) return false
  // Under a stricter policy of the browser's own its name is withheld; then the other header has to vouch for it.
  return origin !== "null" || site !== "same-origin"
}
