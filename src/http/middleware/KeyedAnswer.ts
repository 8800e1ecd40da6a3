import { HttpServerResponse } from "effect/http"
import type { KeyedAnswer } from "../../idempotency/KeyedRequests.ts"

interface Told {
  readonly location?: string
  /** 201 where nothing is said. */
  readonly status?: number
  /** The body as JSON text, where that is not the answer written out. */
  readonly text?: string
}

/** The answer to a creation; 200 with `Idempotent-Replayed: true` where an earlier use of the caller's key had made it. */
export const keyedAnswer = <A>({ answer, replayed }: KeyedAnswer<A>, { location, status = 201, text }: Told = {}) =>
  HttpServerResponse.text(text ?? JSON.stringify(answer), {
    status: replayed ? 200 : status,
    contentType: "application/json",
    headers: {
      ...(location === undefined ? {} : { location }),
      ...(replayed ? { "idempotent-replayed": "true" } : {})
    }
  })
