import { Config, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"
import { configInvalid } from "../../observability/Configuration.ts"
import { list, setting } from "../../observability/Setting.ts"

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const address = text.trim().replace(/^\[(.*)\](:\d+)?$/u, "$1")
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

const mostPeers = 1000
const peers = new Map<string, ReturnType<typeof parse>>()

/** As `parse`, for those who are connected: one asks many times, and behind a proxy all are one. */
const parsePeer = (text: string) => {
  const known = peers.get(text)
  if (known !== undefined) return known
  if (peers.size >= mostPeers) peers.clear()
  const address = parse(text)
  peers.set(text, address)
  return address
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
export const trustedProxies: Config.Config<ReadonlyArray<Range>> = setting("TRUST_PROXY", list, {
  otherwise: "",
  meaning: "addresses and CIDRs of proxies whose `X-Forwarded-For` is believed"
}).pipe(
  Config.mapEffect((text) =>
    Effect.try({
      try: () => text.split(",").map((part) => part.trim()).filter((part) => part !== "").map(rangeOf),
      catch: () => configInvalid("TRUST_PROXY must be addresses or CIDR ranges with commas, such as 10.0.0.0/8")
    })
  )
)

const isTrusted = (proxies: ReadonlyArray<Range>, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  proxies.some(([range, bits]) => range.kind() === address.kind() && address.match([range, bits] as never))

const block = (address: ipaddr.IPv6, bits: 48 | 64): string => {
  const kept = address.parts.slice(0, bits / 16)
  return `${new ipaddr.IPv6([...kept, ...Array.from<number>({ length: 8 - kept.length }).fill(0)]).toString()}/${bits}`
}

/**
 * Where a request comes from: its peer, or, where that is a trusted proxy, the last address of `X-Forwarded-For` that is
 * none. What cannot be read ends the walk at the proxy that sent it; without a peer it is `unknown`.
 */
const sender = (
  request: HttpServerRequest.HttpServerRequest,
  proxies: ReadonlyArray<Range>
): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  let client = Option.match(request.remoteAddress, { onNone: () => undefined, onSome: parsePeer })
  if (proxies.length === 0) return client
  const hops = (request.headers["x-forwarded-for"] ?? "").split(",").toReversed()
  for (const hop of hops) {
    if (client === undefined || !isTrusted(proxies, client)) break
    const before = parse(hop)
    if (before === undefined) break
    client = before
  }
  return client
}

/** What one caller is counted by: IPv6 callers own a whole /64, so one of its addresses says no more than another. */
export const clientAddress = (
  request: HttpServerRequest.HttpServerRequest,
  proxies: ReadonlyArray<Range>
): string => {
  const client = sender(request, proxies)
  return client instanceof ipaddr.IPv6 ? block(client, 64) : client?.toString() ?? "unknown"
}

/** The /48 of an IPv6 caller, which a site is given as a whole; undefined for every other. */
export const clientSite = (
  request: HttpServerRequest.HttpServerRequest,
  proxies: ReadonlyArray<Range>
): string | undefined => {
  const client = sender(request, proxies)
  return client instanceof ipaddr.IPv6 ? block(client, 48) : undefined
}
