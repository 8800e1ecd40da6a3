import { Config, Effect, Option } from "effect"
import { configInvalid } from "../observability/Configuration.ts"
import { address, setting, text, whole } from "../observability/Setting.ts"
import { isProduction } from "./Production.ts"

const defaultHost = "127.0.0.1"
const defaultPort = 8080

/** `HOST` and `PORT`: where the API listens; port 0 is one of the system's choice. Every process of a deployment is told the same. */
export const listenHost = setting("HOST", text, {
  otherwise: defaultHost,
  meaning: "where the API listens; delivery workers are told the same, for links"
})
export const listenPort = setting("PORT", whole, {
  otherwise: defaultPort,
  meaning: "the port that the API listens on, told to delivery workers too; with `0` the system picks one"
}).pipe(
  Config.mapEffect((port) =>
    port >= 0 && port <= 65_535
      ? Effect.succeed(port)
      : Effect.fail(configInvalid("PORT must be a port, 1 to 65535, or 0 for one of the system's choice"))
  )
)

/** `FOOTNOTE_PUBLIC_URL`: where callers reach the service, such as `https://api.example.com`. An https one turns on HSTS. */
export const publicUrl: Config.Config<Option.Option<URL>> = Config.option(
  setting("FOOTNOTE_PUBLIC_URL", address, {
    without: "`http://HOST:PORT`",
    meaning:
      "how receivers and clients reach the API: the server of `/openapi.json`, for links in what is delivered, as issuer "
      + "of the tool server's tokens and as what they must name as audience. https in production, without a path; an https one turns on HSTS"
  })
).pipe(
  Config.mapEffect((text) => {
    if (Option.isNone(text) || text.value === "") return Effect.succeedNone
    const url = URL.parse(text.value)
    return url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.search === "" &&
        url.hash === ""
      ? Effect.succeedSome(url)
      : Effect.fail(configInvalid("FOOTNOTE_PUBLIC_URL must be an http or https address without query"))
  })
)

/** All interfaces of the machine; its own programs call it by the first of its names. */
const wildcards = new Set(["", "0.0.0.0", "::"])

/** Names of this very machine: who develops types now one, now another. */
const loopback = ["127.0.0.1", "localhost", "::1"]

const originOf = (host: string, port: number): string =>
  new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}`).origin

/** The origins by which a service that listens there is called without a public address, the first before all others. */
export const listeningOrigins = (host: string, port: number): readonly [string, ...ReadonlyArray<string>] => {
  const names = wildcards.has(host) ? loopback : [host, ...(loopback.includes(host) ? loopback : [])]
  const [first, ...others] = new Set(names.map((name) => originOf(name, port)))
  return [first!, ...others]
}

/** Where a service without any setting is called. */
export const defaultAddress = listeningOrigins(defaultHost, defaultPort)[0]

/** An address that paths are put after, so without the slash at its end. */
export const baseOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/u, "")}`

/**
 * The base of links for processes that do not listen themselves: `FOOTNOTE_PUBLIC_URL`, else where the API listens by
 * `HOST` and `PORT`. Fails where only the API could know, because the system picks its port.
 */
export const serviceAddress: Config.Config<string> = Config.all({
  configured: publicUrl,
  host: listenHost,
  port: listenPort
})
  .pipe(
    Config.mapEffect(({ configured, host, port }) => {
      if (Option.isSome(configured)) return Effect.succeed(baseOf(configured.value))
      return port === 0
        ? Effect.fail(configInvalid("FOOTNOTE_PUBLIC_URL must be set where PORT is 0: links need an address"))
        : Effect.succeed(listeningOrigins(host, port)[0])
    })
  )

/** Warns in production where an address that goes out to others is none that they can reach safely; `use` says what has it. */
export const warnUnlessPublic = Effect.fnUntraced(function*(address: string, use: string) {
  if (!(yield* isProduction) || address.startsWith("https:")) return
  yield* Effect.logWarning(`${use} ${address}. Set FOOTNOTE_PUBLIC_URL to the https address of the service.`)
})
