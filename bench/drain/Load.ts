import { setTimeout as pause } from "node:timers/promises"

interface Counted {
  requests: number
  /** Jobs whose creation was answered, and of these the ones whose cancel was. */
  readonly jobs: Array<string>
  readonly cancelled: Array<string>
  readonly failures: Array<string>
}

/**
 * Clients that ask without pause and repeat nothing: they create jobs, read, list and cancel them, wait for their end
 * and follow their events. Whatever is not the answer that belongs to a request is a failure.
 */
export const startLoad = (origin: string, key: string, clients: number) => {
  const counted: Counted = { requests: 0, jobs: [], cancelled: [], failures: [] }
  const ended = new AbortController()
  const ask = async (path: string, status: number, init: RequestInit = {}): Promise<string | undefined> => {
    counted.requests++
    try {
      const answer = await fetch(`${origin}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
      })
      const text = await answer.text()
      if (answer.status === status) return text
      counted.failures.push(`${init.method ?? "GET"} ${path}: ${answer.status} ${text.slice(0, 200)}`)
    } catch (error) {
      counted.failures.push(
        `${init.method ?? "GET"} ${path}: ${(error as Error).message} ${String((error as Error).cause)}`
      )
    }
    return undefined
  }
  const client = async (number: number) => {
    while (!ended.signal.aborted) {
      const body = JSON.stringify({ source_uri: "https://example.com/talk.mp4", metadata: { client: String(number) } })
      const made = await ask("/v1/jobs", 201, { method: "POST", body })
      if (made === undefined) continue
      const { id } = JSON.parse(made) as { readonly id: string }
      counted.jobs.push(id)
      await ask(`/v1/jobs/${id}`, 200)
      // Some wait for the end of the job and some follow it, while it is cancelled.
      const waiting = number % 3 === 0
        ? ask(`/v1/jobs/${id}?wait=5`, 200)
        : number % 3 === 1
        ? ask(`/v1/jobs/${id}/events`, 200)
        : undefined
      const cancelled = await ask(`/v1/jobs/${id}/cancel`, 200, { method: "POST" })
      if (cancelled !== undefined) counted.cancelled.push(id)
      await waiting
      await ask("/v1/jobs?limit=5", 200)
      await pause(50)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return {
    counted,
    stop: async () => {
      ended.abort()
      await all
    }
  }
}
