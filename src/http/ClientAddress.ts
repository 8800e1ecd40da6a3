import { Config, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"
import { configInvalid } from "../observability/Configuration.ts"

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const address = text.trim().replace(/^\[(.*)\](:\d+)?$/u, "$1")
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

const rangeOf = (text: string): Range => {
  if (text.includes("/")) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === "ipv4" ? 32 : 128]
}

/**
 * `TRUST_PROXY`: the proxies whose `X-Forwarded-For` is believed, as addresses and CIDR ranges with commas. None by
 * default: then the header says nothing, because any caller can send it.
 */
export const trustedProxies: Config.Config<ReadonlyArray<Range>> = Config.String("TRUST_PROXY").pipe(
  Config.withDefault(""),
  Config.mapEffect((text) =>
    Effect.try({
      try: () => text.split(",").map((part) => part.trim()).filter((part) => part !== "").map(rangeOf),
      catch: () => configInvalid("TRUST_PROXY must be addresses or CIDR ranges with commas, such as 10.0.0.0/8")
    })
  )
)

const isTrusted = (proxies: ReadonlyArray<Range>, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  proxies.some(([range, bits]) => range.kind() === address.kind() && address.match([range, bits] as never))

/** What one caller is counted by: IPv6 callers own a whole /64, so one of its addresses says no more than another. */
const countedAs = (address: ipaddr.IPv4 | ipaddr.IPv6): string =>
  address instanceof ipaddr.IPv6
    ? `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
    : address.toString()

/**
 * Where a request comes from: its peer, or, where that is a trusted proxy, the last address of `X-Forwarded-For` that is
 * none. What cannot be read ends the walk at the proxy that sent it; without a peer it is `unknown`.
 */
export const clientAddress = (
  request: HttpServerRequest.HttpServerRequest,
  proxies: ReadonlyArray<Range>
): string => {
  let client = Option.match(request.remoteAddress, { onNone: () => undefined, onSome: parse })
  if (client === undefined) return "unknown"
  const hops = (request.headers["x-forwarded-for"] ?? "").split(",").toReversed()
  for (const hop of hops) {
    if (!isTrusted(proxies, client)) break
    const before = parse(hop)
    if (before === undefined) break
    client = before
  }
  return countedAs(client)
}
