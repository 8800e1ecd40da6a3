import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

const html = (style: string) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Footnote</title>
<link rel="icon" href="favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
</head>
<body class="front">
<main>
<h1>Footnote</h1>
<p>Footage in, facts out, each with a footnote to its moment.</p>
<ul>
<li><a href="docs">The API</a>, with a guide and a form to try each request</li>
<li><a href="openapi.json">openapi.json</a>, for generators of clients</li>
<li><code>mcp</code>, the address of the tool server for models</li>
<li><a href="readyz">readyz</a>: whether the service can work</li>
</ul>
<p>An API key comes from whoever runs this service: <code>npm run tenants</code> makes one.</p>
</main>
</body>
</html>
`

/** `GET /` as a page for whoever asks for one, else as JSON: where to go from here. */
export const frontPage = (base_url: string, style: string) => {
  const page = HttpServerResponse.text(html(style), { contentType: "text/html; charset=utf-8" })
  const json = HttpServerResponse.jsonUnsafe({
    name: "Footnote",
    docs: `${base_url}/docs`,
    openapi: `${base_url}/openapi.json`,
    tools: `${base_url}/mcp`
  })
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const wanted = /\btext\/html\b/u.test(headers["accept"] ?? "") ? page : json
    return HttpServerResponse.setHeader(wanted, "vary", "accept")
  })
}
