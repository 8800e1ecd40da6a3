import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { Agent, buildConnector } from "undici"
import { type AddressPolicy, isAddressAllowed } from "./AddressPolicy.ts"

/** A connection was about to be made to an address that may not be reached. */
class AddressBlocked extends Error {
  override readonly name = "AddressBlocked"
}

/** Whether a request failed because of `AddressBlocked`, however deep the library has wrapped it. */
export const isAddressBlocked = (error: unknown): boolean =>
  error instanceof AddressBlocked
  || (error instanceof Error && error.cause !== undefined && isAddressBlocked(error.cause))
  || (error instanceof AggregateError && error.errors.some(isAddressBlocked))

const unconnected = new WeakSet<Error>()

/** Whether this is why a guarded agent got no connection: then no byte of a request that fails with it has left. */
export const isUnconnected = (error: unknown): boolean => error instanceof Error && unconnected.has(error)

export type Resolver = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

const blocked = () => new AddressBlocked("The host is not a public one.")

/**
 * The guard against DNS rebinding: answers with the addresses of a name only when every one of them is allowed: a name with one public and one private
 * address is a trap. The socket connects to this very answer, so a second resolution cannot differ.
 */
const guardedLookup = (policy: AddressPolicy, resolve: Resolver): LookupFunction => (host, options, callback) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0)
    const first = addresses[0]
    if (first === undefined || addresses.some(({ address }) => !isAddressAllowed(policy, address))) {
      return callback(blocked(), "", 0)
    }
    if (options.all === true) return callback(null, [...addresses])
    callback(null, first.address, first.family)
  })
}

export interface Deadlines {
  /** Until the connection stands, its encryption included. */
  readonly connect_ms: number
  readonly headers_ms: number
  /** Longest silence within a body. */
  readonly body_ms: number
}

/**
 * The SSRF guard: connections that never reach an address outside of the policy: a name by what it resolves to, a literal address, which
 * no resolver is asked for, by itself. Redirects are never followed here. A request that would fails with
 * `AddressBlocked`, before any socket is opened.
 */
export const makeGuardedAgent = (
  policy: AddressPolicy,
  deadlines: Deadlines,
  resolve: Resolver = systemLookup as Resolver
): Agent => {
  const connect = buildConnector({
    allowH2: false,
    lookup: guardedLookup(policy, resolve),
    timeout: deadlines.connect_ms
  })
  return new Agent({
    allowH2: false,
    headersTimeout: deadlines.headers_ms,
    bodyTimeout: deadlines.body_ms,
    connect: (options, callback) => {
      const fail = (error: Error) => {
        unconnected.add(error)
        callback(error, null)
      }
      const host = options.hostname.replace(/^\[|\]$/gu, "")
      if (isIP(host) !== 0 && !isAddressAllowed(policy, host)) return fail(blocked())
      return connect(options, (...[error, socket]) => error === null ? callback(null, socket) : fail(error))
    }
  })
}
