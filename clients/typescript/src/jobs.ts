import { TimeoutError } from "./errors.ts"
import { type EventsOptions, isOver, jobEvents } from "./events.ts"
import { JobsOperations } from "./generated/operations.ts"
import type { Job, JobEvent } from "./generated/types.ts"
import { isPassing, retryDelay } from "./retries.ts"

export interface WaitOptions {
  /** Milliseconds; without it there is no end to waiting. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** Seconds that the service holds a request for at most. */
const longestHold = 60

/** A try is never given longer than this beside what it is held for: what is silent then is dead. */
const longestLateness = 30_000

/**
 * What an answer may come later than the end, and what the look of `timeout: 0` has: a far service's first answer takes four round
 * trips of 0.3 s, for its name, the connection, TLS and the question.
 */
const lastLook = 2_000

/** How often in a row nothing may come, where no `timeout` says how long. */
const mostFailures = 10

/**
 * Milliseconds before it is asked again where the answer came at once: a service that drains holds nothing, for 5 s and more, and
 * every client that waits would ask it as fast as it answers.
 */
const pause = (): number => 500 + Math.random() * 500

export class Jobs extends JobsOperations {
  /**
   * The job once it is over: succeeded, failed or cancelled; its `status` says which. Throws `TimeoutError` where that takes longer
   * than `timeout`, while the job goes on, also where the service was busy or away until then (its `cause`), and `ApiError` where
   * there is no such job. Without a `timeout` it throws what went wrong where eleven tries in a row bring nothing, or where the
   * service asks to be left alone for more than a minute.
   */
  async wait(id: string, { signal, timeout = Number.POSITIVE_INFINITY }: WaitOptions = {}): Promise<Job> {
    const end = Date.now() + timeout
    const left = () => Math.max(0, end - Date.now())
    for (let failures = 0;;) {
      const began = Date.now()
      const hold = Math.min(longestHold, Math.floor(left() / 1000))
      const read = await this.#look(id, hold, left(), signal)
      if ("job" in read) {
        const { status } = read.job
        if (isOver(status)) return read.job
        if (left() === 0) throw new TimeoutError(`${id} is still ${status} after ${timeout} ms`)
        failures = 0
        const atOnce = Date.now() - began < Math.max(1, hold) * 500
        if (atOnce) await this.transport.sleep(Math.min(pause(), left()), signal)
      } else {
        const endless = timeout === Number.POSITIVE_INFINITY
        const delay = endless
          ? failures < mostFailures ? retryDelay(read.failure, failures, Math.random()) : undefined
          : retryDelay(read.failure, failures, Math.random(), Number.POSITIVE_INFINITY)
        if (delay === undefined) throw read.failure
        failures += 1
        const rest = left()
        await this.transport.sleep(Math.min(delay, rest), signal)
        if (delay >= rest) {
          throw new TimeoutError(`${id} could not be read to its end within ${timeout} ms: ${read.failure.message}`, {
            cause: read.failure
          })
        }
      }
    }
  }

  /** One try, or the passing failure of it. */
  async #look(
    id: string,
    hold: number,
    left: number,
    signal: AbortSignal | undefined
  ): Promise<{ readonly job: Job } | { readonly failure: Error }> {
    const timeout = Math.min(hold * 1000 + longestLateness, left + lastLook)
    try {
      return {
        job: await this.get(id, { wait: hold, timeout, retries: 0, ...(signal === undefined ? {} : { signal }) })
      }
    } catch (failure) {
      if (isPassing(failure)) return { failure }
      throw failure
    }
  }

  /** What happens to a job, event by event, until it is over; see `jobEvents`. */
  events(id: string, options: EventsOptions = {}): AsyncGenerator<JobEvent, void, undefined> {
    return jobEvents(this.transport, id, options)
  }
}
