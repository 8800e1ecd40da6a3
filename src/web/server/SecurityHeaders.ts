import type { HttpServerResponse } from "effect/http"

/**
 * What a browser must not do with any answer: guess its type, show it in a frame, run or load anything of it, tell others
 * where it was. A page that shows something says in its own policy what it needs. Answers are not kept by caches unless
 * they say for how long. HSTS where the service is public over https.
 */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  ...(https ? { "strict-transport-security": "max-age=31536000" } : {})
})

/** Those that the answer does not set itself. */
export const missingHeaders = (
  wanted: Readonly<Record<string, string>>,
  { headers }: HttpServerResponse.HttpServerResponse
): Record<string, string> => {
  const missing: Record<string, string> = {}
  for (const name in wanted) if (headers[name] === undefined) missing[name] = wanted[name]!
  return missing
}
