import { Context, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { baseOf, listeningOrigins, publicUrl, warnUnlessPublic } from "../../processes/ServiceAddress.ts"

const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/[[\]]/gu, "")
const portOf = ({ port }: URL): number => Number(port || "80")

/** Names of this very machine, as an address has them. */
const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])

/**
 * The origins of the public address, its own first. One of this machine has all of its names, also where an operator named one: who signs in
 * by another would be told that they come from elsewhere. A name that others reach it by has no second one.
 */
const originsOf = (address: URL): readonly [string, ...ReadonlyArray<string>] =>
  address.protocol === "http:" && loopback.has(address.hostname)
    ? listeningOrigins(hostOf(address), portOf(address))
    : [address.origin]

/**
 * Where the service is, as callers see it: the server of the API document, what tokens are issued for and what they must name
 * as their audience. It comes from `FOOTNOTE_PUBLIC_URL`, never from a request's headers; without it, it is the address that the server listens on.
 */
export class PublicAddress extends Context.Service<PublicAddress, {
  /** What paths of the API are put after. */
  readonly base_url: string
  /** Scheme, host and port; also the issuer of our own tokens. */
  readonly origin: string
  /** The canonical URI of the tool server (RFC 8707), then the same under other names of this machine where none is public. */
  readonly resources: ReadonlyArray<string>
  readonly origins: ReadonlyArray<string>
  /** The resource and its metadata's address (RFC 9728, 3.1), under the name that a client called it by if that is known. */
  readonly calledBy: (host: string | undefined) => { readonly resource: string; readonly metadata: string }
}>()("footnote/web/server/PublicAddress") {
  static readonly layer = Layer.effect(
    PublicAddress,
    Effect.gen(function*() {
      const configured = yield* publicUrl
      const { address } = yield* HttpServer.HttpServer
      const listening = new URL(
        address._tag === "UnixPathAddress" ? "http://localhost" : HttpServer.formatAddress(address)
      )
      const origins = Option.isSome(configured)
        ? originsOf(configured.value)
        : listeningOrigins(hostOf(listening), portOf(listening))
      const [origin] = origins
      yield* warnUnlessPublic(origin, "Tokens of the tool server are issued for")
      return PublicAddress.of({
        base_url: Option.isSome(configured) ? baseOf(configured.value) : origin,
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
