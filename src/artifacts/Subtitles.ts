import { spokenSegments } from "./SpokenSegments.ts"
import { plain, speakerNames, subtitleCues } from "./SubtitleCues.ts"
import type { Transcript } from "./Transcript.ts"

const part = (value: number, width = 2) => String(value).padStart(width, "0")

/** `01:02:03.004` with the separator that the format wants. */
const timestamp = (millis: number, separator: "." | ","): string => {
  const clock = [Math.floor(millis / 3_600_000), Math.floor(millis / 60_000) % 60, Math.floor(millis / 1000) % 60]
  return `${clock.map((value) => part(value)).join(":")}${separator}${part(millis % 1000, 3)}`
}

/** SubRip: numbered cues, the speaker's name in front where another one takes the word. It has no escapes. */
export const toSrt = (transcript: Transcript): string =>
  subtitleCues(transcript).map(({ named_lines, t_end, t_start }, index) => {
    const times = `${timestamp(t_start, ",")} --> ${timestamp(t_end, ",")}`
    // An arrow in the text would be read as the times of another cue.
    const text = named_lines.map((line) => line.replaceAll("-->", "→")).join("\n")
    return `${index + 1}\n${times}\n${text}\n\n`
  }).join("")

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** WebVTT (W3C): cues named by their segment, with a voice span where the speaker is known. */
export const toVtt = (transcript: Transcript): string => {
  const nameOf = speakerNames(transcript)
  const cues = subtitleCues(transcript).map(({ lines, part, segment, speaker, t_end, t_start }) => {
    const name = nameOf(speaker)
    const voice = name === null ? "" : `<v ${escaped(name)}>`
    const id = `${segment.replace("#", "-")}${part === 0 ? "" : `-${part + 1}`}`
    return `${id}\n${timestamp(t_start, ".")} --> ${timestamp(t_end, ".")}\n${voice}${escaped(lines.join("\n"))}\n\n`
  })
  return `WEBVTT\n\n${cues.join("")}`
}

/** One line for each segment, named where the speaker is known. */
export const toText = (transcript: Transcript): string => {
  const nameOf = speakerNames(transcript)
  return spokenSegments(transcript).map(({ speaker, text }) => {
    const name = nameOf(speaker)
    return `${name === null ? "" : `${name}: `}${plain(text)}\n`
  }).join("")
}

/** A line goes on no longer than this, so that its second still says where in it something was said. */
const longestLine = 30

/** A line for what one speaker says in up to half a minute, after the second at which it begins: `[4512] Ada: …`. */
export const toLines = (transcript: Transcript): string => {
  const nameOf = speakerNames(transcript)
  const lines: Array<{ readonly speaker: string | null; readonly t_start: number; text: string }> = []
  for (const { speaker, t_end, t_start, text } of spokenSegments(transcript)) {
    const last = lines.at(-1)
    if (last !== undefined && last.speaker === speaker && t_end - last.t_start <= longestLine) {
      last.text += ` ${plain(text)}`
    } else lines.push({ speaker, t_start, text: plain(text) })
  }
  return lines.map(({ speaker, t_start, text }) => {
    const name = nameOf(speaker)
    return `[${Math.floor(t_start)}] ${name === null ? "" : `${name}: `}${text}\n`
  }).join("")
}
