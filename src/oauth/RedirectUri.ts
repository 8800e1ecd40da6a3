/** This very machine (RFC 8252, 7.3). */
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])

/**
 * Schemes without a dot that programs in use register for themselves: editors and desktop clients of the tool protocol. What
 * else a program wants to be called by has to be a domain name backwards, which no system has a meaning of its own for.
 */
const knownSchemes = new Set([
  "claude:",
  "cursor:",
  "kiro:",
  "raycast:",
  "trae:",
  "vscode:",
  "vscode-insiders:",
  "vscodium:",
  "warp:",
  "windsurf:",
  "zed:"
])

/** RFC 8252, 7.1: a domain name backwards, such as `com.example.app:`. */
const reversedDomain = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/u

/** A name or address that means the same to a browser, to a policy header and to a person. */
const plainHost = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/u
/** What stands there in an address of a program's own. */
const plainAuthority = /^[A-Za-z0-9._-]*$/u

/** What no address has, or what one reader takes for a slash and another for none. */
const outside = /[^!-~]|\\/u

const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:"

/** Whether an answer to this address stays on the person's device. */
export const isLocal = (uri: URL): boolean => !isWeb(uri) || loopback.has(uri.hostname)

/**
 * What a policy header may name of an address: its origin, or the scheme of a program. Undefined where it holds anything
 * that such a header would take for more than a name.
 */
export const policySource = (uri: URL): string | undefined => {
  if (!isWeb(uri)) return reversedDomain.test(uri.protocol) || knownSchemes.has(uri.protocol) ? uri.protocol : undefined
  return plainHost.test(uri.hostname) ? uri.origin : undefined
}

/**
 * Why nobody may be sent to this address with a code, or undefined where somebody may: https, http within one machine, or a
 * scheme that belongs to a program. Never an address with a user, a fragment, or a host that is more than a name.
 */
export const redirectProblem = (uri: unknown): string | undefined => {
  if (typeof uri !== "string" || outside.test(uri)) {
    return "must be addresses without spaces and other special characters"
  }
  const url = URL.parse(uri)
  if (url === null) return "must be absolute addresses"
  if (url.username !== "" || url.password !== "" || /^[^:]*:\/\/[^/?#]*@/u.test(uri)) return "must not name a user"
  if (uri.includes("#")) return "must not have a fragment"
  if (isWeb(url)) {
    if (!plainHost.test(url.hostname)) return "must name a host by a plain name"
    return url.protocol === "https:" || loopback.has(url.hostname)
      ? undefined
      : "must use https, or http on this very machine"
  }
  if (!plainAuthority.test(url.host)) return "must name a host by a plain name"
  return reversedDomain.test(url.protocol) || knownSchemes.has(url.protocol)
    ? undefined
    : "must use https, http on this very machine, or a scheme that is a domain name backwards (com.example.app:)"
}
