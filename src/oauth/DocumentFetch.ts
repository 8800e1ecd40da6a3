import { Effect } from "effect"
import type { Egress } from "../egress/Egress.ts"
import { Unanswered } from "../egress/Unanswered.ts"

/** Our browsers and theirs wait meanwhile. */
const seconds = 5

interface DocumentFetchOptions {
  readonly accept: string
  /** A longer document is not read. */
  readonly most_bytes: number
}

/**
 * `fetch` for the documents of OAuth (client metadata, key sets): by GET alone, through the one way out, whatever else it is
 * asked for. Rejects with `Unanswered` where no answer comes, or not the whole of the document.
 */
export const makeDocumentFetch =
  ({ send }: Egress["Service"], { accept, most_bytes }: DocumentFetchOptions) =>
  (url: string | URL | Request): Promise<Response> =>
    Effect.runPromise(
      send({
        method: "GET",
        url: url instanceof Request ? url.url : String(url),
        headers: { accept, "accept-encoding": "identity" },
        most_bytes,
        seconds
      }).pipe(Effect.flatMap(({ headers, status_code, text }) =>
        text === null
          ? Effect.fail(new Unanswered({ reason: "broken_off", message: "too long, cut off or too slow", sent: true }))
          : Effect.succeed(
            new Response(status_code === 204 || status_code === 304 ? null : text, { status: status_code, headers })
          )
      ))
    )
