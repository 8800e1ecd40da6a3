import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { extname } from "node:path"
import { tagged } from "../middleware/EntityTag.ts"

/** The page runs and loads what this service serves and nothing else; nothing is in line. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
}

const built = new URL("../../../app/built/served/", import.meta.url)

/** Named by what is in them, so whoever has them need never ask again. */
const assets = readdirSync(new URL("assets/", built)).map((name) => ({
  path: `/app/assets/${name}` as const,
  contentType: types[extname(name)] ?? "application/octet-stream",
  bytes: new Uint8Array(readFileSync(new URL(`assets/${name}`, built)))
}))

/** The paths of the application, each of which is answered to `GET`. */
export const appPaths: ReadonlyArray<string> = ["/app", ...assets.map(({ path }) => path)]

/** `GET /app/`: the application for people, with the files that it is built of. It asks for everything by the API, with a session. */
export const layerAppPage = Layer.effectDiscard(Effect.gen(function*() {
  const router = yield* HttpRouter.HttpRouter
  const html = readFileSync(new URL("index.html", built), "utf8")
  const sha256 = createHash("sha256").update(html).digest("hex")
  const page = tagged(sha256, "html", () => HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8" }))
  // On 304 too: what it says of a policy replaces what the browser kept.
  const underPolicy = Effect.map(page, HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy))
  yield* router.add(
    "GET",
    "/app",
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      // The files beside the page are named relative to it.
      ({ url }) =>
        /^\/app(?:\?|$)/u.test(url) ? Effect.succeed(HttpServerResponse.redirect("app/", { status: 302 })) : underPolicy
    )
  )
  for (const { bytes, contentType, path } of assets) {
    yield* router.add(
      "GET",
      path,
      Effect.succeed(
        HttpServerResponse.uint8Array(bytes, {
          contentType,
          headers: { "cache-control": "public, max-age=31536000, immutable" }
        })
      )
    )
  }
}))
