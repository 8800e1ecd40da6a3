import { Effect, Layer, Option } from "effect"
import { AuthorizationServer, layerOwnTokens } from "./AuthorizationServer.ts"
import { layerOAuthRoutes } from "./OAuthRoutes.ts"
import { layerOutsideTokens, outsideIssuer } from "./OutsideIssuer.ts"
import { layerResourceMetadata } from "./ResourceMetadata.ts"
import { layerSignIn } from "./SignIn.ts"

const Own = Layer.mergeAll(layerOAuthRoutes, layerSignIn).pipe(
  Layer.provideMerge(layerOwnTokens),
  Layer.provide(AuthorizationServer.layer)
)

/**
 * Everything that has to do with tokens of the tool server: their issuer, which is this service unless
 * `FOOTNOTE_OAUTH_ISSUER` names another one, and the metadata that tells clients so.
 */
export const layer = Layer.unwrap(
  Effect.map(outsideIssuer, (outside) => Option.isNone(outside) ? Own : layerOutsideTokens(outside.value))
).pipe(
  (tokens) => Layer.provideMerge(layerResourceMetadata, tokens)
)
