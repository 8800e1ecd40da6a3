import { evidenceAddress, type EvidenceSpan } from "../../../artifacts/Evidence.ts"
import { openUri } from "../../../sources/ShownUri.ts"
import { cut, plain } from "../../../text/PlainText.ts"
import type { DeliveryPayload } from "./Connector.ts"

const two = (number: number) => String(number).padStart(2, "0")

/** Seconds as people say them: `02:14`, and `1:02:14` from an hour on. */
export const clock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const hours = Math.floor(whole / 3600)
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return hours === 0 ? rest : `${hours}:${rest}`
}

/** A member's name as it stands in a JSON pointer (RFC 6901). */
export const escapeToken = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** The spans of a value and of everything within it, the earliest first. */
export const spansAt = (evidence: ReadonlyArray<EvidenceSpan>, pointer: string): ReadonlyArray<EvidenceSpan> =>
  evidence.filter((span) => span.pointer === pointer || span.pointer.startsWith(`${pointer}/`))
    .toSorted((a, b) => a.t_start - b.t_start)

/** A pointer as a person reads it: `/rooms/0/name` is `rooms › 1 › name`. */
export const shownPath = (pointer: string): string =>
  pointer.split("/").slice(1).map((token) =>
    /^(?:0|[1-9]\d*)$/u.test(token)
      ? String(Number(token) + 1)
      : plain(token.replaceAll("~1", "/").replaceAll("~0", "~"))
  ).join(" › ")

/** The words of a span, cut, and its moment: `“Orbits” 02:14`. */
export const quoteLine = (span: EvidenceSpan, most = 300): string =>
  `“${cut(plain(span.quote), most)}” ${clock(span.t_start)}`

/** A line for each span, the earliest first: field, words and moment. What has no room is counted. */
export const evidenceText = (evidence: ReadonlyArray<EvidenceSpan>, most: number): string => {
  const sorted = evidence.toSorted((a, b) => a.t_start - b.t_start)
  let text = ""
  for (const [at, span] of sorted.entries()) {
    const line = `${at === 0 ? "" : "\n"}${cut(shownPath(span.pointer), 200)}: ${quoteLine(span)}`
    if (text.length + line.length > most - 30) return `${text}${at === 0 ? "" : "\n"}… ${sorted.length - at} more`
    text += line
  }
  return text
}

/** Where the application shows a value with its moment, once whoever goes there has signed in; the job where there is none. */
export const appLink = ({ evidence: [first], links }: DeliveryPayload, span = first): string =>
  span === undefined ? links.app : `${links.app}${evidenceAddress(span.pointer)}`

/** Where a person sees the moment of a span: in the source, where everybody may open it, else at its value on the page of the result. */
export const momentLink = (payload: DeliveryPayload, span: EvidenceSpan): string => {
  const { job, links } = payload
  const source = openUri(job.source_uri)
  if (source !== undefined) return `${source}${span.media_fragment}`
  return links.page === links.app ? appLink(payload, span) : `${links.page}#${evidenceAddress(span.pointer)}`
}
