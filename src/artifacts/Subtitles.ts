import type { Segment, Transcript } from "./Transcript.ts"

const part = (value: number, width = 2) => String(value).padStart(width, "0")

/** `01:02:03.004` with the separator that the format wants. */
const timestamp = (seconds: number, separator: "." | ","): string => {
  const millis = Math.round(seconds * 1000)
  const clock = [Math.floor(millis / 3_600_000), Math.floor(millis / 60_000) % 60, Math.floor(millis / 1000) % 60]
  return `${clock.map((value) => part(value)).join(":")}${separator}${part(millis % 1000, 3)}`
}

const labels = (transcript: Transcript) => new Map(transcript.speakers.map(({ id, label }) => [id, label]))

/** No blank line and no arrow may stand inside a cue: either would end it or start another. */
const plain = (text: string) => text.replaceAll(/\s+/gu, " ").replaceAll("-->", "→").trim()

const speakerOf = (segment: Segment, names: ReadonlyMap<string, string>) =>
  segment.speaker === null ? undefined : names.get(segment.speaker) ?? segment.speaker

/** SubRip: numbered cues with a comma before the milliseconds. */
export const toSrt = (transcript: Transcript): string => {
  const names = labels(transcript)
  return transcript.segments.map((segment, index) => {
    const speaker = speakerOf(segment, names)
    const text = plain(speaker === undefined ? segment.text : `${speaker}: ${segment.text}`)
    return `${index + 1}\n${timestamp(segment.t_start, ",")} --> ${timestamp(segment.t_end, ",")}\n${text}\n\n`
  }).join("")
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** WebVTT (W3C) with a voice span for each speaker. */
export const toVtt = (transcript: Transcript): string => {
  const names = labels(transcript)
  const cues = transcript.segments.map((segment) => {
    const speaker = speakerOf(segment, names)
    const voice = speaker === undefined ? "" : `<v ${escaped(plain(speaker))}>`
    const times = `${timestamp(segment.t_start, ".")} --> ${timestamp(segment.t_end, ".")}`
    return `${segment.id.replace("#", "-")}\n${times}\n${voice}${escaped(plain(segment.text))}\n\n`
  })
  return `WEBVTT\n\n${cues.join("")}`
}

/** One line for each segment, named where the speaker is known. */
export const toText = (transcript: Transcript): string => {
  const names = labels(transcript)
  return transcript.segments.map((segment) => {
    const speaker = speakerOf(segment, names)
    return `${speaker === undefined ? "" : `${speaker}: `}${plain(segment.text)}\n`
  }).join("")
}
