import { Config, Effect } from "effect"
import ipaddr from "ipaddr.js"
import { isIP } from "node:net"
import { list, setting } from "../observability/Setting.ts"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The allow list against SSRF: which addresses and ports sources may be fetched from and deliveries sent to. */
export interface AddressPolicy {
  /** Networks that are reachable although they are not public, as the operator lists them. */
  readonly allow_private: ReadonlyArray<readonly [Address, number]>
  readonly allow_ports: ReadonlySet<number>
}

/** `SOURCE_ALLOW_PRIVATE` or `SOURCE_ALLOW_PORTS` cannot be read: the service must not start with a guess. */
export class AddressPolicyInvalid extends Error {
  override readonly name = "AddressPolicyInvalid"
}

const usualPorts = [80, 443] as const

const items = (list: string) => list.split(",").map((item) => item.trim()).filter((item) => item !== "")

const cidr = (text: string): readonly [Address, number] => {
  if (!ipaddr.isValidCIDR(text)) {
    throw new AddressPolicyInvalid(`SOURCE_ALLOW_PRIVATE must be networks in CIDR form, which ${text} is not`)
  }
  return ipaddr.parseCIDR(text)
}

const port = (text: string): number => {
  if (!/^\d{1,5}$/u.test(text) || Number(text) < 1 || Number(text) > 65535) {
    throw new AddressPolicyInvalid(`SOURCE_ALLOW_PORTS must be ports, which ${text} is not`)
  }
  return Number(text)
}

/**
 * Public addresses on ports 80 and 443, plus what the two comma-separated lists add. Throws `AddressPolicyInvalid` for
 * a list that cannot be read.
 */
export const makeAddressPolicy = (lists: {
  readonly allow_private?: string
  readonly allow_ports?: string
} = {}): AddressPolicy => ({
  allow_private: items(lists.allow_private ?? "").map(cidr),
  allow_ports: new Set([...usualPorts, ...items(lists.allow_ports ?? "").map(port)])
})

/** The deployment's policy: `SOURCE_ALLOW_PRIVATE` (CIDRs) and `SOURCE_ALLOW_PORTS`, both comma-separated. */
export const addressPolicyConfig: Config.Config<AddressPolicy> = Config.all({
  allow_private: setting("SOURCE_ALLOW_PRIVATE", list, {
    otherwise: "",
    meaning:
      "CIDRs that sources, webhooks and destinations may reach although they are not public; where any is given, names of one "
      + "label are tried too"
  }),
  allow_ports: setting("SOURCE_ALLOW_PORTS", list, {
    otherwise: "",
    without: "80, 443",
    meaning:
      "further ports, of every address and name. Without any, an address of `SOURCE_ALLOW_PRIVATE` that is written as a number is "
      + "reached on every port, so list single hosts there, or ports here"
  })
}).pipe(Config.mapEffect((lists) => Effect.sync(() => makeAddressPolicy(lists))))

const publicV6 = ipaddr.parseCIDR("2000::/3")

/** `::ffff:a.b.c.d` reaches a.b.c.d, so it is judged as a.b.c.d. */
const parse = (text: string): Address | undefined => {
  const bare = text.replace(/^\[|\]$/gu, "").replace(/%.*$/u, "")
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}

const within = (address: Address, [network, bits]: readonly [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

const isAllowListed = (policy: AddressPolicy, text: string): boolean => {
  const address = parse(text)
  return address !== undefined && policy.allow_private.some((network) => within(address, network))
}

/**
 * The SSRF table: true only for a public unicast address or one on the allow list; whatever cannot be parsed is refused. IPv6 must lie
 * in 2000::/3 as well, because `::127.0.0.1` and `100:0:0:1::` count as unicast by range alone.
 */
export const isAddressAllowed = (policy: AddressPolicy, text: string): boolean => {
  const address = parse(text)
  if (address === undefined) return false
  if (policy.allow_private.some((network) => within(address, network))) return true
  if (address.range() !== "unicast") return false
  return address.kind() === "ipv4" || within(address, publicV6)
}

/** The host without the brackets of an IPv6 literal. */
const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/gu, "")

/** Names that never leave the machine or the local network, whatever a resolver says (RFC 6761, 6762, 7686, 8375, 9476). */
const localName = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa|alt|onion)\.?$/u

/** A name of one label is completed by the machine's search domains: it means a neighbour, if anything. */
const singleLabel = /^[^.]+\.?$/u

/**
 * What can be said of an http(s) URL without resolving its name: undefined when it may be tried, else why not. Every
 * redirect target goes through it too, because a connection to a literal address never asks the resolver.
 */
export const forbiddenUrl = (url: URL, policy: AddressPolicy): string | undefined => {
  if (url.protocol !== "http:" && url.protocol !== "https:") return `The scheme ${url.protocol} cannot be fetched.`
  if (url.username !== "" || url.password !== "") return "A URL with a user name or password is refused."
  const host = bareHost(url)
  if (host === "") return "The URL names no host."
  const literal = isIP(host) !== 0
  if (literal && !isAddressAllowed(policy, host)) return "The address is not a public one."
  const listed = literal && isAllowListed(policy, host)
  if (!literal && localName.test(host)) return "The host is not a public one."
  // Where the operator lets private addresses in, a neighbour's name may lead to one of them: the resolver's answer decides.
  if (!literal && singleLabel.test(host) && policy.allow_private.length === 0) return "The host is not a public one."
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)
  if (policy.allow_ports.has(port)) return undefined
  // Where the operator lists ports, these are all that there are, of a listed network too: the others may be services of its inside.
  const anyPort = listed && policy.allow_ports.size === usualPorts.length
  return anyPort ? undefined : `Port ${port} is not allowed; ${[...policy.allow_ports].join(", ")} are.`
}
