import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PublicAddress } from "../web/server/PublicAddress.ts"
import { AccessTokens, scope } from "./AccessTokens.ts"

/** RFC 9728: who gives tokens for the tool server. At the root too, where older clients look. */
export const layerResourceMetadata = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { issuer } = yield* AccessTokens
  const { calledBy } = yield* PublicAddress
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] as const) {
    yield* router.add("GET", path, (request) =>
      Effect.succeed(
        HttpServerResponse.jsonUnsafe({
          resource: calledBy(request.headers["host"]).resource,
          authorization_servers: [issuer],
          scopes_supported: [scope],
          bearer_methods_supported: ["header"],
          resource_name: "Footnote"
        })
      ))
  }
}))
