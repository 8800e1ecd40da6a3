import { Effect, type Scope, Stream } from "effect"
import { type Dispatcher, request } from "undici"
import type { AddressPolicy } from "../../../src/egress/AddressPolicy.ts"
import { type Deadlines, isAddressBlocked, makeGuardedAgent, type Resolver } from "../../../src/egress/SsrfGuard.ts"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { forbiddenSource } from "../../../src/sources/SourceUri.ts"
import { refuse } from "../ffmpeg/MediaContext.ts"
import { detectedStream } from "./DetectedStream.ts"
import {
  contentRange,
  type Resumable,
  resumableBytes,
  type SourcePace,
  sourcePace,
  tooLarge
} from "./ResumableStream.ts"

export interface DownloadOptions {
  readonly policy: AddressPolicy
  readonly max_bytes: number
  readonly deadlines: Deadlines
  /** Below it the source is given up. Default `sourcePace`. */
  readonly pace?: SourcePace
  /** The resolver, where it is not the system's. */
  readonly resolve?: Resolver
}

/** A silent connection is given up while there is time to mend it within the pace's window. */
export const defaultDeadlines: Deadlines = { connect_ms: 10_000, headers_ms: 30_000, body_ms: 30_000 }

const MAX_REDIRECTS = 5

const unreachable = (message: string, retryable: boolean) =>
  new StageFailure({ code: "SOURCE_UNREACHABLE", message, retryable })

const networkFailure = (error: unknown): StageFailure =>
  isAddressBlocked(error)
    ? refuse("SOURCE_BLOCKED", "The host is not a public one.")
    : unreachable(`The source could not be read: ${networkWord(error)}.`, true)

/** The system's short code where there is one: messages may carry the whole URL with its secrets. */
const networkWord = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "connection failed"

const header = (response: Dispatcher.ResponseData, name: string): string => {
  const value = response.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ""
}

/**
 * What proves that a later answer is about the same bytes (RFC 9110, 13.1.5): a strong ETag, or a modification date that
 * is at least a minute older than the answer.
 */
const validator = (response: Dispatcher.ResponseData): string | undefined => {
  const etag = header(response, "etag")
  if (etag.startsWith("\"")) return etag
  const modified = header(response, "last-modified")
  const age = Date.parse(header(response, "date")) - Date.parse(modified)
  return age >= 60_000 ? modified : undefined
}

const statusFailure = (status: number): StageFailure =>
  unreachable(`The source answered with status ${status}.`, status >= 500 || [408, 425, 429].includes(status))

type Headers = Readonly<Record<string, string>>

/** Follows redirects by hand, because each target must be judged before it is asked. */
const open = Effect.fnUntraced(function*(start: URL, agent: Dispatcher, policy: AddressPolicy, headers: Headers) {
  let url = start
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const forbidden = forbiddenSource(url, policy)
    if (forbidden !== undefined) return yield* refuse("SOURCE_BLOCKED", forbidden)
    const response = yield* Effect.tryPromise({
      try: (signal) => request(url, { dispatcher: agent, method: "GET", headers, signal }),
      catch: networkFailure
    })
    if (![301, 302, 303, 307, 308].includes(response.statusCode)) return response
    const location = header(response, "location")
    response.body.on("error", () => undefined).destroy()
    if (location === "" || !URL.canParse(location, url.href)) {
      return yield* unreachable("The source redirects to no readable address.", false)
    }
    url = new URL(location, url)
  }
  return yield* unreachable(`The source redirects more than ${MAX_REDIRECTS} times.`, false)
})

interface Transfer extends Resumable {
  readonly content_type: string
  readonly validator: string | undefined
}

const baseHeaders: Headers = { "accept-encoding": "identity", "user-agent": "footnote/0.1", accept: "*/*" }

const bodyOf = (response: Dispatcher.ResponseData): AsyncIterator<Uint8Array> =>
  (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()

const begin = Effect.fnUntraced(function*(url: URL, agent: Dispatcher, options: DownloadOptions) {
  const response = yield* open(url, agent, options.policy, baseHeaders)
  if (response.statusCode !== 200) return yield* statusFailure(response.statusCode)
  const coding = header(response, "content-encoding")
  if (coding !== "" && coding !== "identity") {
    return yield* unreachable("The source is sent with a content coding that was not asked for.", false)
  }
  const length = header(response, "content-length")
  const total = /^\d+$/u.test(length) ? Number(length) : undefined
  if (total !== undefined && total > options.max_bytes) {
    return yield* tooLarge(options.max_bytes)
  }
  const transfer: Transfer = {
    body: bodyOf(response),
    content_type: header(response, "content-type"),
    validator: validator(response),
    total
  }
  return transfer
})

/** Asks for the rest of the same bytes; anything but exactly that fails, and the whole task may start over. */
const resume = Effect.fnUntraced(
  function*(url: URL, agent: Dispatcher, options: DownloadOptions, received: number, before: Transfer) {
    if (before.validator === undefined) {
      return yield* unreachable("The connection broke and the source cannot be resumed.", true)
    }
    const response = yield* open(url, agent, options.policy, {
      ...baseHeaders,
      range: `bytes=${received}-`,
      "if-range": before.validator
    })
    if (response.statusCode >= 500) return yield* statusFailure(response.statusCode)
    const range = contentRange(header(response, "content-range"))
    const total = before.total ?? range?.total
    const same = response.statusCode === 206 && range?.from === received && (range.total ?? total) === total
    if (!same) return yield* unreachable("The source changed while it was being fetched.", true)
    // Whether this rest is all of the rest could not be told.
    if (total === undefined) return yield* unreachable("The connection broke and the source cannot be resumed.", true)
    if (total > options.max_bytes) return yield* tooLarge(options.max_bytes)
    return { ...before, body: bodyOf(response), total }
  }
)

/**
 * The bytes of an http(s) file as a stream, checked to be a media container before the first of them is passed on.
 * Fails with `SOURCE_BLOCKED` when any hop leads to a forbidden place, `SOURCE_NOT_MEDIA` for pages and everything that
 * is no media, `SOURCE_TOO_LARGE` beyond the cap, and `SOURCE_UNREACHABLE` otherwise, a source that drips included,
 * retryable for network trouble and 5xx answers. Interruption closes the connection.
 */
export const download = (url: URL, options: DownloadOptions): Stream.Stream<Uint8Array, StageFailure> =>
  Stream.unwrap(
    Effect.gen(function*(): Effect.fn.Return<Stream.Stream<Uint8Array, StageFailure>, StageFailure, Scope.Scope> {
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => makeGuardedAgent(options.policy, options.deadlines, options.resolve)),
        (agent) => Effect.promise(() => agent.destroy())
      )
      const transfer = yield* begin(url, agent, options)
      const next = resumableBytes(transfer, {
        max_bytes: options.max_bytes,
        pace: options.pace ?? sourcePace,
        failure: networkFailure,
        resume: (received, before) => resume(url, agent, options, received, before)
      })
      return yield* detectedStream(next, transfer.content_type)
    })
  )
