import { Effect } from "effect"
import type { Egress } from "../egress/Egress.ts"
import { EgressError } from "../egress/EgressError.ts"

/** Our browsers and theirs wait meanwhile. */
const seconds = 5

interface DocumentFetchOptions {
  readonly accept: string
  /** A longer document is not read. */
  readonly most_bytes: number
}

/**
 * `fetch` for the documents of OAuth (client metadata, key sets): by GET alone, through the one way out, whatever else it is
 * asked for. Rejects with `EgressError` where no answer comes, or not the whole of the document.
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
          ? Effect.fail(new EgressError({ reason: "broken_off", message: "too long, cut off or too slow", sent: true }))
          : Effect.succeed(
            new Response(status_code === 204 || status_code === 304 ? null : text, { status: status_code, headers })
          )
      ))
    )

type Fetch = ReturnType<typeof makeDocumentFetch>

interface Known {
  readonly until: number
  readonly document: Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>
}

/** How long an answer is taken for what the address says, also where it was none, and of how many addresses. */
const knownMillis = 60_000
const mostKnown = 200

/**
 * The same, asking each address once a minute whatever it answers: a client that is not there is asked for at every step of a
 * sign-in, and anybody may name any. Of more than 200 addresses the ones that were asked first are forgotten.
 */
export const remembering = (fetch: Fetch, now: () => number = Date.now): Fetch => {
  const known = new Map<string, Known>()
  const ask = async (url: string) => {
    const response = await fetch(url)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return async (request) => {
    const url = request instanceof Request ? request.url : String(request)
    let entry = known.get(url)
    if (entry === undefined || entry.until <= now()) {
      known.delete(url)
      if (known.size >= mostKnown) known.delete(known.keys().next().value!)
      entry = { until: now() + knownMillis, document: ask(url) }
      known.set(url, entry)
    }
    const { headers, status, text } = await entry.document
    return new Response(status === 204 || status === 304 ? null : text, { status, headers })
  }
}
