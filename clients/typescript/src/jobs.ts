import { TimeoutError } from "./errors.ts"
import { type EventsOptions, isOver, jobEvents } from "./events.ts"
import { JobsOperations } from "./generated/operations.ts"
import type { Job, JobEvent } from "./generated/types.ts"
import type { CallOptions } from "./transport.ts"

export interface WaitOptions {
  /** Milliseconds; without it there is no end to waiting. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** What the service holds a request for at most. */
const longestHold = 60

export class Jobs extends JobsOperations {
  /**
   * The job once it is over: succeeded, failed or cancelled; its `status` says which. Throws `TimeoutError` where that takes longer
   * than `timeout`, while the job goes on, and `ApiError` where there is no such job.
   */
  async wait(id: string, { signal, timeout = Number.POSITIVE_INFINITY }: WaitOptions = {}): Promise<Job> {
    const end = Date.now() + timeout
    for (;;) {
      const left = Math.max(0, Math.min(longestHold, Math.ceil((end - Date.now()) / 1000)))
      const options: CallOptions = {
        timeout: left * 1000 + 30_000,
        retries: 10,
        ...(signal === undefined ? {} : { signal })
      }
      const job = await this.get(id, { ...options, wait: left })
      if (isOver(job.status)) return job
      if (Date.now() >= end) throw new TimeoutError(`${id} is still ${job.status} after ${timeout} ms`)
    }
  }

  /** What happens to a job, event by event, until it is over; see `jobEvents`. */
  events(id: string, options: EventsOptions = {}): AsyncGenerator<JobEvent, void, undefined> {
    return jobEvents(this.transport, id, options)
  }
}
