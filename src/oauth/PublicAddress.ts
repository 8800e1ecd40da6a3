import { Config, Context, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { publicUrl } from "../http/PublicUrl.ts"

const production = Config.String("NODE_ENV").pipe(
  Config.withDefault("development"),
  Config.map((mode) => mode === "production")
)

/** Names of this very machine: who develops types now one, now another. */
const loopback = ["127.0.0.1", "localhost", "[::1]"]

/**
 * Where the tool server is, as clients see it: what tokens are issued for and what they must name as their audience.
 * It comes from `FOOTNOTE_PUBLIC_URL`, never from a request's headers; without it, it is the address that the server listens on.
 */
export class PublicAddress extends Context.Service<PublicAddress, {
  /** Scheme, host and port; also the issuer of our own tokens. */
  readonly origin: string
  /** The canonical URI of the tool server (RFC 8707), then the same under other names of this machine where none is public. */
  readonly resources: ReadonlyArray<string>
  readonly origins: ReadonlyArray<string>
  /** The resource and its metadata's address (RFC 9728, 3.1), under the name that a client called it by if that is known. */
  readonly calledBy: (host: string | undefined) => { readonly resource: string; readonly metadata: string }
}>()("footnote/oauth/PublicAddress") {
  static readonly layer = Layer.effect(
    PublicAddress,
    Effect.gen(function*() {
      const configured = yield* publicUrl
      const { address } = yield* HttpServer.HttpServer
      const port = address._tag === "UnixPathAddress" ? 80 : address.port
      const origins = Option.isSome(configured)
        ? [configured.value.origin]
        : loopback.map((host) => new URL(`http://${host}:${port}`).origin)
      const origin = origins[0]!
      if ((yield* production) && !origin.startsWith("https:")) {
        yield* Effect.logWarning(
          `Tokens of the tool server are issued for ${origin}. Set FOOTNOTE_PUBLIC_URL to the https address of the service.`
        )
      }
      return PublicAddress.of({
        origin,
        resources: origins.map((origin) => `${origin}/mcp`),
        origins,
        calledBy: (host) => {
          const known = origins.find((origin) => new URL(origin).host === host) ?? origin
          return { resource: `${known}/mcp`, metadata: `${known}/.well-known/oauth-protected-resource/mcp` }
        }
      })
    })
  )
}
