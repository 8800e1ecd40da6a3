import { Effect, Schema } from "effect"
import { Agent, type Dispatcher, request } from "undici"
import { type DownloadError, HubFileNotFound, HubRefused, HubUnavailable } from "./ModelStoreError.ts"

export interface HubOptions {
  /** Without a slash at its end. Files lie at `{base_url}/{repository}/resolve/{revision}/{path}`. */
  readonly base_url: string
  readonly connect_ms: number
  readonly headers_ms: number
  /** Longest silence within a body. */
  readonly body_ms: number
  /** A connection that breaks this often in a row without one new byte is given up. */
  readonly attempts: number
  /** Pause before asking again, doubled each time. */
  readonly retry_ms: number
}

export interface HubAnswer {
  readonly status: number
  readonly header: (name: string) => string
  readonly body: Dispatcher.ResponseData["body"]
  /** The SHA-256 that the hub itself names for a large file, on whichever hop it was told; null for small ones. */
  readonly linked_sha256: string | null
}

/** A hub with the layout of Hugging Face. Redirects are followed, but never from https to http. */
export interface ModelHub {
  readonly fileUrl: (repository: string, revision: string, path: string) => string
  /** The commit that `main` points to now. */
  readonly head: (repository: string) => Effect.Effect<string, DownloadError>
  /** Rejects with a `DownloadError`. 200, 206 and 416 are answered, every other status is an error. */
  readonly open: (url: string, headers: Record<string, string>, signal: AbortSignal) => Promise<HubAnswer>
}

const MAX_REDIRECTS = 5

const textOf = (value: string | ReadonlyArray<string> | undefined): string =>
  typeof value === "string" ? value : value?.[0] ?? ""

/** What broke, in the system's short word: a message must not carry the query of a signed address. */
export const unavailable = (url: string, error: unknown): HubUnavailable => {
  const word = error instanceof Error
    ? "code" in error && typeof error.code === "string" ? error.code : error.name
    : "failed"
  return new HubUnavailable({ message: `${url} could not be read (${word}). Try again; what has come is kept.` })
}

const statusError = (url: string, status: number): DownloadError => {
  if (status === 404 || status === 410) {
    return new HubFileNotFound({ message: `The hub has no ${url} (status ${status}).` })
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return new HubUnavailable({ message: `${url} was answered with status ${status}. Try again later.` })
  }
  return new HubRefused({ message: `The hub does not hand out ${url} (status ${status}).` })
}

const isDownloadError = (error: unknown): error is DownloadError =>
  error instanceof HubRefused || error instanceof HubFileNotFound || error instanceof HubUnavailable

const Commit = Schema.fromJsonString(Schema.Struct({
  sha: Schema.String.check(Schema.isPattern(/^[0-9a-f]{40,64}$/u))
}))

/** Connections to a hub, closed with the scope. */
export const makeModelHub = Effect.fn("makeModelHub")(function*(options: HubOptions) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() =>
      new Agent({
        allowH2: false,
        headersTimeout: options.headers_ms,
        bodyTimeout: options.body_ms,
        connect: { timeout: options.connect_ms }
      })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )

  const open = async (start: string, headers: Record<string, string>, signal: AbortSignal): Promise<HubAnswer> => {
    let url = new URL(start)
    let linked_sha256: string | null = null
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await request(url, {
        dispatcher: agent,
        signal,
        headers: { "accept-encoding": "identity", "user-agent": "footnote", ...headers }
      }).catch((error) => {
        throw unavailable(start, error)
      })
      const header = (name: string) => textOf(response.headers[name])
      linked_sha256 ??= /^"?([0-9a-f]{64})"?$/u.exec(header("x-linked-etag"))?.[1] ?? null
      const { body, statusCode: status } = response
      if ([200, 206, 416].includes(status)) {
        const coding = header("content-encoding")
        if (coding === "" || coding === "identity") return { status, header, body, linked_sha256 }
      }
      body.on("error", () => undefined).destroy()
      if (status < 300) throw new HubRefused({ message: `${start} is sent with a content coding nobody asked for.` })
      if (![301, 302, 303, 307, 308].includes(status)) throw statusError(start, status)
      const target = URL.canParse(header("location"), url.href) ? new URL(header("location"), url) : undefined
      const allowed = target?.protocol === "https:" || (target?.protocol === "http:" && url.protocol === "http:")
      if (target === undefined || !allowed) {
        throw new HubRefused({ message: `${start} redirects to where nothing is fetched from.` })
      }
      url = target
    }
    throw new HubRefused({ message: `${start} redirects more than ${MAX_REDIRECTS} times.` })
  }

  const head = Effect.fn("ModelHub.head")(function*(repository: string) {
    const url = `${options.base_url}/api/models/${repository}/revision/main`
    const text = yield* Effect.tryPromise({
      try: async (signal) => (await open(url, {}, signal)).body.text(),
      catch: (error) => isDownloadError(error) ? error : unavailable(url, error)
    })
    const { sha } = yield* Schema.decodeEffect(Commit)(text).pipe(
      Effect.mapError(() => new HubRefused({ message: `${url} does not tell a commit.` }))
    )
    return sha
  })

  const hub: ModelHub = {
    fileUrl: (repository, revision, path) => `${options.base_url}/${repository}/resolve/${revision}/${path}`,
    head,
    open
  }
  return hub
})
