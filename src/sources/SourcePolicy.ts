import { Config, Effect } from "effect"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Which addresses and ports sources may be fetched from. */
export interface SourcePolicy {
  /** Networks that are reachable although they are not public, as the operator lists them. */
  readonly allow_private: ReadonlyArray<readonly [Address, number]>
  readonly allow_ports: ReadonlySet<number>
}

/** `SOURCE_ALLOW_PRIVATE` or `SOURCE_ALLOW_PORTS` cannot be read: the service must not start with a guess. */
export class SourcePolicyInvalid extends Error {
  override readonly name = "SourcePolicyInvalid"
}

const items = (list: string) => list.split(",").map((item) => item.trim()).filter((item) => item !== "")

const cidr = (text: string): readonly [Address, number] => {
  if (!ipaddr.isValidCIDR(text)) {
    throw new SourcePolicyInvalid(`SOURCE_ALLOW_PRIVATE must be networks in CIDR form, which ${text} is not`)
  }
  return ipaddr.parseCIDR(text)
}

const port = (text: string): number => {
  if (!/^\d{1,5}$/u.test(text) || Number(text) < 1 || Number(text) > 65535) {
    throw new SourcePolicyInvalid(`SOURCE_ALLOW_PORTS must be ports, which ${text} is not`)
  }
  return Number(text)
}

/**
 * Public addresses on ports 80 and 443, plus what the two comma-separated lists add. Throws `SourcePolicyInvalid` for
 * a list that cannot be read.
 */
export const makeSourcePolicy = (lists: {
  readonly allow_private?: string
  readonly allow_ports?: string
} = {}): SourcePolicy => ({
  allow_private: items(lists.allow_private ?? "").map(cidr),
  allow_ports: new Set([80, 443, ...items(lists.allow_ports ?? "").map(port)])
})

/** The deployment's policy: `SOURCE_ALLOW_PRIVATE` (CIDRs) and `SOURCE_ALLOW_PORTS`, both comma-separated. */
export const sourcePolicyConfig: Config.Config<SourcePolicy> = Config.all({
  allow_private: Config.String("SOURCE_ALLOW_PRIVATE").pipe(Config.withDefault("")),
  allow_ports: Config.String("SOURCE_ALLOW_PORTS").pipe(Config.withDefault(""))
}).pipe(Config.mapEffect((lists) => Effect.sync(() => makeSourcePolicy(lists))))

const publicV6 = ipaddr.parseCIDR("2000::/3")

/** `::ffff:a.b.c.d` reaches a.b.c.d, so it is judged as a.b.c.d. */
const parse = (text: string): Address | undefined => {
  const bare = text.replace(/^\[|\]$/gu, "").replace(/%.*$/u, "")
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}

const within = (address: Address, [network, bits]: readonly [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

export const isAllowListed = (policy: SourcePolicy, text: string): boolean => {
  const address = parse(text)
  return address !== undefined && policy.allow_private.some((network) => within(address, network))
}

/**
 * True only for a public unicast address or one on the allow list; whatever cannot be parsed is refused. IPv6 must lie
 * in 2000::/3 as well, because `::127.0.0.1` and `100:0:0:1::` count as unicast by range alone.
 */
export const isAddressAllowed = (policy: SourcePolicy, text: string): boolean => {
  const address = parse(text)
  if (address === undefined) return false
  if (policy.allow_private.some((network) => within(address, network))) return true
  if (address.range() !== "unicast") return false
  return address.kind() === "ipv4" || within(address, publicV6)
}
