import type { ResourceLink } from "./Tool.ts"

/** The kept frame of a job as JPEG. */
export const frameUri = (job_id: string, frame_id: string): string => `footnote://jobs/${job_id}/frames/${frame_id}`

/** The transcript of a job as text, one line for each segment. */
export const transcriptUri = (job_id: string): string => `footnote://jobs/${job_id}/transcript`

export const transcriptLink = (job_id: string): ResourceLink => ({
  uri: transcriptUri(job_id),
  name: "Transcript as text",
  mimeType: "text/plain"
})

/** A link is about 40 tokens; a caller that wants more pictures asks for a range, or writes the address itself. */
const mostFrames = 20

export const frameLinks = (
  job_id: string,
  frames: ReadonlyArray<{ readonly id: string; readonly kept: boolean; readonly timestamp: number }>
): ReadonlyArray<ResourceLink> =>
  frames.filter(({ kept }) => kept).slice(0, mostFrames).map(({ id, timestamp }) => ({
    uri: frameUri(job_id, id),
    name: `Frame at ${timestamp} s`,
    mimeType: "image/jpeg"
  }))

/** What has become of a delivery so far. */
export const deliveryUri = (delivery_id: string): string => `footnote://deliveries/${delivery_id}`

export const deliveryLink = (delivery_id: string): ResourceLink => ({
  uri: deliveryUri(delivery_id),
  name: "How the delivery goes",
  mimeType: "application/json"
})
