import { ConnectionError, FootnoteError, TimeoutError } from "./errors.ts"

/** Milliseconds that a timer can count; of more, and of endless ones, it makes one. */
const longestTimer = 2 ** 31 - 1

/** One try of a request: ends when its time is over or the caller aborts, and knows which of them it was. */
export class Connection {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #aborted = () => this.#controller.abort()
  #timer: ReturnType<typeof setTimeout> | undefined
  #late: number | undefined

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
    if (caller?.aborted === true) this.#aborted()
    else caller?.addEventListener("abort", this.#aborted, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** From now on it has so many milliseconds; more than 24 days are no limit. */
  within(milliseconds: number): void {
    this.unhurried()
    if (milliseconds > longestTimer) return
    this.#timer = setTimeout(() => {
      this.#late = milliseconds
      this.#controller.abort()
    }, milliseconds)
  }

  /** From now on it has all time. */
  unhurried(): void {
    clearTimeout(this.#timer)
  }

  /** What to throw for what went wrong on it. */
  failure(cause: unknown): unknown {
    if (cause instanceof FootnoteError) return cause
    if (this.#late !== undefined) return new TimeoutError(`Nothing came within ${this.#late} ms`, { cause })
    if (this.#caller?.aborted === true) return this.#caller.reason
    return new ConnectionError(`No whole answer came: ${reasonOf(cause)}`, { cause })
  }

  /** Lets go of it, with whatever is still to come. */
  close(): void {
    this.unhurried()
    this.#caller?.removeEventListener("abort", this.#aborted)
    this.#controller.abort()
  }
}

/** Node's `fetch failed` says why only in its cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== ""
    ? `${error.message}, ${error.cause.message}`
    : error.message
}

/** An answer whose body is still to come. */
export class Open {
  readonly response: Response
  readonly #connection: Connection

  constructor(response: Response, connection: Connection) {
    this.response = response
    this.#connection = connection
  }

  /** Its text as it comes; fails with `TimeoutError` where nothing came for so long, and with `ConnectionError` where it breaks off. */
  async *text(idle: number): AsyncGenerator<string, void, undefined> {
    const reader = this.response.body?.getReader()
    if (reader === undefined) return this.#connection.close()
    const decoder = new TextDecoder()
    try {
      for (;;) {
        this.#connection.within(idle)
        const { done, value } = await reader.read().catch((cause: unknown) => {
          throw this.#connection.failure(cause)
        })
        if (done) return
        // While the caller works with what has come nothing is asked for, and nobody is late.
        this.#connection.unhurried()
        yield decoder.decode(value, { stream: true })
      }
    } finally {
      this.#connection.close()
      reader.releaseLock()
    }
  }
}
