/**
 * Query parameters that say which file, or what of it: every service signs by names of its own (`s`, `hdnts`, `jwt`, `pwd`),
 * so no list of those is ever complete.
 */
const harmless: ReadonlySet<string> = new Set(
  "v id list index version format quality lang export download dl raw t start end time_continue".split(" ")
)

/** A file's id on Google Drive has 33 characters, a UUID 36; a signed token with dots in it is seldom under 100. */
const plain = /^[\w.-]{0,64}$/u

/**
 * An address as others than its owner may see it: without a user, a password, a fragment, and without its query unless each
 * parameter is known to grant nothing and has a short, plain value. Anything else stays as it was.
 */
export const shownUri = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return uri
  url.username = ""
  url.password = ""
  url.hash = ""
  if (![...url.searchParams].every(([name, value]) => harmless.has(name) && plain.test(value))) url.search = ""
  return url.href
}

/** The address of a source where it may be shown whole, else nothing: a signed link is a right, not a reference. */
export const openUri = (uri: string): string | undefined =>
  /^https?:/iu.test(uri) && shownUri(uri) === URL.parse(uri)?.href ? URL.parse(uri)!.href : undefined
