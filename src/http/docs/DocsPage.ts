import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Api } from "../../api/Api.ts"
import { PublicAddress } from "../../web/server/PublicAddress.ts"
import { withoutParameters } from "../../web/server/QueryParameters.ts"
import { tagged } from "../middleware/EntityTag.ts"
import { docsHtml } from "./DocsHtml.ts"
import { frontPage } from "./FrontPage.ts"

/** The page loads its own two files and asks this service alone; nothing from elsewhere is loaded, run or told. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob:",
  "media-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const fileOf = (name: string, contentType: string) => {
  const text = readFileSync(new URL(name, import.meta.url), "utf8")
  const [stem, extension] = name.split(".")
  return { text, contentType, path: `docs/${stem}.${sha256(text).slice(0, 16)}.${extension}` } as const
}

/** Named by what is in it, so whoever has it need never ask again. */
const forever = { "cache-control": "public, max-age=31536000, immutable" }

const underPolicy = HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy)

/** `GET` of this path: the API's description for people, with a form to try each operation; and `GET /`, which leads there. */
export const layerDocsPage = (path: "/docs") =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const { base_url } = yield* PublicAddress
    const files = {
      style: fileOf("page.css", "text/css; charset=utf-8"),
      script: fileOf("page.js", "text/javascript; charset=utf-8")
    }
    const html = docsHtml(OpenApi.fromApi(Api), base_url, { style: files.style.path, script: files.script.path })
    const page = tagged(sha256(html), "html", () =>
      HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8" }))
    // On 304 too: what it says of a policy replaces what the browser kept.
    yield* router.add(
      "GET",
      path,
      withoutParameters(Effect.map(page, underPolicy))
    )
    yield* router.add("GET", "/", withoutParameters(Effect.map(frontPage(base_url), underPolicy)))
    for (const { contentType, path, text } of Object.values(files)) {
      yield* router.add(
        "GET",
        `/${path}`,
        Effect.succeed(HttpServerResponse.text(text, { contentType, headers: forever }))
      )
    }
    const icon = readFileSync(new URL("favicon.svg", import.meta.url), "utf8")
    yield* router.add(
      "GET",
      "/favicon.ico",
      withoutParameters(Effect.succeed(
        HttpServerResponse.text(icon, {
          contentType: "image/svg+xml",
          headers: { "cache-control": "public, max-age=86400" }
        })
      ))
    )
  }))
