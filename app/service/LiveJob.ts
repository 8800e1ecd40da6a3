import type { JobEvent } from "../../clients/typescript/src/generated/types.ts"
import { at } from "./Service.ts"

export const isOver = (status: string): boolean => status !== "queued" && status !== "running"

/**
 * Follows a job by its events until it is over. The browser connects again by itself and goes on after the last event; the
 * stream is closed by whoever calls what this answers.
 */
export const follow = (id: string, tell: (event: JobEvent) => void): () => void => {
  const source = new EventSource(at(`/v1/jobs/${encodeURIComponent(id)}/events`))
  const listen = (message: MessageEvent<string>) => {
    const event = JSON.parse(message.data) as JobEvent
    tell(event)
    if (isOver(event.status)) source.close()
  }
  for (const type of ["message", "status", "stage", "progress"]) source.addEventListener(type, listen)
  return () => source.close()
}
