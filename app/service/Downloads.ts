import { bytesOf, Refused } from "./Service.ts"

type ClipFormat = "mp4" | "gif"

interface Span {
  readonly t_start: number
  readonly t_end: number
}

/** A word alone is no clip: half a second before and after it is heard too. */
const around = 0.5
/** The service cuts no more at a time. */
const longest = 60
/** The service holds each request for 20 s while it cuts: nobody waits longer than two minutes. */
const mostTries = 6
/** As the service asks for between two of them. */
const pause_ms = 3000

/** The part of the footage that the clip of a span shows. */
const clipSpan = ({ t_end, t_start }: Span): Span => {
  const from = Math.max(0, t_start - around)
  return { t_start: from, t_end: Math.min(t_end + around, from + longest) }
}

/** A part of the footage as a file of its own; throws `Refused` where it cannot be cut. */
export const clipOf = async (job_path: string, span: Span, format: ClipFormat): Promise<Uint8Array<ArrayBuffer>> => {
  const { t_end, t_start } = clipSpan(span)
  const path = `${job_path}/clips?t_start=${t_start.toFixed(3)}&t_end=${t_end.toFixed(3)}&format=${format}`
  for (let tries = 1;; tries += 1) {
    try {
      return await bytesOf(path)
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 503 || tries === mostTries) throw error
    }
    await new Promise((resume) => setTimeout(resume, pause_ms))
  }
}
