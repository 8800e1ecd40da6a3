/** Names of query parameters that carry a right rather than a place. */
const secretParameter = /token|key|secret|sig|auth|credential|passw|expires|policy|^x-|^s[a-z]{1,2}$/iu

/**
 * An address as others than its owner may see it: without a user, a password, a fragment, and without a query that grants
 * something. Anything else stays as it was.
 */
export const shownUri = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return uri
  url.username = ""
  url.password = ""
  url.hash = ""
  if ([...url.searchParams.keys()].some((name) => secretParameter.test(name))) url.search = ""
  return url.href
}

/** The address of a source where it may be shown whole, else nothing: a signed link is a right, not a reference. */
export const openUri = (uri: string): string | undefined =>
  /^https?:/iu.test(uri) && shownUri(uri) === URL.parse(uri)?.href ? URL.parse(uri)!.href : undefined
