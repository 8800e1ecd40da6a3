interface Counted {
  requests: number
  /** Jobs whose creation was answered, and of these the ones that were seen to succeed. */
  readonly jobs: Array<string>
  readonly succeeded: Array<string>
  readonly failures: Array<string>
}

/** Clients that create a job, list, and follow its events to the end without pause and repeat nothing. Any answer but the right one is a failure. */
export const startTraffic = (origin: string, key: string, clients: number) => {
  const counted: Counted = { requests: 0, jobs: [], succeeded: [], failures: [] }
  const ended = new AbortController()
  const ask = async (path: string, status: number, init: RequestInit = {}): Promise<string | undefined> => {
    counted.requests++
    const name = `${init.method ?? "GET"} ${path}`
    try {
      const answer = await fetch(`${origin}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
      })
      const text = await answer.text()
      if (answer.status === status) return text
      counted.failures.push(`${name}: ${answer.status} ${text.slice(0, 200)}`)
    } catch (error) {
      counted.failures.push(`${name}: ${(error as Error).message} ${String((error as Error).cause)}`)
    }
    return undefined
  }
  /** What a job ended as, by its events; a stream that a stopping process ends early is asked for again. */
  const endOf = async (id: string): Promise<string | undefined> => {
    for (;;) {
      const events = await ask(`/v1/jobs/${id}/events`, 200)
      const end = events === undefined ? "unknown" : /"status":"(succeeded|failed|cancelled)"/u.exec(events)?.[1]
      if (end !== undefined) return end
    }
  }
  const client = async () => {
    while (!ended.signal.aborted) {
      // The last release reads the query, which this version seals.
      const body = JSON.stringify({ source_uri: "https://example.com/chunks=2&images=2?chunks=2&images=2" })
      const made = await ask("/v1/jobs", 201, { method: "POST", body })
      if (made === undefined) continue
      const { id } = JSON.parse(made) as { readonly id: string }
      counted.jobs.push(id)
      await ask("/v1/jobs?limit=5", 200)
      const end = await endOf(id)
      if (end === "succeeded") counted.succeeded.push(id)
      else counted.failures.push(`${id} ended ${end}`)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  return {
    counted,
    /** Resolves when so many more jobs have succeeded, or something has failed. */
    more: async (jobs: number) => {
      for (const goal = counted.succeeded.length + jobs; counted.succeeded.length < goal;) {
        if (counted.failures.length > 0) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    /** Resolves when every client has seen its last job end. */
    stop: async () => {
      ended.abort()
      await all
    }
  }
}
