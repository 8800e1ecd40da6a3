/** RFC 6901: the place of one value in a JSON text; empty for the whole of it. */
export const jsonPointer = (tokens: ReadonlyArray<PropertyKey>): string =>
  tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
