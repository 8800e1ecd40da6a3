import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ErrorEnvelope } from "../../errors/ErrorEnvelope.ts"
import { escapeHtml, styleSource } from "../../web/server/Html.ts"

type Told = typeof ErrorEnvelope.Type["error"]

const style =
  `:root{color-scheme:light dark;--ink:#1c1d20;--soft:#5b5e66;--line:#c9ccd3;--page:#f4f5f7;--sheet:#fff;--deed:#1f4fd1}
@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--soft:#a9adb8;--line:#4a4e59;--page:#16171b;--sheet:#212329;--deed:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:1.5rem 1.25rem 2rem;background:var(--sheet);min-height:100vh}
@media(min-width:38rem){main{margin:1.5rem auto;padding:1.5rem 2.25rem 1.75rem;min-height:0;border:1px solid var(--line);border-radius:.75rem}}
.brand{margin:0 0 1.25rem;color:var(--soft);font-weight:600}
h1{margin:0 0 1rem;font-size:1.4rem;line-height:1.25}
p,ul,dl{margin:0 0 1rem;overflow-wrap:anywhere}
ul{padding-left:1.2rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem;color:var(--soft);font-size:.9rem}
dd{margin:0;font-family:ui-monospace,monospace}
a{color:var(--deed)}
:focus-visible{outline:3px solid var(--deed);outline-offset:2px}`

/** Loads nothing, runs nothing, sends nothing and is framed by nobody. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${styleSource(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const headingOf = (status: number): string => {
  switch (status) {
    case 401:
      return "Sign in to see this"
    case 404:
    case 410:
      return "There is nothing here"
    case 429:
      return "Too many requests"
    case 503:
      return "Not now"
    default:
      return status >= 500 ? "Something went wrong" : "This cannot be shown"
  }
}

/** From a path to the root by steps upwards: behind a proxy the browser knows better than we do where that is. */
const rootFrom = (url: string): string => "../".repeat(url.split("?", 1)[0]!.split("/").length - 2) || "./"

/** Where the application shows what an address of the API names: the job, or all of them. */
const inApp = (url: string): string => {
  const [, job] = /^\/v1\/jobs\/(job_[0-9a-z_-]{1,76})(?:[/?]|$)/u.exec(url) ?? []
  return job === undefined ? "app/" : `app/#/jobs/${job}`
}

const pageOf = (status: number, { code, details = [], message, request_id }: Told, url: string): string => {
  const root = rootFrom(url)
  const wrong = details.map(({ message, path }) =>
    `<li>${path === "" ? "" : `<code>${escapeHtml(path)}</code>: `}${escapeHtml(message)}</li>`
  )
  const next = status === 401
    ? `<p>This is an address of the API, for programs that send a key. <a href="${root}${
      inApp(url)
    }">Sign in with an API key</a> to see what it is about.</p>`
    : `<p><a href="${root}app/">To the application</a> · <a href="${root}docs">What the API answers</a></p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${headingOf(status)} – Footnote</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="brand">Footnote</p>
<h1>${headingOf(status)}</h1>
<p>${escapeHtml(message)}</p>
${wrong.length === 0 ? "" : `<ul>${wrong.join("")}</ul>\n`}${next}
<dl><dt>Code</dt><dd>${escapeHtml(code)}</dd><dt>Request</dt><dd>${escapeHtml(request_id)}</dd></dl>
</main>
</body>
</html>
`
}

/** How much a media type is wanted, 0 to 1, by the most particular range that it is in (RFC 9110, 12.5.1). */
const wish = (accept: string, type: string): number => {
  const wishes = new Map(
    accept.split(",").map((range) => {
      const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith("q="))
      return [name, q === undefined ? 1 : Number(q.slice(2))] as const
    })
  )
  return wishes.get(type) ?? wishes.get(`${type.split("/")[0]}/*`) ?? wishes.get("*/*") ?? 0
}

/** Whether a person looks at the answer: a browser that goes to an address wants a page before all, and no program does. */
const isForPerson = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean => {
  const accept = headers["accept"]
  return (method === "GET" || method === "HEAD") && accept !== undefined && accept.includes("text/html")
    && wish(accept, "text/html") > wish(accept, "application/json")
}

const envelopeIn = Schema.decodeUnknownOption(Schema.fromJsonString(ErrorEnvelope))

/** Nothing where the answer is another one than the API's, such as those of OAuth. */
const toldIn = ({ body }: HttpServerResponse.HttpServerResponse): Option.Option<Told> => {
  if (body._tag !== "Uint8Array" || body.contentType !== "application/json") return Option.none()
  return Option.map(envelopeIn(Buffer.from(body.body).toString()), ({ error }) => error)
}

/**
 * Shows an error to a person as a page, with the code and the id that a program would be told, and where to sign in; with the
 * same status and headers. Whoever does not ask for HTML before JSON is answered in JSON.
 */
export const readable = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function*() {
    const response = yield* app
    if (response.status < 400) return response
    const request = yield* HttpServerRequest.HttpServerRequest
    const told = isForPerson(request) ? toldIn(response) : Option.none()
    if (Option.isNone(told)) return response
    const { "content-length": _length, "content-type": _type, ...headers } = response.headers
    return HttpServerResponse.text(pageOf(response.status, told.value, request.url), {
      status: response.status,
      contentType: "text/html; charset=utf-8",
      headers: { ...headers, vary: "accept", "content-security-policy": contentSecurityPolicy }
    })
  })
