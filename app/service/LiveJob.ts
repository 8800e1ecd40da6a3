import type { JobEvent } from "../../clients/typescript/src/generated/types.ts"
import { at } from "./Service.ts"

export const isOver = (status: string): boolean => status !== "queued" && status !== "running"

/** How long to wait before each next stream; who is signed out or whose job is erased asks once a minute in the end. */
const reopenMillis = { first: 5000, most: 60_000 } as const

/**
 * Follows a job by its events until it is over. The browser connects again by itself after a broken connection and goes on after the last
 * event; after an answer that is no stream, such as a proxy's 503, it gives up for good (HTML standard, 9.2.3), so another is opened then.
 * The stream is closed by whoever calls what this answers; `lost` is told whenever it has broken off.
 */
export const follow = (id: string, tell: (event: JobEvent) => void, lost: () => void = () => {}): () => void => {
  let reopening: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  let wait: number = reopenMillis.first
  const listen = (message: MessageEvent<string>) => {
    const event = JSON.parse(message.data) as JobEvent
    wait = reopenMillis.first
    tell(event)
    if (isOver(event.status)) source.close()
  }
  const open = () => {
    source = new EventSource(at(`/v1/jobs/${encodeURIComponent(id)}/events`))
    for (const type of ["message", "status", "stage", "progress"]) source.addEventListener(type, listen)
    source.addEventListener("error", () => {
      lost()
      if (source.readyState !== EventSource.CLOSED) return
      reopening = setTimeout(open, wait)
      wait = Math.min(2 * wait, reopenMillis.most)
    })
  }
  open()
  return () => {
    clearTimeout(reopening)
    source.close()
  }
}
