import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** `GET /` leads whoever asks for a page to the application, and tells anybody else as JSON where to go from here. */
export const frontPage = (base_url: string) => {
  const json = HttpServerResponse.jsonUnsafe({
    name: "Footnote",
    app: `${base_url}/app/`,
    docs: `${base_url}/docs`,
    openapi: `${base_url}/openapi.json`,
    tools: `${base_url}/mcp`
  })
  // Relative: behind a proxy the browser knows better than we do where it is.
  const page = HttpServerResponse.redirect("app/", { status: 302 })
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const wanted = /\btext\/html\b/u.test(headers["accept"] ?? "") ? page : json
    return HttpServerResponse.setHeader(wanted, "vary", "accept")
  })
}
