import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns"
import type { LookupFunction } from "node:net"
import { Agent } from "undici"
import { isAddressAllowed, type SourcePolicy } from "./SourcePolicy.ts"

/** A name resolved to an address that may not be reached. */
export class AddressBlocked extends Error {
  override readonly name = "AddressBlocked"
}

export type Resolver = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

/**
 * Answers with the addresses of a name only when every one of them is allowed: a name with one public and one private
 * address is a trap. The socket connects to this very answer, so a second resolution cannot differ.
 */
const guardedLookup = (policy: SourcePolicy, resolve: Resolver): LookupFunction => (host, options, callback) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0)
    const first = addresses[0]
    if (first === undefined || addresses.some(({ address }) => !isAddressAllowed(policy, address))) {
      return callback(new AddressBlocked("The host is not a public one."), "", 0)
    }
    if (options.all === true) return callback(null, [...addresses])
    callback(null, first.address, first.family)
  })
}

export interface Deadlines {
  readonly connect_ms: number
  readonly headers_ms: number
  /** Longest silence within a body. */
  readonly body_ms: number
}

/**
 * Connections that never reach an address outside of the policy by name. A literal address is not resolved and must be
 * checked before each request; redirects are never followed here.
 */
export const makeGuardedAgent = (
  policy: SourcePolicy,
  deadlines: Deadlines,
  resolve: Resolver = systemLookup as Resolver
): Agent =>
  new Agent({
    allowH2: false,
    headersTimeout: deadlines.headers_ms,
    bodyTimeout: deadlines.body_ms,
    connect: { lookup: guardedLookup(policy, resolve), timeout: deadlines.connect_ms }
  })
