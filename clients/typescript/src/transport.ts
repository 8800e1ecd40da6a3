import { Connection, Open } from "./connection.ts"
import { ConnectionError, errorOf } from "./errors.ts"
import { type Page, Pages } from "./pages.ts"
import { isPassing, retryDelay, type Sleep, sleep } from "./retries.ts"

export interface FootnoteOptions {
  /** Where the service is, such as `https://footnote.example.com`. */
  readonly base_url: string
  readonly api_key: string
  /** Milliseconds within which each try must be answered whole, beside what `wait` asks for; 60,000 where it is not given. */
  readonly timeout?: number
  /** How many times more a request is tried that may be sent twice; 3 where it is not given. */
  readonly retries?: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof globalThis.fetch
  /** How to wait between tries; for tests. */
  readonly sleep?: Sleep
}

export interface CallOptions {
  /** Milliseconds within which each try must be answered whole; of what is read line by line, within which the next piece must come. */
  readonly timeout?: number
  readonly retries?: number
  readonly signal?: AbortSignal
}

export interface KeyedOptions extends CallOptions {
  /** What makes two requests one; a fresh one is sent where it is not given, so that a retry is done once. */
  readonly idempotency_key?: string
}

type Value = string | number | boolean | null | undefined

export interface Call {
  readonly method: string
  /** As it is in the document; ids in it are encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, Value | ReadonlyArray<Value> | Readonly<Record<string, Value>>>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** Bytes in place of JSON. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly idempotency_key?: string
  /** Whether sending it twice does what sending it once does, where its method does not say so. */
  readonly repeatable?: boolean
  readonly options: CallOptions
}

const append = (query: URLSearchParams, name: string, value: unknown): void => {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) { for (const one of value) append(query, name, one) }
  else if (typeof value === "object") {
    for (const [key, one] of Object.entries(value)) append(query, `${name}[${key}]`, one)
  } else query.append(name, String(value))
}

/** Random as a UUID of version 4, also in pages without TLS, where `crypto.randomUUID` is missing. */
export const freshKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** What the service is asked to hold its answer for: that is no lateness. */
const heldMillis = ({ query }: Call): number => {
  const wait = query?.["wait"]
  return typeof wait === "number" ? wait * 1000 : 0
}

const repeatableMethods = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])

/**
 * How requests get to the service and answers back: whole or not at all, within their time, tried again where that changes nothing.
 * Throws `ApiError` for a refusal, `ConnectionError` or `TimeoutError` where no whole answer came, and the signal's reason when the caller aborts.
 */
export class Transport {
  readonly retries: number
  readonly sleep: Sleep
  readonly #base_url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #fetch: typeof globalThis.fetch
  readonly #timeout: number

  constructor(options: FootnoteOptions) {
    this.#base_url = options.base_url.replace(/\/+$/u, "")
    this.#headers = { ...options.headers, authorization: `Bearer ${options.api_key}` }
    // Bound, because browsers refuse a `fetch` that is called on another object.
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
    this.#timeout = options.timeout ?? 60_000
    this.retries = options.retries ?? 3
    this.sleep = options.sleep ?? sleep
  }

  async json<T>(call: Call): Promise<T> {
    const text = await this.text(call)
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new ConnectionError(`The answer is no JSON: ${text.slice(0, 200)}`, { cause })
    }
  }

  text(call: Call): Promise<string> {
    return this.send(call, (response) => response.text())
  }

  bytes(call: Call): Promise<Blob> {
    return this.send(call, (response) => response.blob())
  }

  none(call: Call): Promise<void> {
    return this.send(call, async () => {})
  }

  page<Item>(call: Call): Pages<Item> {
    return new Pages((cursor) =>
      this.json<Page<Item>>(cursor === undefined ? call : { ...call, query: { ...call.query, cursor } })
    )
  }

  /** JSON line by line, each as soon as it has come. */
  async *lines<T>(call: Call): AsyncGenerator<T, void, undefined> {
    const open = await this.open(call)
    let rest = ""
    for await (const text of open.text(call.options.timeout ?? this.#timeout)) {
      const lines = (rest + text).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) if (line !== "") yield JSON.parse(line)
    }
    if (rest !== "") yield JSON.parse(rest)
  }

  /** Sends until there is an answer, and reads it within the same time. */
  send<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    return this.#retried(call, async (connection) => {
      const answer = await read(await this.#answer(call, connection))
      connection.close()
      return answer
    })
  }

  /** Sends until there is an answer, and leaves its body to be read. */
  open(call: Call): Promise<Open> {
    return this.#retried(
      call,
      async (connection) => new Open(await this.#answer(call, connection), connection)
    )
  }

  async #answer(call: Call, connection: Connection): Promise<Response> {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(call.query ?? {})) append(query, name, value)
    const headers = new Headers(this.#headers)
    for (const [name, value] of Object.entries(call.headers ?? {})) if (value !== undefined) headers.set(name, value)
    if (call.idempotency_key !== undefined) headers.set("idempotency-key", call.idempotency_key)
    if (call.body !== undefined) headers.set("content-type", "application/json")
    const body = call.bytes ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
    connection.within(call.options.timeout ?? this.#timeout + heldMillis(call))
    const response = await this.#fetch(`${this.#base_url}${call.path}${query.size === 0 ? "" : `?${query}`}`, {
      method: call.method,
      headers,
      signal: connection.signal,
      ...(body === undefined ? {} : { body })
    })
    if (!response.ok) throw errorOf(response, await response.text())
    return response
  }

  async #retried<T>(call: Call, attempt: (connection: Connection) => Promise<T>): Promise<T> {
    const { retries = this.retries, signal } = call.options
    const repeatable = call.repeatable ?? (repeatableMethods.has(call.method) || call.idempotency_key !== undefined)
    for (let tried = 0;; tried++) {
      const connection = new Connection(signal)
      try {
        return await attempt(connection)
      } catch (cause) {
        connection.close()
        const error = connection.failure(cause)
        const delay = repeatable && tried < retries && isPassing(error)
          ? retryDelay(error, tried, Math.random())
          : undefined
        if (delay === undefined) throw error
        await this.sleep(delay, signal)
      }
    }
  }
}
