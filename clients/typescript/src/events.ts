import { ConnectionError } from "./errors.ts"
import type { JobEvent, JobStatus } from "./generated/types.ts"
import { isPassing, retryDelay } from "./retries.ts"
import type { CallOptions, Transport } from "./transport.ts"

/** A try that fails is a break, of which it bears ten in a row, so that `retries` says nothing here. */
export interface EventsOptions extends Omit<CallOptions, "retries"> {
  /** Only what came after this event. */
  readonly last_event_id?: number
}

/** The service says something every 15 s; what is silent for three times as long is dead. */
const longestSilence = 45_000

/** How often in a row nothing new may come over a connection before that is told. */
const mostBreaks = 10

interface Message {
  readonly id: string | undefined
  readonly data: string
}

/** Server-sent events (WHATWG HTML, 9.2.6) out of pieces of text; comments and `retry` are left out, for which nothing is yielded. */
export async function* messagesOf(pieces: AsyncIterable<string>): AsyncGenerator<Message, void, undefined> {
  let rest = ""
  for await (const piece of pieces) {
    // A carriage return at the end may be the first half of a line's end.
    const text = rest + piece
    const whole = text.endsWith("\r") ? text.slice(0, -1) : text
    const blocks = whole.replaceAll(/\r\n?/gu, "\n").split("\n\n")
    rest = (blocks.pop() ?? "") + text.slice(whole.length)
    for (const block of blocks) {
      const data: Array<string> = []
      let id: string | undefined
      for (const line of block.split("\n")) {
        const [, field, value = ""] = /^(\w+)(?:: ?(.*))?$/u.exec(line) ?? []
        if (field === "data") data.push(value)
        else if (field === "id") id = value
      }
      if (data.length > 0) yield { id, data: data.join("\n") }
    }
  }
}

export const isOver = (status: JobStatus): boolean => status !== "queued" && status !== "running"

/**
 * What happens to a job, from its beginning or after `last_event_id`, until it is over. Takes up after the last event where the
 * connection breaks off; throws `ApiError` where the service refuses (401, 404), and what went wrong where ten connections in a row
 * bring nothing.
 */
export async function* jobEvents(
  transport: Transport,
  id: string,
  { last_event_id, ...given }: EventsOptions
): AsyncGenerator<JobEvent, void, undefined> {
  const path = `/v1/jobs/${encodeURIComponent(id)}`
  const options = { ...given, retries: 0 }
  let last = last_event_id
  let over = false
  for (let breaks = 0;;) {
    let failure: unknown = new ConnectionError("The events ended before the job did")
    try {
      const open = await transport.open({
        method: "GET",
        path: `${path}/events`,
        headers: { accept: "text/event-stream", "last-event-id": last === undefined ? undefined : String(last) },
        options
      })
      for await (const { data } of messagesOf(open.text(longestSilence))) {
        const event: JobEvent = JSON.parse(data)
        last = event.id
        breaks = 0
        yield event
        if (event.type === "status" && isOver(event.status)) return
      }
      // Whoever resumed after the last event of a job that is over waits for nothing: where it was over before these were asked for,
      // and they ended without one. A break tells nothing: the last event may still be to come.
      if (over && breaks > 0) return
      const job = await transport.json<{ readonly status: JobStatus }>({ method: "GET", path, options })
      over = isOver(job.status)
    } catch (error) {
      if (!isPassing(error)) throw error
      failure = error
    }
    const delay = breaks < mostBreaks ? retryDelay(failure, breaks, Math.random()) : undefined
    if (delay === undefined) throw failure
    breaks += 1
    await transport.sleep(delay, options.signal)
  }
}
