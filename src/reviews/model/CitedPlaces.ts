import type { Schema } from "effect"
import type { Segment, Transcript } from "../../artifacts/Transcript.ts"
import type { FrameDescription, Vision } from "../../artifacts/Vision.ts"
import type { GivenCitation, ReviewCitation } from "./Review.ts"

/** What the job has heard and seen, by what cites it. */
export interface Heard {
  readonly duration_seconds: number
  readonly segments: ReadonlyMap<string, Segment>
  readonly frames: ReadonlyMap<string, FrameDescription>
}

export const heardOf = (
  transcript: Pick<Transcript, "duration_seconds" | "segments">,
  vision: Pick<Vision, "frames">
): Heard => ({
  duration_seconds: transcript.duration_seconds,
  segments: new Map(transcript.segments.map((segment) => [segment.id, segment])),
  frames: new Map(vision.frames.map((frame) => [frame.source_ref, frame]))
})

/** A cited place, or which member of the citation is wrong and why. */
export type CitedPlace =
  | { readonly ok: true; readonly citation: ReviewCitation }
  | { readonly ok: false; readonly member: Member; readonly message: string }

type Member = "source_ref" | "t_start" | "t_end" | "quote"

const wrong = (member: Member, message: string): CitedPlace => ({ ok: false, member, message })

/** Frames are sampled twice a second: one shows what is on screen from half a second before it to half a second after. */
const besideFrame = 0.5

const inSegment = (given: GivenCitation, segment: Segment): CitedPlace => {
  if (given.t_start > segment.t_end || given.t_end < segment.t_start) {
    return wrong("t_start", `Is outside of ${segment.id}, which is from ${segment.t_start} to ${segment.t_end} s`)
  }
  if (given.quote !== undefined && !segment.text.includes(given.quote)) {
    return wrong("quote", `Does not stand in ${segment.id}, word for word`)
  }
  const words = segment.words.filter(({ t_end, t_start }) => t_start < given.t_end && t_end > given.t_start)
  const quote = given.quote ?? words.map(({ text }) => text).join(" ")
  const { source_ref, t_end, t_start } = given
  const citation = { source_ref, t_start, t_end, quote: quote || segment.text, origin_channel: segment.origin }
  return { ok: true, citation }
}

const isIn = (
  [x, y, width, height]: readonly [number, number, number, number],
  line: FrameDescription["text"][number]
) => {
  const [left, top, across, down] = line.box
  const [middle, centre] = [left + across / 2, top + down / 2]
  return middle >= x && middle <= x + width && centre >= y && centre <= y + height
}

const onFrame = (given: GivenCitation, frame: FrameDescription): CitedPlace => {
  if (given.t_start > frame.timestamp + besideFrame || given.t_end < frame.timestamp - besideFrame) {
    return wrong("t_start", `Is away from ${frame.source_ref}, which is at ${frame.timestamp} s`)
  }
  const { box } = given
  const lines = box === undefined ? frame.text : frame.text.filter((line) => isIn(box, line))
  const text = lines.map((line) => line.text).join(" ")
  if (
    given.quote !== undefined && !frame.text.some((line) => line.text.includes(given.quote!)) &&
    !text.includes(given.quote)
  ) {
    return wrong("quote", `Was not read on ${frame.source_ref}, word for word`)
  }
  const quote = given.quote ?? text
  return { ok: true, citation: { ...given, quote, origin_channel: quote === "" ? "vision" : "ocr" } }
}

/**
 * Holds a citation against the source: its segment or kept frame has to be there, at that moment, and its quote to stand in it
 * word for word; what is left out is filled in from it.
 */
export const citedPlace = (given: GivenCitation, { duration_seconds, frames, segments }: Heard): CitedPlace => {
  const segment = segments.get(given.source_ref)
  const frame = segment === undefined ? frames.get(given.source_ref) : undefined
  const own = segment?.t_end ?? frame?.timestamp
  if (own === undefined) {
    return wrong("source_ref", "Is neither a segment of the job's transcript nor one of its kept frames")
  }
  const end = Math.max(duration_seconds, own) + besideFrame
  if (given.t_end > end) return wrong("t_end", `Is after the end of the source, at ${duration_seconds} s`)
  return segment === undefined ? onFrame(given, frame!) : inSegment(given, segment)
}

/** A value that the evidence itself offers. */
export interface Offered {
  readonly value: Schema.Json
  readonly quote: string
  readonly source_ref: string | null
  readonly t_start: number | null
  readonly t_end: number | null
  readonly media_fragment?: string
}

const boxOf = (fragment: string | undefined): Pick<ReviewCitation, "box"> => {
  const [, x, y, w, h] = /xywh=percent:(\d+),(\d+),(\d+),(\d+)$/u.exec(fragment ?? "") ?? []
  return h === undefined ? {} : { box: [Number(x) / 100, Number(y) / 100, Number(w) / 100, Number(h) / 100] }
}

/** Where an offered value was found, which was held against the source when it was found. */
export const offeredPlaces = (offered: Offered, { segments }: Heard): ReadonlyArray<ReviewCitation> => {
  const { media_fragment, quote, source_ref, t_end, t_start } = offered
  if (source_ref === null || t_start === null || t_end === null) return []
  const origin_channel = segments.get(source_ref)?.origin ?? (source_ref.startsWith("seg#") ? "asr" : "ocr")
  return [{ source_ref, t_start, t_end, quote, origin_channel, ...boxOf(media_fragment) }]
}
