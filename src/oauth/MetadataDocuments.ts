import { Effect } from "effect"
import { guardedGet } from "../sources/GuardedGet.ts"
import type { SourcePolicy } from "../sources/SourcePolicy.ts"

/** A client describes itself in less (draft-ietf-oauth-client-id-metadata-document). */
const maxBytes = 5 * 1024

/** Our browsers and theirs wait meanwhile. */
const timeoutMillis = 5000

/**
 * `fetch` for what a client's metadata names: by GET alone, through the same guard as every source, so that no address
 * inside of the deployment is reached. Rejects where the guard refuses or the document is too long or too late.
 */
export const fetchMetadataDocument = (policy: SourcePolicy) => (url: string | URL | Request): Promise<Response> =>
  Effect.runPromise(
    guardedGet(url instanceof Request ? url.url : String(url), {
      policy,
      max_bytes: maxBytes,
      accept: "application/json",
      timeout_ms: timeoutMillis
    }).pipe(
      Effect.map(({ headers, status, text }) =>
        new Response(status === 204 || status === 304 ? null : text, {
          status,
          headers: Object.entries(headers).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, String(value)] as [string, string]]
          )
        })
      )
    )
  )
